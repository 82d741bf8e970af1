"""Runs inside the sandbox, stand-alone: tries what must fail, and prints as JSON how each attempt ended."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import glob
import json
import os
import platform
import socket
import sys
from collections.abc import Callable

Results = dict[str, str]
LIBC = ctypes.CDLL(None, use_errno=True)


def ended(attempt: Callable[..., object], *arguments: object) -> str:
    try:
        attempt(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
    return "done"


def call(number: int, *arguments: int) -> str:
    result = LIBC.syscall(number, *[ctypes.c_long(one) for one in arguments])
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def write(path: str) -> None:
    with open(path, "w") as file:
        file.write("x")


def append(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))


def connect(family: int, address: object) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(2)
        one.connect(address)  # type: ignore[arg-type]


def files(canary: str) -> Results:
    paths = [canary, "/etc/shadow", "/root/.bashrc", "/root/.ssh", "/run", "/sys", "/var", "/etc/hostname"]
    paths += [os.path.join(os.path.dirname(canary), ".ssh", "id_ed25519"), "/proc/1/root" + canary]
    return {path: ended(os.stat, path) for path in paths}


def writes() -> Results:
    return {path: ended(write, path) for path in ["/w/new", "/new", "/usr/new", "/etc/new", "/etc/passwd", "/tmp/new"]}


def repository() -> Results:
    return {
        "write": ended(write, "/w/.git/config"),
        "folder": ended(os.mkdir, "/w/.git/hooks"),
        "rename": ended(os.rename, "/w/.git", "/w/other"),
        "remove": ended(os.rmdir, "/w/.git"),
        "unlink": ended(os.unlink, "/w/.git"),
        "replace": ended(os.mkdir, "/w/.git"),
    }


def network(port: int, abstract: str) -> dict[str, object]:
    return {
        "host": ended(connect, socket.AF_INET, ("127.0.0.1", port)),
        "outside": ended(connect, socket.AF_INET, ("192.0.2.1", 80)),
        "names": ended(socket.getaddrinfo, "example.org", 80),
        "abstract": ended(connect, socket.AF_UNIX, "\0" + abstract),
        "vsock": ended(socket.socket, 40, socket.SOCK_STREAM),
        "packet": ended(socket.socket, 17, socket.SOCK_RAW),
        "pair": ended(socket.socketpair),
        "interfaces": [name for _, name in socket.if_nameindex()],
    }


def processes(outside: int) -> dict[str, object]:
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    environments = b""
    for path in glob.glob("/proc/*/environ"):
        with open(path, "rb") as file:
            environments += file.read()
    return {"kill": ended(os.kill, outside, 0), "count": len(seen), "environments": environments.decode("latin-1")}


NUMBERS = {
    "x86_64": {
        "unshare": 272,
        "mount": 165,
        "umount": 166,
        "setns": 308,
        "ptrace": 101,
        "bpf": 321,
        "keyctl": 250,
        "clone": 56,
        "userfaultfd": 323,
        "perf": 298,
        "personality": 135,
    },
    "aarch64": {
        "unshare": 97,
        "mount": 40,
        "umount": 39,
        "setns": 268,
        "ptrace": 117,
        "bpf": 280,
        "keyctl": 219,
        "clone": 220,
        "userfaultfd": 282,
        "perf": 241,
        "personality": 92,
    },
}
EVERYWHERE = {"clone3": 435, "io_uring": 425, "pidfd_getfd": 438, "open_tree": 428}


def calls() -> Results:
    first = {"unshare": 0x10000000, "clone": 0x10000011}
    numbers = {**NUMBERS[platform.machine()], **EVERYWHERE}
    return {name: call(number, first.get(name, 0), 0, 0, 0, 0) for name, number in numbers.items()}


def kernel() -> Results:
    return {
        "core_pattern": ended(append, "/proc/sys/kernel/core_pattern"),
        "swappiness": ended(append, "/proc/sys/vm/swappiness"),
        "init": ended(append, "/proc/1/exe"),
        "sysrq": ended(append, "/proc/sysrq-trigger"),
    }


def terminal() -> Results:
    return {
        "type": ended(fcntl.ioctl, 0, 0x5412, b"x"),
        "type_high": ended(fcntl.ioctl, 0, 0x541C, b"x"),
        "open": ended(os.open, "/dev/tty", os.O_RDWR),
    }


def status() -> Results:
    with open("/proc/self/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def descriptors() -> list[str]:
    seen = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the one that listed them
            seen.append("{}:{}".format(name, os.readlink("/proc/self/fd/" + name)))
    return seen


def main(canary: str, port: str, abstract: str, outside: str) -> None:
    seen: dict[str, object] = {"fds": descriptors(), "first": os.listdir("/proc/1/fd")}
    seen.update(user=os.getuid(), owner=os.stat("/usr").st_uid)
    seen.update(files=files(canary), writes=writes(), repository=repository(), status=status(), calls=calls())
    seen.update(network=network(int(port), abstract), processes=processes(int(outside)), kernel=kernel())
    print(json.dumps(dict(seen, terminal=terminal())))


main(*sys.argv[1:])
