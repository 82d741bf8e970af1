"""What other programs read: two feeds and the sitemap."""

import os
from email.utils import format_datetime
from datetime import datetime, timezone

from flask import Blueprint, Response, jsonify, render_template, url_for

from lights.content.articles import newest_first, tags
from lights.content.projects import PROJECTS
from lights.text import day, paragraphs

blueprint = Blueprint("feeds", __name__)


@blueprint.get("/feed.xml")
def rss():
    page = render_template("feed.xml", articles=newest_first(), published=published)
    return Response(page, mimetype="application/rss+xml")


@blueprint.get("/feed.json")
def json_feed():
    return jsonify(
        version="https://jsonfeed.org/version/1.1",
        title="Harbour Lights",
        home_page_url=url_for("pages.index", _external=True),
        feed_url=url_for("feeds.json_feed", _external=True),
        items=[item(article) for article in newest_first()],
    )


@blueprint.get("/sitemap.xml")
def sitemap():
    alone = ["pages.index", "pages.about", "pages.keepers", "articles.index", "projects.index",
             "search.results", "contact.form"]
    urls = [url_for(endpoint, _external=True) for endpoint in alone]
    urls += [link(article) for article in newest_first()]
    urls += [url_for("projects.show", slug=p.slug, _external=True) for p in PROJECTS]
    urls += [url_for("articles.by_tag", tag=tag, _external=True) for tag in tags()]
    return Response(render_template("sitemap.xml", urls=urls), mimetype="application/xml")


def item(article):
    return {
        "id": link(article),
        "url": link(article),
        "title": article["title"],
        "summary": article["summary"],
        "content_text": "\n\n".join(paragraphs(article["body"])),
        "date_published": article["date"] + "T00:00:00Z",
        "tags": article["tags"],
    }


def link(article):
    return url_for("articles.show", slug=article["slug"], _external=True)


def published(article):
    at = day(article["date"])
    return format_datetime(datetime(at.year, at.month, at.day, tzinfo=timezone.utc))
