"""What a scripted builder writes: plain words about plain things, as long and laid out as what stands beside them."""

from __future__ import annotations

import re
import textwrap

TOPICS = (
    ("paper maps", "纸质地图"),
    ("rain gauges", "雨量计"),
    ("garden gates", "花园的门"),
    ("brass polish", "黄铜上光剂"),
    ("old ladders", "旧梯子"),
    ("winter coats", "冬天的大衣"),
    ("spare buttons", "备用纽扣"),
    ("copper kettles", "铜水壶"),
)
LATIN = (
    "It never runs out of power, and three people can look at it at once.",
    "The folds wear through first.",
    "Ours hangs behind the door, where the sun does not reach it.",
    "Nobody remembers who brought it.",
    "Each spring somebody cleans it and somebody else complains about the smell.",
    "A good one lasts for thirty years if it is kept dry.",
    "The older of the two is still in use on weekdays.",
    "What is written on its back is a shopping list from another century.",
    "We tried a cheaper one, and it broke within a month.",
    "Children like it more than anything else in the room.",
    "It was repaired twice, once with string.",
    "There is a second one in the loft, wrapped in newspaper.",
)
HAN = (
    "它从不断电，三个人可以同时看。",
    "最先磨破的是折痕。",
    "我们把它挂在门后，太阳照不到那里。",
    "没有人记得是谁带来的。",
    "每年春天都有人擦它，也有人抱怨气味。",
    "放在干燥的地方，好的可以用三十年。",
    "两件里较旧的一件，平日仍在使用。",
    "它背面写着一张上个世纪的购物单。",
    "我们试过便宜的，不到一个月就坏了。",
    "孩子们最喜欢的就是它。",
    "它修过两次，其中一次用的是绳子。",
    "阁楼里还有一件，用报纸包着。",
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
MOST = 8


def script(text: str) -> str:
    """`latin`, `han`, or `other`: what most letters of the text are."""
    letters = [one for one in text if one.isalpha()]
    han = len(_HAN.findall(text))
    if _KANA.search(text):
        return "other"
    if han * 3 > len(letters):
        return "han"
    latin = sum(one.isascii() or "À" <= one <= "ɏ" for one in letters)
    return "latin" if latin * 2 >= len(letters) else "other"


def is_prose(text: str) -> bool:
    """Whether it says something, more than a name does."""
    return len(text.split()) >= 4 or len(_HAN.findall(text)) >= 8


def title(like: str, number: int) -> str:
    """The name of the topic of that number, in the script and the capitals of the one that stands there."""
    english, chinese = TOPICS[number % len(TOPICS)]
    round_ = f" {number // len(TOPICS) + 1}" if number >= len(TOPICS) else ""
    match script(like):
        case "han":
            return chinese + round_
        case "other":
            return f"{like} {number + 2}"
    words = like.split()
    if like and like == like.lower():
        return english + round_
    return (english.title() if len(words) > 1 and words[1][:1].isupper() else english.capitalize()) + round_


def prose(like: str, number: int, short: bool = False) -> str:
    """Another text, laid out like the one that stands there and no longer than it, but for at least one sentence.

    `short`: one sentence alone.
    """
    body = like.strip()
    if not body:
        return like
    start, end = like[: like.index(body[0])], like[len(like.rstrip()) :]
    parts = [part for part in re.split(r"\n[ \t]*\n", body) if is_prose(part)] or [body]
    told = [_paragraph(part, number * 5 + at * 3, short) for at, part in enumerate(parts[: 1 if short else 2])]
    indent = start.rpartition("\n")[2] if "\n" in start else ""
    width = max(len(line) for line in like.splitlines()) if "\n" in body else 10_000
    laid = [
        f"\n{indent}".join(textwrap.wrap(part, max(width - len(indent), 40), break_long_words=False)) for part in told
    ]
    return f"{start}{f'{chr(10)}{chr(10)}{indent}'.join(laid)}{end}"


def _paragraph(like: str, start: int, short: bool) -> str:
    flat = " ".join(like.split())
    kind = script(flat)
    if kind == "other":
        words = flat.split()
        return " ".join(reversed(words)) if len(words) > 1 else flat[::-1]
    stock, gap = (HAN, "") if kind == "han" else (LATIN, " ")
    turned = stock[start % len(stock) :] + stock[: start % len(stock)]
    told = next((one for one in turned if len(one) <= len(flat)), min(stock, key=len))
    for one in turned if not short else ():
        fits = len(told) + len(gap) + len(one) <= len(flat) and told.count(told[-1]) < MOST
        if one != told and fits:
            told = f"{told}{gap}{one}"
    return told
