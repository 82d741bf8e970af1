"""Which Python names reach further than one small addition needs, and what they are called in an objection."""

from __future__ import annotations

import re

HOOK = "a hook on every request"
PROCESS = "looking around in the process"
MODULE = "a module that reaches out of the site"
PATCH = "another value for something of the framework"
CODE = "running text as code"
SYSTEM = "the operating system"
FILES = "changing files"
ERRAND = "work or talk beyond the request"
MOCK = "a tool of tests"
PLACE = "a visitor's word taken for a place"
VISITOR = "telling visitors apart"
SAFE = "an unescaped value"
ESCAPING = "escaping switched off"
MARKUP = "Markup"
SETTINGS = "reading the configuration"
ACCEPT = {
    HOOK: "a view of its own; requests and errors are handled as base handles them",
    PROCESS: "values that are passed in or imported",
    PATCH: "views and values of the site's own; the framework stays as it was installed",
    MODULE: "what Flask and the site itself offer",
    CODE: "code that is written out, and templates in files",
    SYSTEM: "what Flask and the site itself offer",
    ERRAND: "an answer that the view makes by itself, from what the site has",
    PLACE: "a place that the site knows, looked up by what the visitor sent; `url_for` for pages",
    VISITOR: "the same page for whoever asks; what differs is passed by the view",
    MOCK: "the site as it is; tests lie in a folder of their own",
    FILES: "values that the site keeps as it keeps the others",
    SAFE: "values that the template escapes",
    ESCAPING: "values that the template escapes",
    MARKUP: "text that the template escapes",
    SETTINGS: "values that the view passes",
}
TESTING = frozenset({FILES, ERRAND, MOCK})  # what tests do in folders of their own
OVERRIDES = frozenset({"handle_exception", "handle_user_exception", "wsgi_app", "full_dispatch_request"})
_ATTRIBUTES = {
    HOOK: r"(?:app_)?errorhandler|register_error_handler|error_handler_spec|handle_(?:user_)?exception|wsgi_app"
    r"|(?:before|after|teardown)_(?:app_|first_)?request(?:_funcs)?|teardown_appcontext(?:_funcs)?"
    r"|(?:app_)?url_value_preprocessors?|got_request_exception"
    r"|view_functions|url_default_functions|url_build_error_handlers|(?:request|response)_class",
    PROCESS: r"_getframe|_current_frames|currentframe|f_(?:back|globals|locals|builtins)|tb_(?:frame|next)|_exit"
    r"|(?:gi|cr|ag)_frame|get_objects|get_referr?ers|get_referents|settrace|setprofile"
    r"|__(?:subclasses|globals|builtins|code|closure|mro|bases)__",
    ESCAPING: r"autoescape|select_jinja_autoescape",
    FILES: r"rmtree|unlink|rmdir|write_text|write_bytes|symlink_to|hardlink_to",
    SETTINGS: r"secret_key",
}
_MODULES = {
    MODULE: r"subprocess|_?socket|_?ctypes|multiprocessing|pty|gc|builtins|runpy|signal|marshal|pickle|shelve|cffi"
    r"|_posixsubprocess|posix",
    ERRAND: r"socketserver|selectors|_thread|sched|urllib\.request|http\.(?:client|server)|xmlrpc|webbrowser"
    r"|smtplib|ftplib|imaplib|poplib|nntplib|telnetlib|requests|urllib3|httpx2?|aiohttp|pycurl|paramiko",
    MOCK: r"unittest\.mock|mock",
}
_PATHS = {
    CODE: r"exec|eval|__import__|__builtins__|breakpoint|builtins\.\w+|importlib\.(?:import_module|reload)"
    r"|importlib\.(?:util|machinery)\.\w+|(?:flask\.(?:templating\.)?)?(?:render|stream)_template_string",
    SYSTEM: r"os\.(?:_exit|abort|system|popen|kill|killpg|fork|forkpty|exec\w+|spawn\w+|posix_spawn\w*|environb?"
    r"|getenvb?|putenv|unsetenv|p?writev?|dup2?|close(?:range)?|sendfile|\*)",
    PROCESS: r"sys\.(?:modules|meta_path|path_hooks)|inspect\.(?:stack|trace)",
    FILES: r"os\.(?:remove|unlink|rmdir|removedirs|renames?|replace|truncate|chmod|chown|symlink|link|mkfifo)"
    r"|shutil\.(?:rmtree|move|copy\w*|chown|make_archive|unpack_archive)|(?:pathlib\.)?Path\.(?:unlink|rmdir|write_\w+)",
    ERRAND: r"(?:urllib\.request|http\.(?:client|server))\.\w+|threading\.(?:Thread|Timer|_start_new_thread)"
    r"|concurrent\.futures\.\w*Executor|atexit\.register",
    MARKUP: r"(?:(?:markupsafe|flask|jinja2(?:\.utils)?)\.)?Markup",
}
_DISPATCHING = OVERRIDES | {"dispatch_request", "preprocess_request", "process_response", "finalize_request"}
_PATCHED = re.compile(r"(?:flask|werkzeug|jinja2|click|itsdangerous)\.(?!(?:g|session|request)\.)[\w.]+")
_SECRET = re.compile(r"(?i)secret|passw|token|credential|private|api_?key|dsn|database_ur[il]|salt")
_WRITES = re.compile(r"[rbt]*[wax+][rbt+]*")
_INNARDS = re.compile(r"/(?:proc(?:/\S*)?|dev/(?:fd|std)\S*)")


def module(name: str) -> str:
    """What importing the module is; empty where it is nothing."""
    parts = name.split(".")
    above = (_kind(_MODULES, ".".join(parts[:end])) for end in range(1, len(parts) + 1))
    return next(filter(None, above), "")


def attribute(name: str) -> str:
    """What an attribute of that name is, whatever it is an attribute of."""
    return _kind(_ATTRIBUTES, name)


def path(name: str) -> str:
    """What a name with its owners is, as `os.environ`."""
    return _kind(_PATHS, name)


def patched(name: str) -> str:
    """What giving that name another value is: a view needs `g`, `session` and `request`, and nothing else of Flask."""
    return PATCH if _PATCHED.fullmatch(name) or name.rpartition(".")[2] in _DISPATCHING else ""


def framework(name: str) -> str:
    """What giving an attribute to the thing of that name is, whatever the attribute is called."""
    return patched(f"{name}.anything") if name else ""


def text(value: str) -> str:
    """What a text is that is a path into the process itself."""
    return PROCESS if _INNARDS.fullmatch(value) else ""


def secret(key: str) -> str:
    """What reading the setting of that name is."""
    return SETTINGS if _SECRET.search(key) else ""


def mode(value: str) -> str:
    """What opening a file in that mode is."""
    return FILES if _WRITES.fullmatch(value) else ""


def _kind(shapes: dict[str, str], name: str) -> str:
    return next((kind for kind, shape in shapes.items() if name and re.fullmatch(shape, name)), "")
