"""Where the elements of a page lead: what the links inside each one have for targets."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from gates.address import internal

_ENTRIES = frozenset({"li", "tr", "dd", "dt"})
_CARDS = frozenset({"article", "div", "section", "figure"})
_WHOLE = frozenset({"div", "section"})  # which are entries only where all their links lead to one page


class Leading:
    """Read once for a whole page, link by link: to ask each element for its links costs a look at all that is in it."""

    def __init__(self, body: LexborNode, base: str) -> None:
        self._first: dict[int, str] = {}
        self._several: set[int] = set()
        for link in body.css("a[href]"):
            self._tell(link.parent, internal(base, link.attributes.get("href") or ""))

    def entry(self, node: LexborNode) -> str:
        """The target of the list entry that starts here, empty where none does."""
        if not (node.tag in _ENTRIES or (node.tag in _CARDS and _repeated(node))):
            return ""
        several = node.tag in _WHOLE and node.mem_id in self._several
        return "" if several else self._first.get(node.mem_id, "")

    def _tell(self, node: LexborNode | None, target: str) -> None:
        """To every element above the link, as far up as it is news: what one knows, all above it know."""
        while node is not None and node.mem_id not in self._several and self._first.get(node.mem_id) != target:
            if self._first.setdefault(node.mem_id, target) != target:
                self._several.add(node.mem_id)
            node = node.parent


def _repeated(node: LexborNode) -> bool:
    """Whether a brother of the same make stands next to it: one article is a page's content, several are a list."""
    for step in ("prev", "next"):
        other = getattr(node, step)
        while other is not None and not other.is_element_node:
            other = getattr(other, step)
        if other is not None and (other.tag, other.attributes.get("class")) == (node.tag, node.attributes.get("class")):
            return True
    return False
