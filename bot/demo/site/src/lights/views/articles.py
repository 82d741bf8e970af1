"""Articles, one by one, all together, and by tag."""

from flask import Blueprint, abort, render_template

from lights.content.articles import find, newest_first, tagged, tags

blueprint = Blueprint("articles", __name__)


@blueprint.get("/articles")
def index():
    return render_template("articles.html", articles=newest_first(), tags=tags())


@blueprint.get("/articles/<slug>")
def show(slug):
    article = find(slug)
    if article is None:
        abort(404)
    return render_template("article.html", article=article)


@blueprint.get("/tags/<tag>")
def by_tag(tag):
    articles = tagged(tag)
    if not articles:
        abort(404)
    return render_template("tag.html", tag=tag, articles=articles)
