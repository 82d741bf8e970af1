"""Real servers of git on this machine: sshd for a key, https for a token, each with one bare repository behind."""

from __future__ import annotations

import base64
import getpass
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support.traces import descendants

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")
BACKEND = Path("/usr/lib/git-core/git-http-backend")
SETTINGS = """
Port %(port)d
ListenAddress 127.0.0.1
HostKey %(folder)s/host
AuthorizedKeysFile %(folder)s/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
"""


@dataclass(frozen=True)
class Ssh:
    """Where it listens, the key that it takes, one that it does not, and the known hosts that name it or another."""

    url: str
    key: Path
    other: Path
    hosts: Path
    wrong: Path


@contextmanager
def sshd(folder: Path, bare: Path) -> Iterator[Ssh]:
    """The system's own sshd under our own settings, as whoever runs the tests."""
    for name in ("host", "user", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    port = _free()
    (folder / "sshd").write_text(SETTINGS % {"port": port, "folder": folder})
    for name, key in (("hosts", "host"), ("wrong", "other")):
        kind, text, *_ = (folder / f"{key}.pub").read_text().split()
        (folder / name).write_text(f"[127.0.0.1]:{port} {kind} {text}\n")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # it wants that folder before it lets go of its rights
    assert SSHD is not None
    with subprocess.Popen([SSHD, "-D", "-e", "-f", str(folder / "sshd")], stderr=subprocess.PIPE) as server:
        _listening(port)
        url = f"ssh://{getpass.getuser()}@127.0.0.1:{port}{bare}"
        yield Ssh(url, folder / "user", folder / "other", folder / "hosts", folder / "wrong")
        server.terminate()


@dataclass
class Https:
    """Where it listens, its certificate, and what was seen: who asked, and the children that could tell the token."""

    token: str
    url: str = ""
    certificate: Path = Path()
    users: list[str] = field(default_factory=list)
    telling: list[str] = field(default_factory=list)


@contextmanager
def https(folder: Path, bare: Path, token: str) -> Iterator[Https]:
    """Git's own backend behind a server with a certificate of its own, for whoever knows the token."""
    here = Https(token, certificate=folder / "certificate.pem")
    _certify(folder)

    class Backend(_Backend):
        seen, root = here, bare

    server = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(here.certificate, folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    here.url = f"https://127.0.0.1:{server.server_port}/{bare.name}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Backend(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: Https
    root: Path

    def do_GET(self) -> None:
        kind, _, given = self.headers.get("authorization", "").partition(" ")
        user, _, password = base64.b64decode(given).decode().partition(":")
        self.seen.users.append(user)
        self.seen.telling += [told for pid in descendants(os.getpid()) for told in _telling(pid, self.seen.token)]
        body = self._body()
        if (kind, password) == ("Basic", self.seen.token):
            self._answer(*_asked(self._variables(), body))
        else:
            self._answer(401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")

    def do_POST(self) -> None:
        self.do_GET()

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _variables(self) -> Mapping[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "GIT_PROJECT_ROOT": str(self.root.parent), "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": "somebody",
            "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "PATH": "/usr/bin:/bin",
            "CONTENT_TYPE": self.headers.get("content-type", ""), "HOME": "/nonexistent",
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""), "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        }  # fmt: skip

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads that."""


def _asked(variables: Mapping[str, str], body: bytes) -> tuple[int, Mapping[str, str], bytes]:
    given = {**variables, "CONTENT_LENGTH": str(len(body))}
    done = subprocess.run([str(BACKEND)], env=given, input=body, capture_output=True, check=True)
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
    return int(headers.pop("Status", "200").split()[0]), headers, content


def _telling(pid: int, token: str) -> Iterator[str]:
    for name in ("environ", "cmdline"):
        with suppress(OSError):
            if token.encode() in Path(f"/proc/{pid}/{name}").read_bytes():
                yield f"{name} of a child"


def _certify(folder: Path) -> None:
    assert OPENSSL is not None
    wanted = ("-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes")
    places = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem"))
    command = [OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", *wanted, *places]
    subprocess.run(command, check=True, capture_output=True)


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def _listening(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise AssertionError("sshd does not listen")
