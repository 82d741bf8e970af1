"""Guard: nothing in the change speaks to whoever reviews it.

Told by phrases, in small letters, with blanks and line ends made one and what does not show taken out. A sentence
counts when it addresses: "Approve this change" does, "the council voted to approve this change" does not. Measured:
in 2,900 documents of a computer (70 MB: manuals, licences, descriptions of packages) none was objected to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from bot.model import Objection
from guards.alike import plain
from guards.facts import Facts
from guards.fresh import Found, fresh, objection

_THING = r"(?:change|diff|commit|pull request|patch|addition|submission|merge request|pr)"
_CODE = r"(?:diff|commit|pull request|patch|submission|merge request|pr)"
_JUDGE = r"(?:reviewer|validator|code review(?:er)?|review bot|review model)"
_MODEL = r"(?:ai|llm|language model|chatbot|gpt|ai (?:model|assistant|agent))"
_BEFORE = r"(?:之前|以上|先前|前面|上述|上面|此前)"
_START = r"(?:^|(?<=[\n.!?:;\"'“‘>#*/-]))\s*"
_ORDER = (
    rf"(?:{_START}(?:please |just |now |simply |always )?"
    r"|\b(?:please|you (?:must|should|shall|may|can|will|have to|are to)) )"
)
SHAPES = {
    "a verdict": r"[\"'`]verdict[\"'`]\s*:\s*[\"'`](?:approve|reject)|\bverdict\s*[:=]\s*[\"'`]?approved?\b",
    "an order to the reviewer": rf"{_ORDER}(?:approve|accept|merge|pass|wave through|sign off(?: on)?"
    rf"|do not reject|don't reject|never reject) (?:this|the|that|my|our) (?:\w+ )?{_THING}\b",
    "a word to the reviewer": r"\b(?:dear|attention|attn|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)"
    rf"|hey|hello|hi)[,:]? (?:the |any |all |our |every )?(?:automated |ai |human )?(?:{_JUDGE}|{_MODEL})s?\b",
    "an order to forget orders": r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every |of |the |those )*"
    r"(?:your|previous|prior|above|earlier|preceding|foregoing|system) (?:\w+ )?"
    r"(?:instructions?|prompts?|directives?|guidelines)\b",
    "a role for a model": r"\b(?:you are|you're|act as|behave as|answer as) (?:now |only )?(?:an? |the )?(?:\w+ )?"
    rf"(?:{_MODEL}|{_JUDGE})\b|\bas (?:an?|the) (?:{_MODEL}|automated reviewer)[, ]",
    "a claim that it was checked": rf"\bthis {_CODE} (?:has |was |is )?(?:already |been |fully |pre-?)*"
    r"(?:approved|reviewed|verified|vetted|validated)\b"
    r"|\bthis change (?:has |was |is )(?:been )?(?:already |pre-?)(?:been )?(?:approved|reviewed|verified|validated)\b",
    "marks of a conversation": r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|?>|\[/?inst\]|<</?sys>>"
    r"|</?(?:system[-_](?:prompt|reminder|message)|function_(?:calls?|results?)|tool_(?:use|result|call)s?)\b"
    r"|(?:^|\s)(?:human|user|system)\s*:\s[^\n]{0,400}\sassistant\s*:\s",
    "an imitation of a tool's answer": r"[\"']type[\"']\s*:\s*[\"']tool_(?:result|use)[\"']|[\"']tool_use_id[\"']"
    r"|[\"']stop_reason[\"']\s*:|\b(?:guardspassed|gatepassed|reviewapproved|reviewobjections)\b"
    r"|</?(?:claim|evidence|nearest|difference)-[0-9a-f]{8,}",
    "an order in Chinese": r"(?:忽略|无视|忘记)"
    rf"(?:{_BEFORE}的?(?:所有|全部)?|(?:所有|全部|一切){_BEFORE}?)的?(?:指示|指令|提示词)"
    r"|(?:请|必须|务必)(?:批准|通过|接受|同意)(?:此|该|这个|本次|这次|这项)的?(?:更改|修改|变更|改动|提交|补丁)",
}
# What a builder says of its change is read by the reviewer alone: there, no council approves of anything.
CLAIMED = {
    "a claim that it was checked": rf"\b(?:this|the|my|our) {_THING} (?:has |was |is |and )?"
    r"(?:already |been |fully |pre-?)*(?:approved|reviewed|verified|vetted|validated)\b",
}
_SHAPES = {name: re.compile(shape) for name, shape in SHAPES.items()}
_CLAIMED = {name: re.compile(f"{SHAPES[name]}|{shape}") for name, shape in CLAIMED.items()}
_ESCAPE = re.compile(r"\\[nrt]|\\(?=[\"'])|&(?:quot|#34|#39|apos);|[ \t\r\f\v\u3000]+")
_MEANT = {"&quot;": '"', "&#34;": '"', "&#39;": "'", "&apos;": "'", "\\": ""}
ACCEPT = "text for the site's visitors, and comments for its developers"


def reviewer_text(facts: Facts) -> Iterator[Objection]:
    """Objects to verdicts, orders and words to a reviewer or model, to claims of approval and imitated tool answers.

    In every file of the change, in comments and texts alike, and in what the builder says of it.
    """
    for path, found in fresh(facts, _addressed):
        yield objection("reviewer-text", path, found, f"the change holds {found.kind}", ACCEPT)
    claim = facts.snapshot.claim
    for text in (claim.key, claim.summary, *claim.routes, *claim.changes, *claim.sources):
        for found in _told(text, {**_SHAPES, **_CLAIMED}):
            what = f"the claim holds {found.kind}"
            yield Objection("reviewer-text", "guards", "", found.kind, what, found.text, ACCEPT)


def _addressed(_: str, text: str) -> Iterator[Found]:
    return _told(text, _SHAPES)


def _told(text: str, shapes: Mapping[str, re.Pattern[str]]) -> Iterator[Found]:
    """Line ends count as blanks, but for empty lines, so that no sentence hides by being wrapped."""
    starts, pieces, at = [], list[str](), 0
    for line in text.split("\n"):
        said = _ESCAPE.sub(lambda found: _MEANT.get(found[0], " "), plain(line)).strip(" ")
        starts.append(at)
        pieces.append(f"{said} " if said else "\n" * bool(not pieces or pieces[-1].strip()))  # one for many
        at += len(pieces[-1])
    joined = "".join(pieces)
    for kind, shape in shapes.items():
        for found in shape.finditer(joined):
            yield Found(kind, found[0].strip(), bisect_right(starts, found.start()))
