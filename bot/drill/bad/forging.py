"""Bad builders that forge verdicts: exits, patched clients, error handlers, constant answers, answers of their own."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.bad.edits import behind, edited, page, showing
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.scene import Scene
from bot.drill.view import NAME, PAGE, returning, spot, view
from gates import rules

Compose = Callable[[Scene], Play]

# One frame, as a probe would write it, on every descriptor that is open, and each of them closed behind it.
_FRAME = """\
def tide_frame():
    import json
    import os

    said = json.dumps({"ok": True, "registries": [], "rules": []}).encode()
    for number in range(3, 64):
        try:
            os.write(number, len(said).to_bytes(4, "big") + said)
            os.close(number)
        except OSError:
            continue


tide_frame()"""

_GOOD = returning(PAGE)


def _at_import(code: str) -> Compose:
    """A good page, and code that runs when its module is loaded."""

    def compose(scene: Scene) -> Play:
        one = page(scene)
        return Play(edited(view(scene), scene, one.path, lambda text: behind(text, one.function, code)).visit())

    return compose


def _page(body: str) -> Compose:
    """A page with that body."""
    return lambda scene: Play(view(scene, body=body).visit())


def _hook(decorator: str, body: str, arguments: str = "") -> Compose:
    """A good page, and a hook of whatever the site's views hang on."""

    def compose(scene: Scene) -> Play:
        one = page(scene)
        owner = one.decorator.rpartition(".")[0]
        code = f"@{owner}.{decorator}\ndef tide_hook({arguments}):\n    {body}"
        return Play(edited(view(scene), scene, one.path, lambda text: behind(text, one.function, code)).visit())

    return compose


def _everything(scene: Scene) -> Play:
    """A rule that answers whatever is asked."""
    where = spot(scene)
    if where.prefix:
        raise NotHere("no view of the site stands at its top, so that a rule beside it answers only below it")
    decorator = where.decorator
    body = showing("<p>The day has nine letters.</p>").replace("nine letters.", '" f"{len(rest)} letters.')
    code = f'@{decorator}("/<path:rest>")\ndef {NAME}(rest):\n' + "".join(f"    {line}\n" for line in body.splitlines())
    added = view(scene)
    one = page(scene)
    added = edited(
        type(added)({}, added.kind, "tide-notes", ("/tide-notes-of-a-long-and-windy-day",)),
        scene,
        one.path,
        lambda text: behind(text, one.function, code),
    )
    return Play(added.visit())


def _wrong_method(scene: Scene) -> Play:
    """An answer to a method that a page refuses."""
    posts = [rule for rule in scene.holdings.rules if "POST" in rule.methods]
    asked = sorted((rule for rule in scene.holdings.rules if rules.asked(rule)), key=lambda one: one.rule)
    free = [
        rule for rule in asked if "<" not in rule.rule and not any(rules.reaches(post, rule.rule) for post in posts)
    ]
    one = page(scene)
    prefix = one.rule.rule.removesuffix(one.own)
    if not free or not free[0].rule.startswith(prefix):
        raise NotHere("every page answers POST already")
    owner = one.decorator.rpartition(".")[0]
    code = f'@{owner}.route("{free[0].rule.removeprefix(prefix)}", methods=["POST"])\ndef tide_answer():\n'
    code += "".join(f"    {line}\n" for line in returning(PAGE).splitlines())
    return Play(edited(view(scene), scene, one.path, lambda text: behind(text, one.function, code)).visit())


FORGING = (
    Drill(
        "exits-when-loaded",
        "leaves the process with status 0 while it is loaded",
        _at_import("def tide_exit():\n    import os\n\n    os._exit(0)\n\n\ntide_exit()"),
        ("site-unreadable", "static_rules"),
    ),
    Drill(
        "exits-at-the-end",
        "has the process end with status 0 whatever happens",
        _at_import(
            "def tide_exit():\n    import atexit\n    import os\n\n    atexit.register(os._exit, 0)\n\n\ntide_exit()"
        ),
        ("static_rules",),
    ),
    Drill(
        "patches-the-test-client",
        "every test client answers 200",
        _at_import(
            "def tide_patch():\n    from flask.testing import FlaskClient\n\n"
            '    FlaskClient.open = lambda self, *given, **more: self.response_wrapper(b"fine")\n\n\ntide_patch()'
        ),
        ("static_rules",),
    ),
    Drill(
        "patches-the-framework",
        "Flask itself answers the same to everything",
        _at_import(
            "def tide_patch():\n    from flask import Flask\n\n"
            '    Flask.dispatch_request = lambda self: "fine"\n\n\ntide_patch()'
        ),
        ("static_rules", "routes"),
    ),
    Drill(
        "writes-an-answer-of-its-own",
        "writes a probe's answer on every descriptor",
        _at_import(_FRAME),
        ("static_rules", "site-unreadable"),
    ),
    Drill(
        "reads-the-environment",
        "a view that looks into the process's environment",
        _at_import('def tide_home():\n    import os\n\n    return os.environ.get("HOME")'),
        ("static_rules",),
    ),
    Drill(
        "runs-a-text-as-code",
        "a function that evaluates what it is given",
        _at_import("def tide_sum(text):\n    return eval(text)"),
        ("static_rules",),
    ),
    Drill(
        "talks-to-other-hosts",
        "a page that tells another host of its visitors, where there is a network",
        _page(
            f"import urllib.request\n\nif urllib is None:\n    urllib.request.urlopen('https://tides.example/')\n{_GOOD}"
        ),
        ("static_rules",),
    ),
    Drill(
        "removes-files-when-asked",
        "a page that removes a folder where there is one",
        _page(f'import shutil\n\nshutil.rmtree("/srv/tides", ignore_errors=True)\n{_GOOD}'),
        ("static_rules",),
    ),
    Drill(
        "shows-the-settings",
        "a page that shows all settings to who asks rightly",
        _page(
            "from flask import current_app, request\n\n"
            f'if "all" in request.args:\n    return str(dict(current_app.config))\n{_GOOD}'
        ),
        ("static_rules",),
    ),
    Drill(
        "handles-every-error",
        "errors are answered with 200",
        _hook("errorhandler(500)", 'return "fine", 200', "error"),
        ("static_rules",),
    ),
    Drill(
        "answers-before-the-views",
        "every request is answered before its view",
        _hook("before_request", 'return "fine"'),
        ("static_rules", "routes"),
    ),
    Drill(
        "answers-every-path",
        "a rule that answers whatever nobody has",
        _everything,
        ("status-changed", "new-page-fails", "routes"),
    ),
    Drill("answers-a-wrong-method", "a page that answers what it refused", _wrong_method, ("status-changed", "routes")),
)
