"""`plusone serve` as a process: a real socket, a real browser's requests, and files on request."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.commands import Fired, fired, plusone


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fired:
    return fired("gate-repaired", tmp_path_factory).copied(tmp_path / "site")


@contextmanager
def serving(site: Fired) -> Iterator[tuple[str, str]]:
    """Where it listens, and the line with the token."""
    program = [str(Path(sys.prefix, "bin", "plusone")), "serve", "--port", "0", "--config", str(site.config)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout and child.stderr
        try:
            yield child.stdout.readline().strip(), child.stderr.readline().strip()
        finally:
            child.terminate()


def test_it_answers_on_a_loopback_port_and_prints_its_token_on_standard_error(site: Fired) -> None:
    with serving(site) as (url, told):
        where = urlsplit(url)
        assert where.hostname == "127.0.0.1" and len(told.split(": ")[1]) >= 32
        connection = http.client.HTTPConnection("127.0.0.1", where.port or 0, timeout=20)
        connection.request("GET", "/")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Server"]) == (200, "plusone")
        assert str(site.report["cycle"]) in answer.read().decode()
        connection.request("GET", "/", headers={"Host": "rebound.example"})
        assert connection.getresponse().status == 421


def test_pages_are_written_on_request(site: Fired, tmp_path: Path) -> None:
    done = plusone("serve", "--config", site.config, "--write", tmp_path / "pages")
    assert (done.status, done.out, done.err) == (0, "", f"6 files are in {tmp_path / 'pages'}\n")
    assert (tmp_path / "pages/index.html").exists()
    (tmp_path / "file").write_text("mine")
    refused = plusone("serve", "--config", site.config, "--write", tmp_path / "file")
    assert refused.status == 78 and "cannot be written there" in refused.err
