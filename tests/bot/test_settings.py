"""The configuration file: what it means, and how each mistake is told."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.model import Addition, Allowance, Limits, Range, Source
from bot.settings import digest, load
from bot.settings.text import as_toml
from tests.support.settings import SOUND, loaded, with_lines, written

EXAMPLE = Path(__file__).parents[2] / "deploy" / "plusone.toml"


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(folder, text)
    message = str(caught.value)
    assert "\n" not in message
    assert caught.value.exit_code == 78
    return message.replace(str(folder), "")


def test_the_smallest_file_has_all_the_defaults(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    assert settings.cycle.quiet_period == timedelta(hours=3)
    assert settings.cycle.repairs == 3
    assert settings.gate.routes.floor == 0.3
    assert settings.gate.routes.login is None
    assert settings.sandbox.memory == 2 * 1024**3
    assert settings.notify.on == ("committed", "failed", "setup")
    assert settings.limits == Limits(12, 400, 200_000)
    assert settings.allowance() == Allowance(80, 3_000_000, 2.0, 2100.0)
    assert settings.model_names["validate"] == "claude-opus-5-5"


def test_the_example_that_ships_is_sound_and_says_the_defaults() -> None:
    settings = load(EXAMPLE)
    assert settings.additions == (
        Addition("article", {"articles": Range(1, 1)}),
        Addition("feature", {"url_map": Range(0, 2)}),
    )
    assert settings.sources[0] == Source(
        "articles", "python", "slug", object="lights.content:ARTICLES", page="/articles/{slug}"
    )
    assert [source.source for source in settings.sources] == ["python", "files", "data"]
    assert settings.sources[2].at == "harbours"
    assert settings.gate.tests.command[0] == "python"
    assert settings.gate.routes.login and settings.gate.routes.login.form["user"] == "keeper"


def test_every_default_that_the_example_shows_is_the_default(tmp_path: Path) -> None:
    shown = EXAMPLE.read_text().replace("\n# ", "\n").split("\n", 4)[4]
    assert load(written(tmp_path, shown)).budget == loaded(tmp_path).budget
    assert load(written(tmp_path, shown)).cycle.max_file_bytes == loaded(tmp_path).cycle.max_file_bytes
    assert load(written(tmp_path, shown)).timer == loaded(tmp_path).timer
    assert load(written(tmp_path, shown)).notify == loaded(tmp_path).notify
    assert load(written(tmp_path, shown)).sandbox == loaded(tmp_path).sandbox


def test_what_is_shown_reads_back_as_the_same(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    settings = load(written(tmp_path, EXAMPLE.read_text() + '\n[models.prices."a b"]\ninput = 1\noutput = 2.5\n'))
    again = loaded(tmp_path / "again", as_toml(settings.table()))
    assert again.table() == settings.table()
    assert digest(again) == digest(settings)


def test_relative_paths_mean_the_folder_of_the_file(tmp_path: Path) -> None:
    lines = ('checkout = "."', 'provide = ["instance/"]', 'python = "env/bin/python"', 'remote = "../bare.git"')
    settings = loaded(tmp_path, with_lines("site", *lines))
    assert settings.file == tmp_path / "plusone.toml"
    assert settings.checkout == tmp_path
    assert settings.provide == (("instance", tmp_path / "instance"),)
    assert settings.python == tmp_path / "env/bin/python"
    assert settings.remote == str(tmp_path.parent / "bare.git")
    credentials = loaded(tmp_path, with_lines("credentials", 'api_key_file = "key"', 'ssh_key = "/etc/key"'))
    assert credentials.api_key_file == tmp_path / "key"
    assert credentials.ssh_key == Path("/etc/key")
    assert credentials.token_file is None


def test_the_interpreters_link_is_kept(tmp_path: Path) -> None:
    (tmp_path / "python").symlink_to("/usr/bin/env")
    settings = loaded(tmp_path, with_lines("site", 'python = "python"'))
    assert settings.python == tmp_path / "python"
    assert settings.loading(("/opt",)).python == str(tmp_path / "python")
    assert settings.loading(("/opt",)).read == ("/opt",)


@pytest.mark.parametrize("remote", ["origin", "https://host/site.git", "ssh://git@host/site.git", "git@host:site.git"])
def test_names_and_addresses_of_remotes_stay_as_they_are(tmp_path: Path, remote: str) -> None:
    assert loaded(tmp_path, with_lines("site", f'remote = "{remote}"')).remote == remote


def test_no_cap_on_money_is_said_in_words(tmp_path: Path) -> None:
    settings = loaded(tmp_path, with_lines("budget", 'usd_per_cycle = "none"'))
    assert settings.allowance().usd is None
    assert 'usd_per_cycle = "none"' in as_toml(settings.table())


def test_prices_that_are_not_named_are_the_dearest(tmp_path: Path) -> None:
    lines = (
        "[models.prices]\nours = { input = 1.0, output = 2.0 }\ntheirs = { input = 1, output = 2, cache_read = 0 }\n"
    )
    prices = loaded(tmp_path, SOUND + lines).prices
    assert prices["ours"] == {"input": 1.0, "output": 2.0, "cache_read": 1.0, "cache_write": 2.0}
    assert prices["theirs"]["cache_read"] == 0.0


def test_the_digest_follows_values_and_not_the_places_of_credentials(tmp_path: Path) -> None:
    plain = digest(loaded(tmp_path))
    assert digest(loaded(tmp_path, with_lines("credentials", 'api_key_file = "key"'))) == plain
    assert digest(loaded(tmp_path, with_lines("cycle", "repairs = 3"))) == plain
    assert digest(loaded(tmp_path, with_lines("cycle", "repairs = 2"))) != plain


MISTAKES = [
    ("cycle", 'quiet_perod = "3h"', 'cycle.quiet_perod: unknown key; did you mean "quiet_period"?'),
    ("site", "floor = 0.5", "site.floor: unknown key; known here: name, remote"),
    ("site", 'quiet_period = "3h"', "site.quiet_period: unknown key; it belongs in [cycle]"),
    ("models", 'validat = "x"', 'models.validat: unknown key; did you mean "validate"?'),
    ("gate.routes", 'exampels = ["/x"]', 'gate.routes.exampels: unknown key; did you mean "examples"?'),
    ("gate.lint", "strict = true", "gate.lint.strict: unknown key; nothing can be set here"),
    ("cycle", 'quiet_period = "soon"', 'cycle.quiet_period: is not a duration: write it as "45s"'),
    ("cycle", 'quiet_period = "-3h"', "cycle.quiet_period: is not a duration"),
    ("cycle", "quiet_period = 3", "cycle.quiet_period: must be a duration in quotes"),
    ("cycle", "repairs = 6", "cycle.repairs: must be less than or equal to 5; it is 6"),
    ("cycle", "repairs = true", "cycle.repairs: must be a whole number; it is true"),
    ("cycle", 'max_files = "12"', 'cycle.max_files: must be a whole number; it is "12"'),
    ("cycle", "max_files = 0", "cycle.max_files: must be greater than or equal to 1"),
    ("cycle", 'protected = ["/etc/**"]', "cycle.protected #1: must be a relative path that stays inside"),
    ("cycle", 'protected = ["a", "b/../../c"]', "cycle.protected #2: must be a relative path that stays inside"),
    ("cycle", 'protected = "deploy"', "cycle.protected: must be a list in square brackets"),
    ("site", 'path = ["../src"]', "site.path #1: must be a relative path that stays inside"),
    ("site", "path = []", "site.path: may not be empty"),
    ("site", 'locales = ["en", "en"]', 'site.locales: names "en" twice'),
    ("site", 'locales = ["english!"]', "site.locales #1: is not a locale"),
    ("site", 'locale_by = "cookie"', 'site.locale_by: is not "accept-language", "prefix" or "query:NAME"'),
    ("site", 'branch = "-f"', "site.branch: is not the name of a branch"),
    ("site", 'remote = "ext::sh -c id"', "site.remote: must be the name of a remote"),
    ("site", 'remote = "http://host/x"', "site.remote: must be https, ssh or a local path, not http"),
    ("site", 'env = { "A B" = "c" }', "is not the name of an environment variable"),
    ("sandbox", 'mode = "none-i-accept-the-risk"', "sandbox: mode"),
    ("sandbox", 'outer = "vm"', "sandbox: outer belongs to mode"),
    ("sandbox", 'memory = "lots"', "sandbox.memory: is not a size"),
    ("sandbox", 'read = ["opt"]', "sandbox.read #1: must be an absolute path"),
    ("gate.routes", "floor = 1.5", "gate.routes.floor: must be less than or equal to 1"),
    ("gate.routes", "floor = nan", "gate.routes.floor: must be"),
    ("gate.routes", 'examples = ["search"]', "gate.routes.examples #1: must be a path of the site"),
    ("ledger", 'known = ["rss"]', "ledger.known #1: is not a key"),
    ("budget", "usd_per_cycle = -1", "budget.usd_per_cycle: must be greater than 0"),
    ("budget", 'usd_per_cycle = "some"', "budget.usd_per_cycle: must be a number"),
    ("notify", 'on = ["always"]', "notify.on #1: must be 'committed', 'reverted'"),
]


@pytest.mark.parametrize(("table", "line", "told"), MISTAKES, ids=[line for _, line, _ in MISTAKES])
def test_a_mistake_is_told_with_its_key_and_what_is_right(tmp_path: Path, table: str, line: str, told: str) -> None:
    message = refusal(tmp_path, with_lines(table, line))
    assert message.startswith("/plusone.toml: ")
    assert told in message


WRONG = [
    ('name = "harbour"', 'name = "../up"', "site.name: is not a safe folder name"),
    ('name = "harbour"', "", "site.name: is missing; add it"),
    ('app = "lights', 'ap = "lights', 'site.ap: unknown key; did you mean "app"? (and 1 more)'),
    ("lights.app:create_app", "rm -rf /", "site.app: is not an app as for `flask --app`"),
    ('["src/**"]', "[]", "cycle.allow: may not be empty"),
    ('["src/**"]', '["/srv/**"]', "cycle.allow #1: must be a relative path"),
    ('name = "articles"', 'name = "url_map"', 'registry #1.name: may not be "url_map"'),
    ('name = "articles"', 'name = "feature"', 'registry #1.name: may not be "feature"'),
    ('object = "lights.content:ARTICLES"\n', "", 'registry #1: source "python" needs object'),
    ('source = "python"', 'source = "files"', 'registry #1: source "files" needs glob'),
    ('source = "python"', 'source = "data"', 'registry #1: source "data" needs file'),
    ('source = "python"', 'source = "yaml"', "registry #1.source: must be 'python', 'files' or 'data'"),
    ('key = "slug"', 'key = "slug"\nat = "x"', 'registry #1: source "python" has no use for at'),
    ("lights.content:ARTICLES", "lights.content", "registry #1.object: is not a module and an attribute"),
    ("/articles/{slug}", "/articles/{id}", 'registry #1: page must hold the key in braces, as "{slug}"'),
    ("/articles/{slug}", "/articles/{slug}{", "registry #1: page must hold the key"),
    ("{ articles = 1 }", "{ artcles = 1 }", 'adds to "artcles", no registry; known: articles, url_map'),
    ("{ articles = 1 }", "{ articles = 0 }", 'addition "article" adds nothing'),
    ("{ articles = 1 }", '{ articles = "2..1" }', "addition #1.adds.articles: is not a count"),
    ("{ articles = 1 }", "{ articles = -1 }", "addition #1.adds.articles: is not a count"),
    ("{ articles = 1 }", "{ articles = true }", "addition #1.adds.articles: must be a whole number, or a range"),
    ("{ articles = 1 }", "{}", "addition #1.adds: may not be empty"),
]


@pytest.mark.parametrize(("old", "new", "told"), WRONG, ids=[told for _, _, told in WRONG])
def test_a_wrong_value_is_told_with_its_key(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in SOUND
    assert told in refusal(tmp_path, SOUND.replace(old, new))


def test_registries_and_kinds_stand_once(tmp_path: Path) -> None:
    registry, addition = SOUND[SOUND.index("[[registry]]") :].split("[[addition]]")
    assert 'names "articles" twice' in refusal(tmp_path, SOUND + registry)
    assert 'names "article" twice' in refusal(tmp_path, SOUND + "[[addition]]" + addition)


SECRET = "sk-ant-" + "x" * 20


@pytest.mark.parametrize(
    "text",
    [
        with_lines("credentials", f'api_key = "{SECRET}"'),
        with_lines("credentials", 'api_key = "plain-text-key"').replace("plain-text-key", "letters" + SECRET[-6:]),
        with_lines("site", f'env = {{ KEY = "{SECRET}" }}'),
        with_lines("notify", f'apprise = ["x", "{SECRET}"]'),
        with_lines("site", f'"{SECRET}" = 1'),
        with_lines("site", f'remote = "https://robot:{SECRET}@host/x"'),
        with_lines("site", 'remote = "https://robot:hunter2xxxxxx@host/x"'),
        with_lines("site", 'remote = "https://xxxxxx@host/x"'),
    ],
)
def test_a_secret_is_refused_and_never_shown_when_it_is_one(tmp_path: Path, text: str) -> None:
    message = refusal(tmp_path, text)
    assert "credential" in message
    assert "file" in message
    assert "xxxxxx" not in message


def test_a_login_for_the_sweep_may_hold_its_password(tmp_path: Path) -> None:
    line = 'login = { path = "/login", form = { user = "keeper", password = "lantern" } }'
    assert loaded(tmp_path, with_lines("gate.routes", line)).gate.routes.login is not None
    assert loaded(tmp_path, with_lines("site", 'env = { SECRET_KEY = "test" }')).site.env == {"SECRET_KEY": "test"}


def test_control_characters_are_refused_by_place_and_spelt_out(tmp_path: Path) -> None:
    assert "site.env.A: holds a control character" in refusal(tmp_path, with_lines("site", 'env = { A = "\\u0000" }'))
    message = refusal(tmp_path, with_lines("site", '"\\u202e\\nx" = 1'))
    assert "\\u202e" in message


def test_a_broken_file_is_told_with_its_line(tmp_path: Path) -> None:
    assert "is not TOML" in refusal(tmp_path, "[site\n")
    assert "at line 3" in refusal(tmp_path, "[site]\nname = 'a'\napp = \n")


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: no such file; name the configuration with --config"):
        load(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read: it is not a file"):
        load(tmp_path)
    with pytest.raises(ConfigError):
        load(tmp_path / "plusone\0.toml")
    (tmp_path / "plusone.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        load(tmp_path / "plusone.toml")
    (tmp_path / "plusone.toml").write_bytes(b"#" * (1024**2 + 1))
    with pytest.raises(ConfigError, match="larger than 1 MiB"):
        load(tmp_path / "plusone.toml")


@pytest.mark.parametrize("text", ["a = " + "[" * 20_000, ".".join(["a"] * 3_000) + " = 1", "a = " + "9" * 5000])
def test_a_monstrous_file_is_one_line_too(tmp_path: Path, text: str) -> None:
    assert len(refusal(tmp_path, text)) < 400


@pytest.mark.parametrize("good", ["daily", "00/4:00:00", "Mon..Fri *-*-* 04:30"])
def test_a_timer_follows_a_calendar_expression(tmp_path: Path, good: str) -> None:
    assert loaded(tmp_path, with_lines("timer", f'calendar = "{good}"')).timer.calendar == good


@pytest.mark.parametrize("bad", ["", "every now and then", "25:00", "*-13-*"])
def test_what_systemd_would_not_follow_is_refused(tmp_path: Path, bad: str) -> None:
    with pytest.raises(ConfigError, match="calendar"):
        loaded(tmp_path, with_lines("timer", f'calendar = "{bad}"'))
