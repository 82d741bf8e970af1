"""Pages a second through the judge, against the plain test client in one process: the goal is 0.6 of it."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

from bot.parts.stand import RouteRules, Stand
from gates import sweep
from gates.question import Question
from tests.bench.figure import Figure
from tests.support import lights
from tests.support.sites import PYTHON, Yard, site, yard

GOAL, TIMES = 0.6, 12
_PLAIN = """
import json, sys, time
sys.path.insert(0, "src")
from lights.app import create_app
client = create_app().test_client()
urls, times = json.loads(sys.argv[1])
for url in urls: client.get(url, headers={"Accept-Language": "en"})
started = time.perf_counter()
for _ in range(times):
    for url in urls: client.get(url, headers={"Accept-Language": "en"}).get_data()
print(len(urls) * times / (time.perf_counter() - started))
"""


def pages() -> list[Figure]:
    """How much longer a page takes through the judge than in a plain test client."""
    with tempfile.TemporaryDirectory() as scratch:
        plain = lights.copy(Path(scratch) / "site")
        held = lights.ask(plain)
        urls = [rule for rule in held.rules if "<" not in rule and f"en {rule}" in held.pages]
        urls += [f"/articles/{slug}" for slug in held.articles] + [f"/projects/{slug}" for slug in held.projects]
        files = {str(path.relative_to(plain)): path.read_bytes() for path in plain.rglob("*") if path.is_file()}
        direct, judged = client(plain, urls), judge(yard(Path(scratch) / "yard", files), urls)
    told = f"test client {direct:.0f} pages a second, through the judge {judged:.0f}"
    return [
        Figure(
            "pages",
            "a page asked through the judge, beside the plain test client",
            direct / judged,
            "times",
            1 / GOAL,
            told,
        )
    ]


def client(folder: Path, urls: list[str]) -> float:
    """Pages a second of the test client, in a process without the judge."""
    argument = json.dumps([urls, TIMES])
    done = subprocess.run([PYTHON, "-c", _PLAIN, argument], cwd=folder, capture_output=True, text=True, check=True)
    return float(done.stdout)


def judge(place: Yard, urls: list[str]) -> float:
    """Pages a second asked in the sandbox and taken apart, once everything is warm."""
    where = site(app="lights.app:create_app", path=("src",), sources=())
    stand = Stand(place.using(where), where, RouteRules(), Random(1))
    questions = [Question("GET", url, locale="en") for url in urls]
    with stand.serving(place.base) as asker:
        sweep.asked(asker.ask, questions, stand.random)
        started = time.perf_counter()
        for _ in range(TIMES):
            sweep.asked(asker.ask, questions, stand.random)
        return len(urls) * TIMES / (time.perf_counter() - started)
