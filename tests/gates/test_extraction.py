"""How extraction is planned from a site's own files, and what its complaints mean."""

from __future__ import annotations

import pytest

from bot.model import TreeEntry
from gates.complaint import Unread, diagnosis, has_no_babel, reading, unread
from gates.extraction import Plan, plan


def planned(files: dict[str, str], named: str = "") -> Plan | None:
    entries = {path: TreeEntry("100644", text, len(text)) for path, text in files.items()}
    return plan(entries, str.encode, named)


PYTHON = "[python: **.py]\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"app.py": ""}, None),
        ({"babel.cfg": PYTHON}, Plan("babel.cfg")),
        ({"app/babel.cfg": PYTHON, "babel.ini": PYTHON}, Plan("babel.ini")),
        ({"app/babel.cfg": "[jinja2: templates/**.html]", "app/templates/a.html": ""}, Plan("app/babel.cfg", ("app",))),
        ({"app/babel.cfg": "[jinja2: app/t/**.html]", "app/t/a.html": ""}, Plan("app/babel.cfg")),
        ({"pyproject.toml": '[[tool.babel.mappings]]\nmethod = "python"\npattern = "**.py"'}, Plan("pyproject.toml")),
        ({"pyproject.toml": "[tool.ruff]"}, None),
        ({"pyproject.toml": "not = = toml"}, None),
        (
            {"i18n/map": PYTHON, "setup.cfg": "[extract_messages]\nmapping_file = i18n/map\nkeywords = tr _x:2\n"},
            Plan("i18n/map", (".",), ("tr", "_x:2")),
        ),
        (
            {"babel.cfg": PYTHON, "setup.cfg": "[extract_messages]\ninput-dirs = app, lib\nno-default-keywords = true"},
            Plan("babel.cfg", ("app", "lib"), (), False),
        ),
        ({"babel.cfg": PYTHON, "setup.cfg": "[extract_messages]\ninput_dirs = ../out, /etc, -x"}, Plan("babel.cfg")),
        ({"babel.cfg": PYTHON, "setup.cfg": "no section"}, Plan("babel.cfg")),
    ],
)
def test_the_sites_files_say_how(files: dict[str, str], expected: Plan | None) -> None:
    assert planned(files) == expected


def test_a_configured_mapping_wins_and_must_be_there() -> None:
    assert planned({"babel.cfg": PYTHON, "own.cfg": PYTHON}, "own.cfg") == Plan("own.cfg")
    with pytest.raises(ValueError, match=r"gate\.catalogue\.mapping: own\.cfg"):
        planned({"babel.cfg": PYTHON}, "own.cfg")


def test_the_command_names_mapping_keywords_and_folders() -> None:
    argv = Plan("babel.cfg", ("app",), ("tr",), False).command("/site/python", ("src", "."))
    assert (argv[0], argv[5:7]) == ("/site/python", ("src:.", "extract"))
    assert "--mapping-file=babel.cfg" in argv and "--keyword=tr" in argv and "--no-default-keywords" in argv
    assert argv[-1] == "app" and "--keyword=lazy_gettext" in argv


COMPLAINT = """extracting messages from app/a.html (silent="false")
plusone-unread ["app/a.html", 3, "Encountered unknown tag 'chart'."]
plusone-unread ["app/a.html", 4, "another"]
plusone-unread {"forged": 1}
plusone-unread not json
extracting messages from b.py
"""


def test_complaints_name_files_lines_and_what_is_missing() -> None:
    assert unread(COMPLAINT) == {"app/a.html": Unread("app/a.html", 3, "Encountered unknown tag 'chart'.")}
    assert (reading(COMPLAINT), reading("nothing"), unread("nothing")) == ("b.py", "", {})
    assert has_no_babel("Traceback\nModuleNotFoundError: No module named 'babel'\n")
    assert not has_no_babel("ModuleNotFoundError: No module named 'babel.own'")


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("AttributeError: module 'jinja2.ext' has no attribute 'with_'", "babel.cfg:2: extensions=jinja2.ext.with_: "),
        ("AttributeError: module 'jinja2.ext' has no attribute 'with_'", "delete jinja2.ext.with_ from that line"),
        ("AttributeError: module 'jinja2.ext' has no attribute 'Own'", "babel.cfg:4: own = jinja2.ext:Own: "),
        ("ModuleNotFoundError: No module named 'webassets'", "babel.cfg:3: # webassets.ext: "),
        ("ModuleNotFoundError: No module named 'webassets'", "environment, or take it out of that line"),
        ("ModuleNotFoundError: No module named 'gone'", "put gone into the site's environment"),
        ("ValueError: Unknown extraction method 'jinja2'", "babel.cfg:1: [jinja2: **.html]: "),
        ("ValueError: Unknown extraction method 'jinja2'", 'as in "jinja2 = jinja2.ext:babel_extract"'),
        ("extracting messages from a.html\nUnicodeDecodeError: x", "cannot be extracted from a.html: Unicode"),
        ("", "babel.cfg: messages cannot be extracted: no word was said"),
    ],
)
def test_a_diagnosis_names_the_line_and_the_cure(complaint: str, told: str) -> None:
    mapping = "[jinja2: **.html]\nextensions=jinja2.ext.with_\n# webassets.ext\nown = jinja2.ext:Own\n"
    assert told in diagnosis(Plan("babel.cfg"), mapping, complaint)
