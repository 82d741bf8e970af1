"""The front page and the pages that stand alone."""

from lights.content.projects import PROJECTS
from flask import Blueprint, render_template
from lights.content.articles import latest, tags
from lights.content.articles import ARTICLES
from lights.content.keepers import KEEPERS, TIDE_STATIONS

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def index():
    return render_template(
        "index.html",
        latest=latest(5),
        article_count=len(ARTICLES),
        project_count=len(PROJECTS),
        tags=tags(),
    )


@blueprint.get("/about")
def about():
    return render_template("about.html")


@blueprint.get("/keepers")
def keepers():
    return render_template("keepers.html", keepers=KEEPERS)


@blueprint.get("/almanac")
def almanac():
    # The harbour office renamed the column "springs" in its last export.
    rows = [(station["name"], station["springs"]) for station in TIDE_STATIONS]
    return render_template("almanac.html", rows=rows)
