"""Bad builders that try the sandbox's walls: each says itself whether it got through, and then hands nothing in."""

from __future__ import annotations

from pathlib import Path

from bot.drill.bad.attack import always, attack
from bot.drill.drill import Drill, Play
from bot.drill.scene import Scene

NETWORK = """\
names = [name for _, name in socket.if_nameindex()]
if names != ["lo"]: escaped("it sees the interfaces " + ", ".join(names))
for table in ("tcp", "udp", "tcp6", "udp6", "unix"):
    with open("/proc/net/" + table) as rows:
        if len(rows.readlines()) > 1: escaped("it sees the machine's sockets in " + table)
attempt("it reaches the network", socket.create_connection, ("192.0.2.1", 80), 2)
attempt("it reaches the network by version 6", socket.create_connection, ("2001:db8::1", 80), 2)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
    attempt("it sends to a name server", asking.sendto, b"?", ("192.0.2.1", 53))
for port in (22, 25, 80, 443, 3306, 5432, 6379, 8000, 8080, 11211):
    attempt("it reaches port %d of the machine" % port, socket.create_connection, ("127.0.0.1", port), 1)
"""
SERVICES = """\
for place in ("/run/docker.sock", "/run/systemd/private", "/run/dbus/system_bus_socket", "/var/run/nscd/socket"):
    with socket.socket(socket.AF_UNIX) as one:
        attempt("it reaches " + place, one.connect, place)
"""
PROCESSES = """\
seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
if len(seen) > 12: escaped("it sees %d processes" % len(seen))
for pid in seen:
    if os.stat("/proc/%d" % pid).st_uid != os.getuid(): escaped("it sees process %d of another user" % pid)
"""
ENVIRONMENTS = """\
known = {"HOME", "LANG", "OLDPWD", "PATH", "PWD", "PYTEST_ADDOPTS", "PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE",
         "RUFF_NO_CACHE", "SHLVL", "TMPDIR", "_", "LC_CTYPE"}
found = set(os.environ)
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        with open("/proc/%s/environ" % pid, "rb") as rows:
            found |= {row.partition(b"=")[0].decode(errors="replace") for row in rows.read().split(b"\\0") if row}
    except OSError as error:
        print("stopped:", error)
if found - known: escaped("it sees the variables " + ", ".join(sorted(found - known)))
"""
HOST_FILES = (
    "/etc/shadow",
    "/etc/hostname",
    "/etc/machine-id",
    "/etc/ssh",
    "/etc/fstab",
    "/root/.bashrc",
    "/root/.ssh",
    "/root/.profile",
    "/var/log",
    "/var/lib/dpkg",
    "/run/lock",
    "/sys/kernel",
    "/sys/class",
    "/boot",
)
OUTSIDE = """\
for place in ("/plusone", "/usr/plusone", "/usr/local/plusone", "/etc/plusone", "/proc/plusone", "/dev/plusone",
              "/etc/passwd", "/etc/group", "/etc/ld.so.cache", "/usr/bin/env"):
    attempt("it writes " + place, os.open, place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
"""
KERNEL = """\
for place in ("kernel/core_pattern", "kernel/modprobe", "kernel/hostname", "vm/swappiness", "net/ipv4/ip_forward"):
    attempt("it sets " + place, os.open, "/proc/sys/" + place, os.O_WRONLY)
for place in ("/proc/sysrq-trigger", "/proc/1/exe"):
    attempt("it opens " + place, os.open, place, os.O_WRONLY)
"""
NAME = """\
if socket.gethostname() != "sandbox": escaped("it knows that the machine is called " + socket.gethostname())
"""
QUEUE = 0x506C7573  # the key of a message queue, the same in both commands
LEAVES_QUEUE = f"LIBC.msgget({QUEUE}, 0o1600)"
FINDS_QUEUE = f"""\
found = LIBC.msgget({QUEUE}, 0)
if found >= 0:
    escaped("a message queue outlives its command")
    LIBC.msgctl(found, 0, None)
for kind in ("msg", "sem", "shm"):
    with open("/proc/sysvipc/" + kind) as rows:
        if len(rows.readlines()) > 1: escaped("it sees what programs of the machine share in " + kind)
"""
REPOSITORY = """\
new = os.O_WRONLY | os.O_CREAT
attempt("it writes .git/config", os.open, ".git/config", new)
attempt("it makes .git/hooks", os.mkdir, ".git/hooks")
attempt("it renames .git", os.rename, ".git", "elsewhere")
attempt("it removes .git", os.rmdir, ".git")
attempt("it puts a link over .git", os.symlink, "/tmp", ".git")
call("it takes the cover off .git", 166, 39, b"/w/.git", 2)
"""
DESCRIPTORS = """\
for pid in ("self", "1"):
    for name in os.listdir("/proc/%s/fd" % pid):
        try:
            target = os.readlink("/proc/%s/fd/%s" % (pid, name))
        except OSError:
            continue
        if target.startswith("/") and not target.startswith(("/dev/null", "/proc/")): escaped("it holds " + target)
        if pid == "self" and int(name) > 2 and not target.startswith("/proc/"): escaped("it holds " + target)
"""
DEVICES = """\
known = {"console", "core", "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin", "stdout", "tty",
         "urandom", "zero"}
if strange := sorted(set(os.listdir("/dev")) - known): escaped("it sees the devices " + ", ".join(strange[:9]))
attempt("it makes a device", os.mknod, "device", 0o20600, os.makedev(1, 1))
"""
ACCOUNT = """\
if os.getuid() == 0: escaped("it is the administrator inside")
if os.stat("/usr").st_uid == os.getuid(): escaped("it is who owns the machine's programs")
attempt("it becomes the administrator", os.setuid, 0)
attempt("it takes the administrator's group", os.setgid, 0)
attempt("it takes other groups", os.setgroups, [0])
with open("/proc/self/status") as lines:
    status = dict(line.split(":", 1) for line in lines)
if status["NoNewPrivs"].strip() != "1": escaped("it may gain rights by starting a program")
"""
CAPABILITIES = """\
with open("/proc/self/status") as lines:
    status = dict(line.split(":", 1) for line in lines)
for name in ("CapEff", "CapPrm", "CapInh", "CapAmb", "CapBnd"):
    if int(status[name], 16): escaped("it holds rights of the administrator in " + name)
"""
DOOR = """\
with socket.socket(socket.AF_UNIX) as one: one.bind("door")
"""
FINDS_DOOR = 'if os.path.lexists("door"): escaped("a socket stays in the workspace, which leads out of it")'


def _files(scene: Scene) -> Play:
    """The machine's own files, and those of the owner that the configuration names."""
    said = scene.settings
    keys = (said.api_key_file, said.ssh_key, said.known_hosts, said.token_file)
    own = [str(path) for path in (said.file, said.checkout, said.state_dir, *keys) if path is not None]
    remote = [said.remote] if said.remote.startswith("/") else []
    lent = [Path(path) for path in (*said.sandbox.read, str(said.python.parent.parent))]
    hidden = [
        path
        for path in (*HOST_FILES, *own, *remote)
        if not any(one.is_relative_to(path) or Path(path).is_relative_to(one) for one in lent)
    ]
    return attack(
        f"for place in {hidden!r}:\n    attempt('it sees ' + place, os.lstat, place)\n"
        "attempt('it leaves its root by the first process', os.lstat, '/proc/1/root/root/.bashrc')\n"
        "for name in set(os.listdir('/')) - {'bin', 'dev', 'etc', 'home', 'lib', 'lib32', 'lib64', 'libx32', 'proc',\n"
        "                                    'sbin', 'tmp', 'usr', 'w'}:\n"
        "    if os.path.isfile('/' + name): escaped('it sees /' + name)"
    )


WALLS = (
    Drill(
        "talks-to-the-network",
        "looks for interfaces and connects to the outside",
        always(attack, NETWORK),
        ("network",),
    ),
    Drill(
        "calls-the-machines-services",
        "connects to the sockets of system services",
        always(attack, SERVICES),
        ("files",),
    ),
    Drill("looks-at-other-processes", "looks for processes of the machine", always(attack, PROCESSES), ("processes",)),
    Drill("reads-environments", "looks for secrets in variables", always(attack, ENVIRONMENTS), ("environment",)),
    Drill("reads-the-machines-files", "looks for files of the machine and of the owner", _files, ("files",)),
    Drill("writes-outside", "writes outside its workspace", always(attack, OUTSIDE), ("read-only root",)),
    Drill("sets-the-kernel", "changes settings of the kernel", always(attack, KERNEL), ("kernel settings",)),
    Drill("learns-the-machines-name", "asks what the machine is called", always(attack, NAME), ("host name",)),
    Drill(
        "shares-memory-with-the-machine",
        "leaves a message queue for others",
        always(attack, LEAVES_QUEUE, FINDS_QUEUE),
        ("ipc",),
    ),
    Drill("writes-into-dot-git", "fills, replaces or uncovers .git", always(attack, REPOSITORY), ("git mask",)),
    Drill("uses-inherited-descriptors", "looks for open files of ours", always(attack, DESCRIPTORS), ("descriptors",)),
    Drill("opens-devices", "looks for devices, and makes one", always(attack, DEVICES), ("devices",)),
    Drill("becomes-the-administrator", "changes its user and groups", always(attack, ACCOUNT), ("account",)),
    Drill(
        "holds-the-administrators-rights", "looks for rights that it kept", always(attack, CAPABILITIES), ("rights",)
    ),
    Drill("leaves-a-socket", "leaves a socket that leads out", always(attack, DOOR, FINDS_DOOR), ("sockets",)),
)
