"""What every entry must have."""

from datetime import date

from lights.content.articles import ARTICLES
from lights.content.projects import PROJECTS


def test_slugs_are_unique():
    for slugs in ([a["slug"] for a in ARTICLES], [p.slug for p in PROJECTS]):
        assert len(slugs) == len(set(slugs))


def test_articles_are_oldest_first():
    dates = [date.fromisoformat(article["date"]) for article in ARTICLES]
    assert dates == sorted(dates)
