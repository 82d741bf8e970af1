"""What the model is told about its commands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.agents.hands import Hands, Result
from bot.agents.tools import BadInput
from bot.model import Job, Ran
from bot.sandbox.bare import placed
from tests.support.agents import BareSandbox
from tests.support.jail import PYTHON, box, folder


class Seen(BareSandbox):
    """Answers every job alike, and keeps it."""

    def __init__(self, ran: Ran) -> None:
        self.ran = ran
        self.jobs: list[Job] = []

    def run(self, job: Job) -> Ran:
        self.jobs.append(job)
        return self.ran


def bash(command: str, work: Path) -> Result:
    return Hands(BareSandbox(), sys.executable, seconds=0.5).bash({"command": command}, work)


def test_a_command_s_words_errors_and_status_are_told(tmp_path: Path) -> None:
    assert bash("echo out; echo err >&2; exit 4", tmp_path) == Result("out\nerr\n[exit status 4]")
    assert bash("true", tmp_path) == Result("[no output]")


def test_a_command_that_runs_too_long_is_told_as_stopped(tmp_path: Path) -> None:
    assert bash("sleep 5", tmp_path) == Result("[stopped: it ran longer than 0.5 seconds]", failed=True)


def test_long_output_keeps_its_beginning_and_end_and_says_what_is_missing(tmp_path: Path) -> None:
    told = bash("printf start; head -c 100000 /dev/zero | tr '\\0' x; printf end", tmp_path).text
    assert told.startswith("start") and told.endswith("end")
    assert "characters left out" in told
    assert len(told) < 31_000


def test_control_and_bidi_characters_reach_the_record_as_escapes(tmp_path: Path) -> None:
    assert (
        bash(r"printf '\033[2Jred\xe2\x80\xae\xff\ttab\r\nline'", tmp_path).text
        == "\\x1b[2Jred\\u202e\ufffd\ttab\nline"
    )


def test_a_job_runs_in_the_agent_s_profile_with_an_environment_of_our_own(tmp_path: Path) -> None:
    seen = Seen(Ran(0, b'{"ok": true, "text": "fine"}', b"", 0.1))
    hands = Hands(seen, "/site/python", ("/site",))
    hands.bash({"command": "ls"}, tmp_path)
    hands.edit({"command": "view", "path": "a"}, tmp_path)
    assert [job.profile for job in seen.jobs] == ["agent", "agent"]
    assert [job.argv[:4] for job in seen.jobs] == [
        ("/usr/bin/bash", "-c", "ls"),
        ("/site/python", "-I", "-S", "-B"),
    ]
    assert all(job.work == str(tmp_path) and job.read == ("/site",) for job in seen.jobs)
    assert seen.jobs[0].env["PATH"].startswith("/site:")
    assert seen.jobs[0].env["RUFF_NO_CACHE"] == "true"


@pytest.mark.parametrize("stdout", [b"", b"[]", b"{}", b"7", b'{"ok": true}', b"\xff"])
def test_an_editor_that_answers_nonsense_has_failed(tmp_path: Path, stdout: bytes) -> None:
    hands = Hands(Seen(Ran(1, stdout, b"no such interpreter", 0.1)), "python")
    told = hands.edit({"command": "view", "path": "a"}, tmp_path)
    assert told.failed and told.text.startswith("the editor failed")
    assert "no such interpreter" in told.text


@pytest.mark.parametrize("given", [{}, {"command": ""}, {"command": 3}, {"command": "x" * 20_001}])
def test_a_command_that_is_none_is_refused(tmp_path: Path, given: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="`command`"):
        Hands(BareSandbox(), "python").bash(given, tmp_path)


def test_restarting_the_shell_is_answered_and_runs_nothing(tmp_path: Path) -> None:
    seen = Seen(Ran(0, b"", b"", 0.0))
    assert "fresh shell" in Hands(seen, "python").bash({"restart": True}, tmp_path).text
    assert seen.jobs == []


class Placed(BareSandbox):
    """Names the workspace as the mode without a sandbox does."""

    def run(self, job: Job) -> Ran:
        return super().run(placed(job, "/tmp"))


def test_the_workspace_has_its_name_also_where_it_lies_elsewhere(tmp_path: Path) -> None:
    hands = Hands(Placed(), sys.executable)
    create = {"command": "create", "path": "/w/a", "file_text": "x"}
    assert hands.edit(create, tmp_path) == Result("wrote a")
    assert hands.bash({"command": "cat /w/a"}, tmp_path) == Result("x")


def test_in_the_real_sandbox_both_tools_work_on_the_workspace_and_on_nothing_else(tmp_path: Path) -> None:
    sandbox = box(tmp_path)
    work = folder(sandbox, tmp_path / "work")
    hands = Hands(sandbox, PYTHON.python, PYTHON.read)
    create = {"command": "create", "path": "/w/site/a.py", "file_text": "word = 'f\u00f6g'\nprint(word)\n"}
    assert hands.edit(create, work) == Result("wrote site/a.py")
    assert hands.bash({"command": "pwd; cd site; python -c 'import a'"}, work) == Result("/w\nf\u00f6g")
    assert (work / "site" / "a.py").read_text().startswith("word")
    assert [one.name for one in (work / "site").iterdir()] == ["a.py"]
    assert hands.edit({"command": "view", "path": str(tmp_path)}, work).failed
    assert "[exit status" in hands.bash({"command": f"ls {tmp_path} 2>&1"}, work).text
