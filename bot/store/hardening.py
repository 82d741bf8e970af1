"""Owns what git is told first: an environment built from nothing, and settings that disarm a repository."""

from __future__ import annotations

from types import MappingProxyType

ENVIRONMENT = MappingProxyType(
    {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "XDG_CONFIG_HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/false",
        "SSH_ASKPASS": "/bin/false",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "/bin/false",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM": "0",
    }
)

SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.untrackedCache=false",
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.pager=cat",
    "core.editor=false",
    "core.sparseCheckout=false",
    "core.askPass=false",
    "core.alternateRefsCommand=true",
    "core.sshCommand=false",
    "diff.external=",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "push.gpgSign=false",
    "log.showSignature=false",
    "merge.verifySignatures=false",
    "gpg.program=false",
    "push.recurseSubmodules=no",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=no",
    "push.followTags=false",
    "push.default=nothing",
    "credential.helper=",
    "http.followRedirects=false",
    "http.sslVerify=true",
    "transfer.fsckObjects=true",
    "transfer.credentialsInUrl=die",
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "protocol.ext.allow=never",
)

# A push must not outlive us where we are killed, so the kernel ends git then. What only reads need not have that done
# for it, which costs a program more: it ends at the pipe that nobody reads any more.
READING = (("status",), ("log",), ("cat-file",), ("ls-tree",), ("diff-tree",), ("rev-parse",))
