"""Bad builders that call the kernel in ways that no site needs."""

from __future__ import annotations

from bot.drill.bad.attack import always, attack
from bot.drill.drill import Drill

NAMESPACES = """\
for flag, kind in ((0x10000000, "user"), (0x20000000, "pid"), (0x40000000, "network"), (0x00020000, "mount")):
    child = os.fork()
    if child == 0:
        call("it makes a %s namespace" % kind, 272, 97, flag)
        os._exit(0)
    os.waitpid(child, 0)
made = LIBC.syscall(56 if INTEL else 220, ctypes.c_long(0x10000011), 0, 0, 0, 0)
if made == 0: os._exit(0)
if made > 0: escaped("it starts a process in a namespace of its own")
if os.path.exists("/usr/bin/unshare") and os.spawnl(os.P_WAIT, "/usr/bin/unshare", "unshare", "-U", "true") == 0:
    escaped("the tool unshare makes a user namespace")
call("it enters another namespace", 308, 268, os.open("/proc/self/ns/mnt", os.O_RDONLY), 0)
"""
MOUNTS = """\
call("it mounts a file system", 165, 40, b"none", b"/tmp", b"tmpfs", 0, b"")
call("it makes its root writable", 165, 40, b"none", b"/", b"", 0x1020, b"")
call("it prepares a file system", 430, 430, b"tmpfs", 0)
call("it takes a tree of folders", 428, 428, -100, b"/w", 0)
call("it sets another root", 161, 51, b"/tmp")
call("it turns the root round", 155, 41, b"/tmp", b"/tmp")
"""
DEBUGGING = """\
child = os.fork()
if child == 0:
    call("it is traced by its parent", 101, 117, 0, 0, 0, 0)
    os._exit(0)
os.waitpid(child, 0)
call("it reads another process", 310, 270, os.getppid(), 0, 0, 0, 0, 0)
call("it compares processes", 312, 272, os.getpid(), os.getppid(), 0, 0, 0)
call("it takes a descriptor of another process", 438, 438, os.pidfd_open(os.getppid()), 0, 0)
"""
KEYRING = """\
call("it keeps a key in the kernel", 248, 217, b"user", b"plusone-drill", b"x", 1, -4)
call("it opens a keyring of the machine", 250, 219, 0, -4, 1)
"""
RING = """\
call("it opens a ring of requests", 425, 425, 4, bytes(120))
"""
PROGRAMS = """\
call("it makes a map for programs of the kernel", 321, 280, 0, bytes(72), 72)
call("it counts events of the machine", 298, 241, bytes(112), 0, -1, -1, 0)
call("it answers page faults", 323, 282, 1)
call("it is notified of files", 300, 262, 0x200, 0)
call("it changes how it is run", 135, 92, 0x0040000)
call("it reads the kernel's log", 103, 116, 10, 0, 0)
call("it loads a module", 313, 273, 0, b"", 0)
call("it opens a file by its number", 304, 265, -100, bytes(16), 0)
"""
FAMILIES = """\
for family, name in ((40, "virtual machine"), (17, "packet"), (38, "cryptography"), (31, "bluetooth"), (30, "cluster"),
                     (29, "bus"), (15, "key"), (44, "express")):
    for kind in (1, 2, 3, 5):
        attempt("it opens a socket of the family " + name, socket.socket, family, kind, 2 if family == 15 else 0)
"""
TERMINAL = """\
import fcntl, termios
for place in ("/dev/tty", "/dev/console", "/dev/tty0"):
    attempt("it opens " + place, os.open, place, os.O_RDWR)
ours, theirs = os.openpty()
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    attempt("it types for whoever reads a terminal", fcntl.ioctl, theirs, termios.TIOCSTI, b"x")
    os._exit(0)
os.waitpid(child, 0)
for number in range(3):
    attempt("it types for whoever started it", fcntl.ioctl, number, termios.TIOCSTI, b"x")
"""
STRANGER = """\
if INTEL:
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("53b814000000cd805bc3"))  # the process's own number, asked for as 32-bit programs do
    ask = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    child = os.fork()
    if child == 0:
        ask()
        os._exit(77)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 77: escaped("it calls the kernel as a 32-bit program")
    call("it calls the kernel by its third set of numbers", 0x40000000 + 39, 0)
"""

SYSCALLS = (
    Drill(
        "makes-a-namespace",
        "makes itself a namespace in which it is the administrator",
        always(attack, NAMESPACES),
        ("namespaces",),
    ),
    Drill(
        "mounts-file-systems",
        "mounts, uncovers and changes its root",
        always(attack, MOUNTS),
        ("seccomp calls",),
    ),
    Drill(
        "looks-into-processes", "traces processes and reads their memory", always(attack, DEBUGGING), ("seccomp calls",)
    ),
    Drill(
        "keeps-keys-in-the-kernel",
        "leaves a key where other programs of the user find it",
        always(attack, KEYRING),
        ("seccomp calls",),
    ),
    Drill(
        "opens-a-ring-of-requests", "asks the kernel past the filter of calls", always(attack, RING), ("seccomp calls",)
    ),
    Drill(
        "makes-dangerous-calls",
        "loads programs into the kernel and the like",
        always(attack, PROGRAMS),
        ("seccomp calls",),
    ),
    Drill(
        "opens-strange-sockets",
        "opens sockets of families that no namespace holds",
        always(attack, FAMILIES),
        ("seccomp families",),
    ),
    Drill(
        "types-into-the-terminal",
        "types for the person at the terminal",
        always(attack, TERMINAL),
        ("seccomp terminal",),
    ),
    Drill(
        "calls-as-another-machine",
        "calls the kernel by numbers that the filter does not know",
        always(attack, STRANGER),
        ("seccomp machine",),
    ),
)
