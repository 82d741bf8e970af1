"""The agent that speaks to a model: it builds, fixes and reviews, one visit at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bot.agents.answer import Answer, Block
from bot.agents.calls import Caller
from bot.agents.conversation import Conversation
from bot.agents.hands import Hands, Result
from bot.agents.review import SCHEMA
from bot.agents.tools import BASH, DECLINE, EDITOR, SUBMIT, BadInput, claim_of, offered, text_of
from bot.agents.visits import Visits
from bot.errors import ModelFailed
from bot.frozen import frozen
from bot.model import Claim

REMINDER = "You ended without handing in. Call `submit` if the addition is finished, or `decline` with the reason."
CUT = "Your answer was cut off at the length limit and none of its tool calls was run. Go on in smaller steps."
REFUSED = "the model refused"
_NOT_IN_FIX = "there is nothing to decline in a repair: mend what was objected to, or end your turn"
_OVER = frozenset({"end_turn", "stop_sequence", "refusal"})


@frozen
class Reply:
    """How a visit ended: with a claim, with a reason to add nothing, or with neither."""

    claim: Claim | None = None
    declined: str = ""


class ModelAgent:
    """Implements ports.Agent. `models` names the model of each of build, validate and fix."""

    def __init__(
        self,
        caller: Caller,
        models: Mapping[str, str],
        hands: Hands,
        visits: Visits,
        web_search: bool = False,
    ) -> None:
        self._caller, self._models, self._hands, self._visits = caller, models, hands, visits
        self._tools = offered(web_search)
        self._reviews: dict[int, Conversation] = {}

    def build(self, system: str, task: str, workspace: Path) -> Reply:
        """Work until `submit` or `decline`; who ends without either is reminded once. A refusal declines."""
        self._visits.enter("build", 1)
        talk = self._open("build", system, task)
        reminded = False
        while True:
            answer = _turn(talk)
            work = _Work(self._hands, workspace, ends=True)
            if answer.stop == "refusal":
                return Reply(declined=REFUSED)
            if answer.uses:
                talk.hand(work.do(answer))
                if work.reply is not None:
                    return work.reply
            elif reminded:
                return Reply()
            else:
                reminded = True
                talk.say(REMINDER)

    def fix(self, system: str, task: str, workspace: Path, visit: int) -> Reply:
        """Work until the model ends its turn. The claim of its last `submit`, as it was handed in, if there is one."""
        self._visits.enter("fix", visit)
        talk = self._open("fix", system, task)
        work = _Work(self._hands, workspace, ends=False)
        while (answer := _turn(talk)).stop not in _OVER:
            talk.hand(work.do(answer))
        return work.reply or Reply()

    def review(self, system: str, task: str, visit: int, again: str = "") -> str:
        """The text of the reviewer's last turn; `again` goes on in the same conversation."""
        self._visits.enter("validate", visit)
        talk = self._reviews.get(visit)
        if talk is None:
            talk = self._reviews[visit] = Conversation(self._caller, self._models["validate"], system)
            talk.say(task)
        if again:
            talk.say(again)
        while (answer := talk.answer(SCHEMA)).stop == "pause_turn":
            pass
        return REFUSED if answer.stop == "refusal" else answer.text

    def _open(self, node: str, system: str, task: str) -> Conversation:
        talk = Conversation(self._caller, self._models[node], system, self._tools)
        talk.say(task)
        return talk


def _turn(talk: Conversation) -> Answer:
    """The next turn that is over or calls tools. Raises ModelFailed when it cannot be finished."""
    cut = False
    while True:
        answer = talk.answer()
        if answer.stop in _OVER or (answer.stop == "tool_use" and answer.uses):
            return answer
        if answer.stop == "max_tokens" and not cut:
            cut = True
            talk.say(CUT)
        elif answer.stop != "pause_turn":
            raise ModelFailed(_FAILED.get(answer.stop, f"the model stopped for an unknown reason: {answer.stop!r}"))


class _Work:
    """The tool calls of a visit; `reply` is set by `submit` and `decline`, and ends the work where `ends` says so."""

    def __init__(self, hands: Hands, workspace: Path, ends: bool) -> None:
        self._hands, self._workspace, self._ends = hands, workspace, ends
        self.reply: Reply | None = None

    def do(self, answer: Answer) -> list[Block]:
        """Do the calls in their order; each has a result, also those that come after the end."""
        return [_result(use, self._one(use)) for use in answer.uses]

    def _one(self, use: Block) -> Result:
        if self._ends and self.reply is not None:
            return Result("not run: the visit is over", failed=True)
        try:
            return self._call(str(use.get("name")), use.get("input") or {})
        except BadInput as error:
            return Result(str(error), failed=True)

    def _call(self, name: str, given: Mapping[str, object]) -> Result:
        match name:
            case _ if name == BASH:
                return self._hands.bash(given, self._workspace)
            case _ if name == EDITOR:
                return self._hands.edit(given, self._workspace)
            case _ if name == SUBMIT:
                self.reply = Reply(claim_of(given))
                return Result("noted")
            case _ if name == DECLINE and self._ends:
                self.reply = Reply(declined=text_of(given, "reason"))
                return Result("noted")
        raise BadInput(_NOT_IN_FIX if name == DECLINE else f"there is no tool {name!r}")


def _result(use: Block, result: Result) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": use.get("id"), "content": result.text}
    return block | ({"is_error": True} if result.failed else {})


_FAILED = {
    "max_tokens": "the model's answer was cut off at the length limit twice",
    "model_context_window_exceeded": "the conversation outgrew the model's context",
    "tool_use": "the model stopped for a tool call and made none",
}
