"""A real store whose site tracks a compiled catalogue, and the workspace and freezer that scope works with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from bot.model import Claim, Ready, Snapshot
from bot.store.git import commit_files
from bot.workspace.folder import FolderWorkspace
from bot.workspace.freezer import WorkspaceFreezer
from bot.workspace.policy import Policy
from gates.catalogue import compile_catalogue
from tests.support import values
from tests.support.repository import PERSON, Scene, scene

PO, MO = "locales/zh/LC_MESSAGES/messages.po", "locales/zh/LC_MESSAGES/messages.mo"
PAGE = "pages/one.html"
ALLOW = ("pages/**", "locales/**")


def catalogue(**messages: str) -> str:
    """A catalogue with these messages."""
    head = 'msgid ""\nmsgstr ""\n"Language: zh\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    return head + "".join(f'\nmsgid "{key}"\nmsgstr "{text}"\n' for key, text in messages.items())


def compiled(text: str) -> bytes:
    """The catalogue as sites serve it."""
    made = compile_catalogue(text.encode())
    assert made is not None
    return made


@dataclass(frozen=True, slots=True)
class Workshop:
    """A scene, and the agent's folder in it."""

    here: Scene
    workspace: FolderWorkspace
    freezer: WorkspaceFreezer

    @property
    def ready(self) -> Ready:
        """What precheck would hand on."""
        return replace(values.ready(), base=self.here.base, base_tree=self.here.base_tree)

    @property
    def root(self) -> Path:
        """The agent's folder."""
        return self.workspace.root

    def work(self, path: str, text: str | None) -> None:
        """The agent writes a file, or deletes it."""
        if text is None:
            (self.root / path).unlink()
        else:
            (self.root / path).write_text(text)

    def frozen(self, claim: Claim = values.CLAIM) -> Snapshot:
        """The workspace as it is, which must be fit for a snapshot."""
        found = self.freezer.freeze(self.here.base, self.here.base_tree, claim)
        assert isinstance(found, Snapshot), found
        return found

    def content(self, tree: str, path: str) -> bytes:
        """A file of a tree."""
        return self.here.store.blob(self.here.store.entries(tree)[path].oid)


def workshop(folder: Path, *, tracked: bool = True, allow: tuple[str, ...] = ALLOW) -> Workshop:
    """The workspace restored to base; `tracked`: the site keeps its compiled catalogue in git."""
    plain = scene(folder)
    text = catalogue(Home="首页")
    files: dict[str, bytes | None] = {PO: text.encode(), **({MO: compiled(text)} if tracked else {})}
    commit_files(plain.bare, "main", files, "Speak Chinese", PERSON)
    here = Scene(plain.bare, plain.store, plain.store.fetch("main"))
    workspace = FolderWorkspace(here.store, folder / "workspace")
    workspace.restore(here.base_tree)
    return Workshop(here, workspace, WorkspaceFreezer(here.store, workspace.root, Policy(allow), compile_catalogue))
