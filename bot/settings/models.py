"""The tables about money, machines and messages: models, budget, sandbox, state, credentials, timer, page, notify."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from bot.settings.values import Absolute, Calendar, Count, Duration, Money, Size, Table, Text

Usd = Annotated[float, Field(ge=0, le=1e6)]
Happening = Literal["committed", "reverted", "skipped", "waiting", "failed", "setup"]


class Price(Table):
    """US dollars per million tokens. Cache prices that are not named are the dearest usual ones."""

    input: Usd
    output: Usd
    cache_read: Usd | None = None
    cache_write: Usd | None = None

    @property
    def table(self) -> dict[str, float]:
        """All four prices: `cache_read` is `input` and `cache_write` twice `input` where they are not named."""
        read = self.input if self.cache_read is None else self.cache_read
        write = 2 * self.input if self.cache_write is None else self.cache_write
        return {"input": self.input, "output": self.output, "cache_read": read, "cache_write": write}


class Models(Table):
    """`[models]`: which model speaks in which node, and prices that the price table does not know."""

    build: Text = "claude-sonnet-5-5"
    validate_: Text = Field(default="claude-opus-5-5", alias="validate")
    fix: Text = "claude-sonnet-5-5"
    web_search: bool = False
    prices: dict[Text, Price] = Field(default_factory=dict)


class Budget(Table):
    """`[budget]`: the governors. Money is in US dollars; `"none"` takes a cap on money away."""

    usd_per_cycle: Money = 2.0
    usd_per_day: Money = 8.0
    tokens_per_cycle: Count = 3_000_000
    tokens_per_day: Count = 12_000_000
    model_calls: Count = 80
    model_calls_per_day: Count = 320
    minutes: Annotated[int, Field(ge=1, le=1440)] = 35
    failures: Annotated[int, Field(ge=1, le=1000)] = 3


class Sandbox(Table):
    """`[sandbox]`: where untrusted code runs."""

    mode: Literal["auto", "none-i-accept-the-risk"] = "auto"
    outer: Literal["vm", "container"] | None = None
    user: Text = "auto"
    memory: Size = 2 * 1024**3
    read: tuple[Absolute, ...] = ()

    @model_validator(mode="after")
    def _going_without_names_what_holds_instead(self) -> Self:
        if self.mode != "auto" and self.outer is None:
            raise ValueError('mode "none-i-accept-the-risk" also needs outer = "vm" or outer = "container"')
        if self.mode == "auto" and self.outer is not None:
            raise ValueError('outer belongs to mode = "none-i-accept-the-risk"; take it away')
        return self


class State(Table):
    """`[state]`: where the records lie, and for how many days."""

    dir: str = ""
    keep_days: Annotated[int, Field(ge=1, le=36_500)] = 90


class Credentials(Table):
    """`[credentials]`: the files that hold secrets; never a secret itself."""

    api_key_file: str = ""
    ssh_key: str = ""
    known_hosts: str = ""
    token_file: str = ""


class Timer(Table):
    """`[timer]`: when systemd fires."""

    calendar: Calendar = "00/4:00:00"
    jitter: Duration = timedelta(minutes=15)


class Page(Table):
    """`[page]`: the status page, and the folder in which it is written as files after each cycle."""

    pictures: Literal["auto", "never"] = "auto"
    folder: str = ""


class Notify(Table):
    """`[notify]`: who hears of an ending."""

    healthchecks: str = ""
    webhook: str = ""
    apprise: tuple[Text, ...] = ()
    on: tuple[Happening, ...] = ("committed", "failed", "setup")
