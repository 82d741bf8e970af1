from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.base.interpreter import locate
from bot.errors import ConfigError
from bot.model import Job
from tests.support import jail


def installed(root: Path, version: str = "3.12") -> Path:
    """An installation as it looks from outside: a program and a standard library."""
    (root / "bin").mkdir(parents=True)
    library = root / "lib" / f"python{version}"
    library.mkdir(parents=True)
    (library / "os.py").touch()
    program = root / "bin" / f"python{version}"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    (root / "bin" / "python3").symlink_to(program.name)
    return root / "bin" / "python3"


def environment(root: Path, base: Path, text: str = "") -> Path:
    (root / "bin").mkdir(parents=True)
    (root / "pyvenv.cfg").write_text(text or f"home = {base.parent}\nversion = 3.12.4\n")
    (root / "bin" / "python").symlink_to(base)
    return root / "bin" / "python"


def test_an_environment_needs_itself_and_its_base(tmp_path: Path) -> None:
    environment(tmp_path / "site/.venv", installed(tmp_path / "base"))
    found = locate(".venv/bin/python", tmp_path / "site")
    assert found.python == str(tmp_path / "site/.venv/bin/python")
    assert found.read == (str(tmp_path / "site/.venv"), str(tmp_path / "base"))
    assert found.version == "3.12.4"


def test_links_between_folders_are_shown_under_both_names(tmp_path: Path) -> None:
    installed(tmp_path / "cpython-3.12.4")
    (tmp_path / "cpython-3.12").symlink_to("cpython-3.12.4")
    environment(tmp_path / "venv", tmp_path / "cpython-3.12/bin/python3")
    shown = locate("venv/bin/python", tmp_path).read
    assert {str(tmp_path / "cpython-3.12"), str(tmp_path / "cpython-3.12.4")} < set(shown)


def test_a_copied_interpreter_still_finds_its_base_by_the_environments_own_word(tmp_path: Path) -> None:
    base = installed(tmp_path / "base")
    python = environment(tmp_path / "venv", base)
    python.unlink()
    python.write_bytes(b"\x7fELF")
    python.chmod(0o755)
    assert str(tmp_path / "base") in locate("venv/bin/python", tmp_path).read


def test_a_link_in_a_folder_of_programs_shows_the_link_and_not_the_folder(tmp_path: Path) -> None:
    base = installed(tmp_path / "base")
    (tmp_path / "home/bin").mkdir(parents=True)
    (tmp_path / "home/bin/python").symlink_to(base)
    (tmp_path / "home/lib/python3.12/site-packages").mkdir(parents=True)
    assert set(locate("home/bin/python", tmp_path).read) == {str(tmp_path / "base"), str(tmp_path / "home/bin/python")}


@pytest.mark.parametrize("name", ["/usr/bin/env", "/bin/env"])
def test_what_lies_in_the_system_needs_nothing_shown(tmp_path: Path, name: str) -> None:
    assert locate(name, tmp_path).read == ()


def test_the_version_of_a_bare_installation_is_its_librarys(tmp_path: Path) -> None:
    installed(tmp_path / "base", "3.13")
    assert locate("base/bin/python3", tmp_path).version == "3.13"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "is not there; make the environment"),
        (lambda path: path.symlink_to("elsewhere"), "leads to .*elsewhere, which is not there"),
        (lambda path: path.symlink_to("python"), "leads in circles"),
        (lambda path: path.write_bytes(b"\x7fELF"), "may not be executed; chmod a\\+x"),
        (lambda path: path.write_bytes(b"#!/bin/sh\n") and path.chmod(0o755), "is a script; name the interpreter"),
        (lambda path: path.mkdir(), "is not there"),
    ],
    ids=["missing", "dangling", "circle", "not executable", "shim", "folder"],
)
def test_what_cannot_be_used_is_named_with_the_key_and_what_next(tmp_path: Path, make: object, message: str) -> None:
    assert callable(make)
    make(tmp_path / "python")
    with pytest.raises(ConfigError, match=rf"site\.python: .*{message}"):
        locate("python", tmp_path)


def test_a_real_environment_runs_in_the_sandbox_with_what_was_found(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    found = locate("venv/bin/python", tmp_path)
    box = jail.box(tmp_path)
    work = jail.folder(box, tmp_path / "work")
    ran = box.run(Job((found.python, "-I", "-c", "import sys; print(sys.prefix)"), str(work), read=found.read))
    assert ran.stdout.decode().strip() == str(tmp_path / "venv"), ran.stderr.decode()
    assert found.version is not None
    assert found.version.startswith(f"{sys.version_info.major}.{sys.version_info.minor}")


@pytest.mark.skipif(os.getuid() != 0, reason="only the administrator can become somebody else")
def test_an_interpreter_in_a_home_that_is_closed_to_this_user_is_told_with_the_path(tmp_path: Path) -> None:
    home = tmp_path / "home"
    installed(home / "py")
    environment(tmp_path / "venv", home / "py/bin/python3")
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        folder.chmod(0o755)
    home.chmod(0o700)
    os.seteuid(61500)
    try:
        with pytest.raises(
            ConfigError, match=r"site.python: .*venv/bin/python needs .*home/py.* may not read"
        ) as caught:
            locate("venv/bin/python", tmp_path)
    finally:
        os.seteuid(0)
    assert "\n" not in str(caught.value)
