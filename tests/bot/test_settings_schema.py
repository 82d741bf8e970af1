"""The JSON Schema of the configuration says what `load` does."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.settings import schema
from tests.support.settings import SOUND

EXAMPLE = Path(__file__).parents[2] / "deploy" / "plusone.toml"


def resolved(node: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """The schema that a reference means; of several forms, the one that holds a table."""
    if "$ref" in node:
        return resolved(whole["$defs"][node["$ref"].rsplit("/", 1)[1]], whole)
    forms = [resolved(one, whole) for one in node.get("anyOf", ())]
    return next((one for one in forms if "properties" in one), node)


def unknown(table: dict[str, Any], node: dict[str, Any], whole: dict[str, Any], at: str = "") -> Iterator[str]:
    """Every key of the table that the schema does not name."""
    node = resolved(node, whole)
    for key, value in table.items():
        found = node.get("properties", {}).get(key, node.get("additionalProperties"))
        if not isinstance(found, dict):
            yield f"{at}{key}"
            continue
        found = resolved(found, whole)
        rows = value if isinstance(value, list) else [value]
        for row in (row for row in rows if isinstance(row, dict)):
            yield from unknown(row, resolved(found.get("items", found), whole), whole, f"{at}{key}.")


def test_every_key_of_the_example_is_in_the_schema() -> None:
    whole = schema()
    table = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert list(unknown(table, whole, whole)) == []


def test_a_key_that_load_refuses_is_not_in_the_schema() -> None:
    whole = schema()
    assert list(unknown(tomllib.loads(SOUND + "\n[budget]\nusd = 1\n"), whole, whole)) == ["budget.usd"]


def test_what_is_spelt_as_text_has_a_pattern_that_its_default_keeps() -> None:
    cycle = schema()["$defs"]["Cycle"]["properties"]  # type: ignore[index]
    quiet = cycle["quiet_period"]
    assert quiet["default"] == "3h"
    for good in ("3h", "90min", "1h30min"):
        assert re.search(quiet["pattern"], good)
    for bad in ("3", "h", "3 hours"):
        assert not re.search(quiet["pattern"], bad)


def test_the_schema_is_plain_json_and_names_its_draft() -> None:
    whole = json.loads(json.dumps(schema()))
    assert whole["$schema"].endswith("2020-12/schema")
    assert set(whole["required"]) == {"site", "cycle", "addition"}
