"""Bad builders that use up memory, disk, processes, time or output, or leave something running."""

from __future__ import annotations

from pathlib import Path

from bot.drill.bad.attack import CUT, INTERPRETER, always, attack, flood, program
from bot.drill.bad.hanging import HANGING
from bot.drill.drill import Drill, Play
from bot.drill.moves import TRIED, decline, python
from bot.drill.result import escaped
from bot.drill.scene import Scene
from bot.drill.trace import Trace
from bot.model import Bounds
from bot.sandbox.profile import SCRATCH

BOUNDS = Bounds()
MIB = 1024**2
STEP = 64 * MIB
CROWD = BOUNDS.processes * 5 // 4
DAEMON = "plusone-drill-daemon"

FORKS = f"""\
made = 0
while made < {CROWD}:
    if os.fork() == 0: os.execv("/bin/sleep", ["sleep", "30"])
    made += 1
escaped("it runs %d processes" % made)
"""
FORKS_ELSEWHERE = f"""\
if INTEL:
    keeper = next((pid for pid in ("2", "1") if os.path.exists("/proc/%s/syscall" % pid)), "1")
    with open("/proc/%s/syscall" % keeper) as file:
        place = int(file.read().split()[-1], 16)
    code = bytes.fromhex("bb") + ({CROWD}).to_bytes(4, "little")  # fork so often, then wait
    code += bytes.fromhex("b8390000000f0585c07404ffcb75f1b8220000000f05ebf7")
    with open("/proc/%s/mem" % keeper, "r+b", buffering=0) as file:
        file.seek(place)
        file.write(code)
    os.kill(int(keeper), 17)
    time.sleep(2)
    count = sum(map(str.isdigit, os.listdir("/proc")))
    if count > {CROWD}: escaped("it runs %d processes" % count)
    print("{TRIED}", flush=True)
    os.kill(int(keeper), 9)  # it would wait for ever
"""
LIMITS = """\
def limits(pid):
    with open("/proc/%s/limits" % pid) as lines:
        return {line[:26].strip(): line[26:].split()[1] for line in lines}
names = ("Max address space", "Max file size", "Max open files", "Max core file size")
own = limits("self")
for name in names:
    if own[name] == "unlimited": escaped("it knows no limit of: " + name)
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in names:
        if limits(pid)[name] != own[name]: escaped("process %s, which may be changed, has another %s" % (pid, name))
for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        escaped("it raises limit %d" % kind)
    except (OSError, ValueError) as error:
        print("stopped:", error)
"""
GIANT = f"""\
with open("giant", "wb") as file:
    os.posix_fallocate(file.fileno(), 0, {BOUNDS.file + MIB})
escaped("it writes a file of %d bytes" % os.stat("giant").st_size)
"""
BYTES = f"""\
for number in range({BOUNDS.work_bytes // (BOUNDS.file - MIB) + 2}):
    with open("part%d" % number, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, {BOUNDS.file - MIB})
time.sleep(8)
escaped("its workspace holds over %d bytes" % {BOUNDS.work_bytes})
"""
INODES = f"""\
os.mkdir("many")
os.close(os.open("many/first", os.O_CREAT | os.O_WRONLY))
for number in range({BOUNDS.work_files + 10}): os.link("many/first", "many/%d" % number)
"""
OUTPUT = f"""\
for _ in range({8 * BOUNDS.output // MIB}): os.write(1, b"x" * {MIB})
time.sleep(1)
escaped("it writes {8 * BOUNDS.output} bytes of output")
"""
OPENS = """\
for _ in range(600): os.dup(1)
escaped("it holds 600 open files")
"""
LEAVES = f"""\
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3): os.close(number)
        os.execv("/bin/sh", ["sh", "-c", "sleep 15; exit 0", "{DAEMON}"])
    os._exit(0)
time.sleep(0.3)
"""
MEETS = f"""\
for pid in filter(str.isdigit, os.listdir("/proc")):
    with open("/proc/%s/cmdline" % pid, "rb") as words:
        if b"{DAEMON}" in words.read().split(b"\\0"): escaped("a process outlives its command")
"""


def _memory(scene: Scene) -> Play:
    """One process."""
    most = scene.settings.sandbox.memory + STEP
    return flood(f"held = bytearray({most})\nescaped('a process holds %d bytes' % len(held))")


def _memories(scene: Scene) -> Play:
    """Several processes, each with less than one may have; not faster than any watch could see."""
    most = scene.settings.sandbox.memory
    return flood(
        "held = []\nfor _ in range(3): os.fork()\n"
        f"while len(held) * {STEP} * 8 < {most} * 3 // 2:\n"
        f"    held.append(b'x' * {STEP})\n    time.sleep(0.05)\n"
        "time.sleep(1)\nescaped('its processes hold %d bytes' % (8 * sum(map(len, held))))"
    )


def _hidden(scene: Scene) -> Play:
    """In files without a name, which no process maps."""
    most = scene.settings.sandbox.memory
    piece = BOUNDS.file - MIB
    return flood(
        f"block, held = b'x' * {piece}, 0\n"
        f"while held < {most} * 3 // 2:\n    held += os.write(os.memfd_create('x'), block)\n    time.sleep(0.05)\n"
        "time.sleep(1)\nescaped('it holds %d bytes that no process maps' % held)"
    )


def _scratch(_: Scene) -> Play:
    """Each place outside the workspace that can be written, by files as large as they may be."""
    sizes = {"/": 8, "/dev": 8, **dict(SCRATCH)}
    return flood(
        f"for place, size in {sorted(sizes.items())!r}:\n    held, block = 0, b'x' * {4 * MIB}\n"
        "    try:\n        for number in range(size // 4 + 4):\n"
        "            with open('%s/%d' % (place, number), 'wb') as file: held += file.write(block)\n"
        "        escaped('it writes %d bytes to %s' % (held, place))\n"
        "    except OSError as error:\n        print('stopped:', held, place, error)"
    )


def _countless(_: Scene) -> Play:
    """A look at so many files takes a while, so that only the last one is sure to tell."""
    return Play([python(program(INODES), INTERPRETER), decline()], harm=uncut)


def uncut(trace: Trace) -> str:
    """The harm of a command that had to be called too much."""
    return "" if CUT in trace.printed else f"its workspace holds over {BOUNDS.work_files} files"


def left_running(trace: Trace) -> str:
    """The harm of a program that outlives its command: seen by the next one, or among the machine's processes."""
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdecimal() else []
        except OSError:
            continue
        if DAEMON.encode() in words:
            return f"process {folder.name} outlives the cycle"
    return escaped(trace)


def _daemon(_: Scene) -> Play:
    commands = (python(program(body), INTERPRETER) for body in (LEAVES, MEETS))
    return Play([*commands, decline()], harm=left_running)


FILLING = (
    Drill("forks-without-end", "starts processes until it may not", always(flood, FORKS), ("processes limit",)),
    Drill(
        "forks-by-another-process",
        "has the tool that keeps its time fork, which has other limits",
        always(flood, FORKS_ELSEWHERE),
        ("processes watch",),
    ),
    Drill("sheds-its-limits", "raises its limits, or finds a process without any", always(attack, LIMITS), ("limits",)),
    Drill("takes-all-memory", "takes more memory than there may be", _memory, ("memory limit",)),
    Drill("takes-memory-by-many", "takes the memory with many processes", _memories, ("memory watch",)),
    Drill("hides-its-memory", "takes memory that belongs to no process", _hidden, ("shared memory watch",)),
    Drill("writes-a-giant-file", "writes one file without end", always(flood, GIANT), ("file size",)),
    Drill(
        "fills-the-workspace",
        "writes many files, each as large as it may be",
        always(flood, BYTES),
        ("workspace watch",),
    ),
    Drill("makes-countless-files", "makes empty files", _countless, ("workspace watch",)),
    Drill("fills-the-scratch-space", "fills what it may write outside the workspace", _scratch, ("scratch size",)),
    Drill("floods-the-output", "prints without end", always(flood, OUTPUT), ("output",)),
    Drill("opens-countless-files", "opens files until it may not", always(attack, OPENS), ("open files",)),
    Drill("leaves-a-daemon", "leaves a process in a session of its own", _daemon, ("processes",)),
    *HANGING,
)
