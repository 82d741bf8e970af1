"""The pages that visitors use most."""

import pytest

from lights.app import create_app
from lights.content.articles import ARTICLES
from lights.content.projects import PROJECTS


@pytest.fixture
def client():
    return create_app().test_client()


@pytest.mark.parametrize("path", ["/", "/articles", "/projects", "/keepers", "/about", "/contact"])
def test_page_answers(client, path):
    assert client.get(path).status_code == 200


def test_every_article_has_a_page(client):
    for article in ARTICLES:
        assert article["title"] in client.get(f"/articles/{article['slug']}").get_data(as_text=True)


def test_every_project_has_a_page(client):
    for project in PROJECTS:
        assert client.get(f"/projects/{project.slug}").status_code == 200


def test_unknown_page(client):
    assert client.get("/articles/no-such-light").status_code == 404


def test_search_finds_the_bell(client):
    assert "/articles/the-bell-comes-ashore" in client.get("/search?q=bell").get_data(as_text=True)


def test_letter_without_a_token_is_refused(client):
    assert client.post("/contact", data={"message": "hello"}).status_code == 400
