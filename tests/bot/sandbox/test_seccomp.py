from __future__ import annotations

import struct

import pytest

from bot.errors import NoSandbox
from bot.sandbox.seccomp import ABSENT, ALLOW, KILL, MACHINES, REFUSE, program

READ, CLONE, IOCTL, SOCKET, PTRACE = 0, 1, 2, 3, 4
NUMBERS = {"x86_64": (0, 56, 16, 41, 101), "aarch64": (63, 220, 29, 198, 117)}
MACHINE = pytest.mark.parametrize("machine", sorted(MACHINES))


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the kernel would decide: the program, run by hand."""
    audit = MACHINES[machine].audit if audit is None else audit
    data = struct.pack("=IIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    lines = list(struct.iter_unpack("=HBBI", program(machine)))
    word = at = 0
    while True:
        code, yes, no, value = lines[at]
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (word,) = struct.unpack_from("=I", data, value)
            at += 1
        else:
            holds = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[code]
            at += 1 + (yes if holds else no)


@MACHINE
def test_ordinary_calls_are_allowed(machine: str) -> None:
    assert verdict(machine, NUMBERS[machine][READ], 0, 0, 0) == ALLOW


@MACHINE
def test_another_machines_calls_kill(machine: str) -> None:
    assert verdict(machine, NUMBERS[machine][READ], audit=0x40000003) == KILL


@MACHINE
def test_every_listed_call_is_refused(machine: str) -> None:
    assert NUMBERS[machine][PTRACE] in MACHINES[machine].refused
    assert {verdict(machine, number) for number in MACHINES[machine].refused} == {REFUSE}


@MACHINE
@pytest.mark.parametrize("flag", [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
def test_a_process_in_a_new_namespace_is_refused_and_a_plain_one_is_not(machine: str, flag: int) -> None:
    clone = NUMBERS[machine][CLONE]
    assert verdict(machine, clone, flag | 17) == REFUSE
    assert verdict(machine, clone, 0x3D0F00) == ALLOW  # a thread
    assert verdict(machine, 435) == ABSENT


@MACHINE
def test_typing_into_a_terminal_is_refused_whatever_the_high_half_says(machine: str) -> None:
    ioctl = NUMBERS[machine][IOCTL]
    assert verdict(machine, ioctl, 0, 0x5412) == verdict(machine, ioctl, 0, 0x7700005412) == REFUSE
    assert verdict(machine, ioctl, 0, 0x541C) == REFUSE
    assert verdict(machine, ioctl, 0, 0x5413) == ALLOW


@MACHINE
@pytest.mark.parametrize("family", range(48))
def test_only_four_families_of_sockets_can_be_opened(machine: str, family: int) -> None:
    wanted = ALLOW if family in (1, 2, 10, 16) else REFUSE
    assert verdict(machine, NUMBERS[machine][SOCKET], family) == wanted


def test_the_other_calling_convention_is_refused() -> None:
    assert verdict("x86_64", 0x40000000) == REFUSE


def test_a_machine_without_a_table_has_no_sandbox() -> None:
    with pytest.raises(NoSandbox, match="riscv64"):
        program("riscv64")
