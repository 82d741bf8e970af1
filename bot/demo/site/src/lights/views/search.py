"""Search, the simple way: every word must occur."""

from flask import Blueprint, render_template, request

from lights.content.articles import newest_first
from lights.content.projects import PROJECTS

blueprint = Blueprint("search", __name__)


@blueprint.get("/search")
def results():
    term = request.args.get("q")
    if term == None:
        return render_template("search.html", term="", articles=[], projects=[])
    words = term.lower().split()
    articles = [a for a in newest_first() if matches(words, a["title"], a["summary"], a["body"])]
    projects = [p for p in PROJECTS if matches(words, p.name, p.summary)]
    return render_template("search.html", term=term, articles=articles, projects=projects)


def matches(words, *texts):
    whole = " ".join(texts).lower()
    return bool(words) and all(word in whole for word in words)
