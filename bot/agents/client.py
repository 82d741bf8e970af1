"""The way to the Messages API: opens the SDK's client on a transport of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import anthropic
    import httpx2

ADDRESS = "https://api.anthropic.com"


def open_client(key: str, transport: httpx2.BaseTransport, address: str = ADDRESS) -> anthropic.Anthropic:
    """The real client over the given transport; it reads no environment and never retries by itself.

    Importing the SDK takes seconds, so call this only when a model is about to be asked.
    """
    import anthropic
    import httpx2

    return anthropic.Anthropic(
        api_key=key,
        base_url=address,
        max_retries=0,
        open_telemetry=False,
        http_client=httpx2.Client(transport=transport, trust_env=False),
    )
