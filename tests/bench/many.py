"""A site of 5,000 pages: base swept twice, an addition judged, and a second cycle on the same base."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from bot.model import Claim
from bot.parts import RoutesPart
from tests.bench.figure import Figure
from tests.bench.timing import wall
from tests.support.sites import Yard, yard

PAGES = 5000
SECONDS = 300.0  # what a part may take where `gate.seconds` says nothing else
MEGABYTES = 500.0  # 210 were measured; ten times the pages would still fit a small machine
APP = """
from flask import Flask, abort
app = Flask(__name__)
WORDS = "light buoy tide rock keeper lamp oil glass fog bell storm harbour quay wick lens".split()
def told(number): return " ".join(WORDS[(number * step) % 15] for step in range(1, 60))
ARTICLES = [{"slug": f"light-{n}", "title": f"Light {n}", "text": told(n)} for n in range(PAGES)]
KNOWN = {one["slug"]: one for one in ARTICLES}
FRAME = '''<html lang="en"><head><title>{0}</title><meta name="description" content="{0}">
<link rel="stylesheet" href="/static/style.css"></head><body><header><nav><ul><li><a href="/">Home</a></li>
<li><a href="/all">All lights</a></li></ul></nav></header><main><h1>{0}</h1>{1}</main>
<footer><p>A society of volunteers.</p></footer></body></html>'''
@app.get("/")
def home():
    newest = "".join(f'<li><a href="/articles/{a["slug"]}">{a["title"]}</a></li>' for a in ARTICLES[-5:])
    return FRAME.format("Lights", f"<p>{len(ARTICLES)} articles</p><ul>{newest}</ul>")
@app.get("/all")
def every():
    return FRAME.format("All", "".join(f'<li><a href="/articles/{a["slug"]}">{a["title"]}</a></li>' for a in ARTICLES))
@app.get("/articles/<slug>")
def article(slug):
    one = KNOWN.get(slug) or abort(404)
    body = "".join(f"<h2>Part {n}</h2><p>{one['text']} {n}</p>" for n in range(4))
    return FRAME.format(one["title"], f'<article>{body}<p><a href="/">Home</a></p></article>')
"""


def many() -> list[Figure]:
    """In a process of its own, so that its memory can be told."""
    done = subprocess.run([sys.executable, "-m", "tests.bench.many"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    asked = f"{found['pages']} pages, {found['objections']} objections"
    return [
        Figure("many", "base of 5,000 pages, swept twice side by side", found["base"], "s", SECONDS),
        Figure("many", "one more article judged on it", found["judge"], "s", SECONDS, asked),
        Figure("many", "the same base in a second cycle, found in the cache", found["again"], "s", found["base"] / 5),
        Figure("many", "the most memory that the judge took", found["megabytes"], "MB", MEGABYTES),
    ]


def measured(place: Yard) -> dict[str, float]:
    """Seconds and megabytes; the second cycle has parts of its own, as another process would."""
    files: list[tuple[int, int]] = []
    base = wall(lambda: place.routes().baseline(place.base))
    more = APP.replace("range(PAGES)]", f"range({PAGES + 1})]").replace("PAGES", str(PAGES))
    snapshot = replace(place.snapshot({"app.py": more}), claim=Claim("article", f"light-{PAGES}", "Adds a light."))

    def judge(part: RoutesPart) -> None:
        against, evidence = part.judge(place.ready(), snapshot)
        files.append((evidence.counts["pages"], len(against)))

    judged = wall(lambda: judge(place.routes()))
    again = wall(lambda: place.routes(seed=2).baseline(place.base))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pages, objections = files[0]
    return {
        "base": base, "judge": judged, "again": again, "megabytes": memory, "pages": pages, "objections": objections
    }  # fmt: skip


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        text = APP.replace("PAGES", str(PAGES))
        print(json.dumps(measured(yard(Path(scratch) / "yard", {"app.py": text, "static/style.css": "p {}\n"}))))
