"""What the society restores."""

from flask import Blueprint, abort, render_template

from lights.content.projects import PROJECTS, find

blueprint = Blueprint("projects", __name__)


@blueprint.get("/projects")
def index():
    return render_template("projects.html", projects=PROJECTS)


@blueprint.get("/projects/<slug>")
def show(slug):
    project = find(slug)
    if project is None:
        abort(404)
    return render_template("project.html", project=project)
