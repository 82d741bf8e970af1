"""The filter of system calls: a small BPF program, written out in Python, that bubblewrap loads."""

from __future__ import annotations

import errno
import struct

from bot.errors import NoSandbox
from bot.frozen import frozen

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, MACHINE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24

NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* flag that clone() takes
FAMILIES = (1, 2, 10, 16)  # unix, inet, inet6, netlink
TYPING = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: pretend that the terminal typed it
X32 = 0x40000000

SHARED = {   # numbers that are the same on every machine
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438,
    "mount_setattr": 442, "quotactl_fd": 443, "open_tree_attr": 467,
}  # fmt: skip


@frozen
class Machine:
    """One kind of processor: its audit number, the calls that are looked into, the calls that are refused."""

    audit: int
    clone: int
    clone3: int
    ioctl: int
    socket: int
    refused: tuple[int, ...]
    x32: bool = False


MACHINES = {
    "x86_64": Machine(
        audit=0xC000003E, clone=56, clone3=435, ioctl=16, socket=41, x32=True,
        refused=(
            101, 310, 311, 312,   # ptrace, process_vm_readv, process_vm_writev, kcmp
            248, 249, 250,   # add_key, request_key, keyctl
            321, 298, 323, 300,   # bpf, perf_event_open, userfaultfd, fanotify_init
            165, 166, 155, 161,   # mount, umount2, pivot_root, chroot
            308, 272, 303, 304,   # setns, unshare, name_to_handle_at, open_by_handle_at
            246, 320, 175, 313, 176,   # kexec_load, kexec_file_load, init_module, finit_module, delete_module
            135, 103, 163, 179,   # personality, syslog, acct, quotactl
            167, 168, 169, 172, 173, 154,   # swapon, swapoff, reboot, iopl, ioperm, modify_ldt
            164, 227, 305, 212, 134,   # settimeofday, clock_settime, clock_adjtime, lookup_dcookie, uselib
            *SHARED.values(),
        ),
    ),
    "aarch64": Machine(
        audit=0xC00000B7, clone=220, clone3=435, ioctl=29, socket=198,
        refused=(
            117, 270, 271, 272,   # ptrace, process_vm_readv, process_vm_writev, kcmp
            217, 218, 219,   # add_key, request_key, keyctl
            280, 241, 282, 262,   # bpf, perf_event_open, userfaultfd, fanotify_init
            40, 39, 41, 51,   # mount, umount2, pivot_root, chroot
            268, 97, 264, 265,   # setns, unshare, name_to_handle_at, open_by_handle_at
            104, 294, 105, 273, 106,   # kexec_load, kexec_file_load, init_module, finit_module, delete_module
            92, 116, 89, 60,   # personality, syslog, acct, quotactl
            224, 225, 142,   # swapon, swapoff, reboot
            170, 112, 266, 18,   # settimeofday, clock_settime, clock_adjtime, lookup_dcookie
            *SHARED.values(),
        ),
    ),
}  # fmt: skip


def program(machine: str) -> bytes:
    """The filter for that kind of machine. Raises NoSandbox where we have no table for it."""
    known = MACHINES.get(machine)
    if known is None:
        raise NoSandbox(f"sandbox: no system call table for {machine}; run Plusone on {' or '.join(sorted(MACHINES))}")
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, known.audit), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    if known.x32:
        lines += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, REFUSE)]
    lines += [(EQUAL, 0, 1, known.clone3), (RETURN, 0, 0, ABSENT)]  # so that clone() is used
    lines += _look(known.clone, FIRST_ARGUMENT, [(ANY_BIT, 0, 1, NEW_NAMESPACES)], REFUSE, ALLOW)
    lines += _look(known.ioctl, SECOND_ARGUMENT, _any(TYPING), REFUSE, ALLOW)
    lines += _look(known.socket, FIRST_ARGUMENT, _any(FAMILIES), ALLOW, REFUSE)
    for number in known.refused:
        lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    lines += [(RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


Line = tuple[int, int, int, int]


def _any(values: tuple[int, ...]) -> list[Line]:
    """Falls through to the next line when the loaded word is one of the values, else skips that line."""
    last = len(values) - 1
    return [(EQUAL, last - at, 1 if at == last else 0, value) for at, value in enumerate(values)]


def _look(call: int, argument: int, test: list[Line], hit: int, miss: int) -> list[Line]:
    """Decide a call by the low half of one argument (the kernel reads no more of it)."""
    body = [(LOAD, 0, 0, argument), *test, (RETURN, 0, 0, hit), (RETURN, 0, 0, miss)]
    return [(EQUAL, 0, len(body), call), *body]
