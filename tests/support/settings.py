"""Configuration files for tests: the smallest sound one, with lines put in and taken out."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings, load

SOUND = """\
[site]
name = "harbour"
app = "lights.app:create_app"

[cycle]
allow = ["src/**"]

[[registry]]
name = "articles"
source = "python"
object = "lights.content:ARTICLES"
key = "slug"
page = "/articles/{slug}"

[[addition]]
kind = "article"
adds = { articles = 1 }
"""


def with_lines(table: str, *lines: str) -> str:
    """The sound file with lines put at the top of a table, which is made at the end where it is not there yet."""
    heading, block = f"[{table}]\n", "\n".join(lines) + "\n"
    return SOUND.replace(heading, heading + block) if heading in SOUND else f"{SOUND}\n{heading}{block}"


def written(folder: Path, text: str = SOUND) -> Path:
    """The text as `plusone.toml` in a folder."""
    path = folder / "plusone.toml"
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, text: str = SOUND) -> Settings:
    """The settings of a text."""
    return load(written(folder, text))
