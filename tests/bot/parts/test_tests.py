"""The tests part: the site's own pytest in the real sandbox, over base's code and over a candidate's."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import SiteBroken
from bot.model import Job, Objection, Ran
from bot.parts import TestsPart
from bot.ports import Sandbox, Talk
from tests.support.sites import Yard, site, yard

PYTEST = ("python", "-m", "pytest", "-q")
SITE = {
    "src/lamp.py": "def lit():\n    return True\n\n\ndef tall():\n    return 3\n",
    "tests/test_lamp.py": """
        import pytest
        import lamp
        def test_lit(): assert lamp.lit()
        def test_tall(): assert lamp.tall() == 4
        @pytest.mark.parametrize("n", [1, 2])
        def test_many(n): assert lamp.tall() > n
        def test_perhaps():
            if not hasattr(lamp, "lit"): pytest.skip("no lamp")
    """,
    "tests/conftest.py": "",
    "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("tests"), SITE)


def part(place: Yard, words: tuple[str, ...] = PYTEST, seconds: float = 60) -> TestsPart:
    quick = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return TestsPart(place.tools, site(path=("src",), env=quick), words, seconds)


def judged(place: Yard, files: Mapping[str, str | None], words: tuple[str, ...] = PYTEST) -> tuple[Objection, ...]:
    return part(place, words).judge(place.ready(), place.snapshot(files))[0]


def test_a_failure_of_base_is_debt_and_counted(place: Yard) -> None:
    assert part(place).baseline(place.base).counts == {"passed": 4, "failed": 1, "skipped": 0}
    against, evidence = part(place).judge(place.ready(), place.snapshot({"src/lamp.py": SITE["src/lamp.py"] + "#\n"}))
    assert against == () and evidence.cached
    assert evidence.counts == {"passed": 4, "failed": 1, "skipped": 0, "failing at base": 1, "new": 0}


def test_new_failures_are_named_with_their_file_and_how_they_failed(place: Yard) -> None:
    found = judged(place, {"src/lamp.py": SITE["src/lamp.py"].replace("return 3", "return 2")})
    assert [(one.code, one.subject, one.file) for one in found] == [
        ("test-failed", "tests.test_lamp::test_many[2]", "tests/test_lamp.py")
    ]
    assert "assert 2 > 2" in found[0].seen


def test_a_candidates_own_tests_and_settings_count_for_nothing(place: Yard) -> None:
    own = {
        "tests/test_new.py": "def test_new(): assert False\n",
        "tests/test_lamp.py": "",
        "tests/conftest.py": "collect_ignore_glob = ['*']\n",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--deselect tests'\n",
        "src/lamp.py": SITE["src/lamp.py"].replace("True", "False"),
    }
    assert [one.subject for one in judged(place, own)] == ["tests.test_lamp::test_lit"]


def test_a_test_that_no_longer_runs_is_told(place: Yard) -> None:
    found = judged(place, {"src/lamp.py": SITE["src/lamp.py"].replace("def lit", "def dark")})
    assert [(one.code, one.subject) for one in found] == [
        ("test-gone", "tests.test_lamp::test_perhaps"),
        ("test-failed", "tests.test_lamp::test_lit"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos._exit(0)\n",
        "def lit(:\n",
        "import os\nos.symlink('/etc/passwd', '.plusone-junit.xml')\nos._exit(0)\n",
    ],
)
def test_a_candidate_that_gets_round_its_tests_is_objected_to(place: Yard, code: str) -> None:
    found = judged(place, {"src/lamp.py": code})
    assert found and {one.code for one in found} <= {"tests-broken", "test-gone", "test-failed"}
    assert not any("root:" in one.seen for one in found)


class Weather:
    """The real sandbox, whose jobs can tell how many came before them."""

    mode = "counted"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox, self.jobs = sandbox, 0

    def run(self, job: Job) -> Ran:
        self.jobs += 1
        return self._sandbox.run(replace(job, env={**job.env, "JOBS": str(self.jobs)}))

    def session(self, job: Job) -> AbstractContextManager[Talk]:
        return self._sandbox.session(job)


@pytest.mark.parametrize(("weather", "jobs", "told"), [("!= '2'", 3, []), ("== '1'", 3, ["tests-failed"])])
def test_only_what_fails_twice_is_held_against_the_change(
    tmp_path: Path, weather: str, jobs: int, told: list[str]
) -> None:
    place = yard(tmp_path, SITE)
    counted = Weather(place.tools.sandbox)
    words = ("python", "-c", f"import os, sys; sys.exit(not os.environ['JOBS'] {weather})")
    wavering = TestsPart(replace(place.tools, sandbox=counted), site(), words)
    found, _ = wavering.judge(place.ready(), place.snapshot({"src/lamp.py": "x = 1\n"}))
    assert ([one.code for one in found], counted.jobs) == (told, jobs)


def test_another_command_is_judged_by_its_status(place: Yard) -> None:
    words = ("python", "-c", "import lamp, sys; print('said'); sys.exit(not lamp.lit())")
    assert part(place, words).baseline(place.base).counts == {"passed": 1, "failed": 0, "skipped": 0}
    assert judged(place, {"src/lamp.py": SITE["src/lamp.py"] + "#\n"}, words) == ()
    (found,) = judged(place, {"src/lamp.py": SITE["src/lamp.py"].replace("True", "False")}, words)
    assert (found.code, found.seen) == ("tests-failed", "said")
    failing = ("python", "-c", "raise SystemExit(3)")
    assert judged(place, {"src/lamp.py": "x = 1\n"}, failing) == ()


def test_a_command_that_cannot_work_or_end_at_base_is_a_fault_of_the_set_up(place: Yard) -> None:
    with pytest.raises(SiteBroken, match=r"gate\.tests\.command: no report .*exit status 4.*mend the command"):
        part(place, (*PYTEST, "--no-such-option")).baseline(place.base)
    with pytest.raises(SiteBroken, match=r"stopped at their limit \(wall"):
        part(place, ("python", "-c", "import time; time.sleep(60)"), 0.5).baseline(place.base)


def test_a_candidate_whose_tests_never_end_is_objected_to(place: Yard) -> None:
    quick = part(place, ("python", "-c", "import lamp"), 1.5)
    quick.baseline(place.base)
    endless = place.snapshot({"src/lamp.py": "import time\ntime.sleep(60)\n"})
    (found,) = quick.judge(replace(place.ready()), endless)[0]
    assert found.code == "tests-broken" and "limit (wall" in found.seen
