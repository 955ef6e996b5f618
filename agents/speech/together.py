"""Finds a kind of question by words that stand together in a sentence, in whatever order.

A line of a table is groups of words, each of which the sentence must hold::

    @you dealer|resell*     a class of words, and one of two; ``*`` is any letters
    photo|picture dekh~     ``~`` is the ending of what "you will" do: dekhogi, dekhenge
    second_hand !my         words in a row; none of these
    @kin+played|sang        the second within three words of the first, no comma between them
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from agents.text.reading.pieces import Text
from agents.text.reading.spelling import spell

Record = TypeVar("Record")

GROUP_WEIGHT = 14
_YOU_WILL = "(?:ogi|oge|engi|enge|iega)"
_BETWEEN = r"(?: [\w#]+){0,3} "
_SAME = (
    ("aa", "a"), ("ee", "i"), ("oo", "u"), ("ph", "f"), ("w", "v"), ("z", "j"), ("q", "k"),
    ("nb", "mb"), ("iye", "ie"), ("aye", "ae"), ("ayi", "ai"),
)  # fmt: skip
_SHORT = {
    "u": "you", "ur": "your", "r": "are", "urself": "yourself", "wud": "would", "cud": "could",
    "shud": "should", "wat": "what", "wht": "what", "wen": "when", "hw": "how", "h": "hai",
    "kyon": "kyun", "kyo": "kyun", "bachha": "bachcha", "y": "why",
}  # fmt: skip
"""What people leave out when they type."""
_TWICE = re.compile(r"(.)\1")
_ASKS = re.compile(
    r"(?:^|(?<= ))(?:"
    # Relative where it follows a noun: "a person who will ride it".
    r"(?:(?:^|(?<=, )|(?<=(?:and|but|now) )|(?<=(?:so|by|on|in|at|to) )|(?<=(?:for|mam) )"
    r"|(?<=(?:then|tell|from|with) )|(?<=madam ))"
    r"(?:what|whats|why|how|when|where|which|who|whos|whom|whose)"
    r"|(?:what|why|how|when|where|which \w+) (?:do|does|did|will|would|can|are|is|should|shall)"
    r"|how (?:much|many|long|far|come|soon)|for whom|any (?:reason|idea|clue|chance|plan))"
    r"|(?:kya|kyu|kyun|kyo|kyon|kaise|kab|kaha|kahan|kaun|kon|kisne|kiski|kiska|kisse|kaunsi|kaunsa|kaunse|konsi|konsa"
    r"|kitn[aei]|kis|kiske|kisko|kidhar|kaisa|kaisi)(?! bhi)"
    r"|(?:does|did|are|is|can|cant|will|wont|would|could|should|may|shall|do|have|arent|dont|didnt)"
    r" (?:you|u|we|i|your|they|these|he|she|anyone|someone|somebody|there)"
    r"|(?:does|did|is|can|will|wont|would|could|should) (?:it|that|this|the|an?)"
    r"|(?:can|could|should|shall|may|will|would) my"
    r"|you (?:do )?(?:understand|realise|realize|agree)"
    r"|(?:^|(?<=^but )|(?<=^and )|(?<=^or ))(?:agar|if) .* (?:to|toh|then)(?= $)"
    r"|or(?! (?:i|we|ill|else|go|leave|nothing|never|no) )|ya(?= \w)"
    rf"|(?!h)\w*(?:ogi|oge|engi|iega)(?! to)|(?:aap|ap) (?:\w+ )*\w+enge(?! to)"
    r"|(?:li|liya|liye|lie|dekhi|dekha|dekhe) (?:thi|tha|the|hai|hain)? ?na"
    r"|, (?:right|correct)(?= $)"
    r"|to nahi|k[ai] nahi(?= $)|ka (?:bas|aise|main|hum|apne)"
    r"|(?:aapke|apke|aap ke|tumhare) (?:yaha|yahan|ghar|pas|paas)(?= )"
    r"|(?:anyone|anybody) (?:home|there)"
    r"|[yu](?:ou)? (?:still )?(?:there|around|online)|(?:u|you) (?:r|are) .* na"
    r"|na(?: (?:aap|aapko|aapka|aapki|tum|tumko|isko|ise|aap log|tum log))?(?= $)|no(?= $)"
    rf"|(?:ho|hai|\w*{_YOU_WILL}) (?:na(?= ,)|(?:aap|aapko|tum|tumhe|tumko)(?= $| ,))"
    r"|sakt[ie] (?:ho|hai)|kabhi(?= $)"
    r"|(?:aapne|apne|tumne) (?:\w+ ){0,3}kabhi|(?:aapne|apne|tumne)(?= $| ,)) "
    r"|(?:^|, )(?:does|did|are|is|want mein|wanna|wana|mind if|got any|(?:please )?promise|swear"
    r"|(?:[vw]aa?da|[vw]achan|kasam|promise) (?:karo|kijie|kijiye|do|dijie|dijiye|khao|khaie)) "
)
_TELLS = re.compile(
    r"(?:i (?:know|told|dont|said|must)|mujhe pata|maine) "
    r"|.*\b(?:tabhi|jab aap|jab tum|jo aap|aap jo|jitna|kya (?:batau|bataun|bolu|bolun|kahu)) "
)
"""How somebody tells, whatever words of asking follow."""


class Together(Generic[Record]):
    """Lines of groups, each with its record."""

    def __init__(self, table: Mapping[Record, str], classes: Mapping[str, str]) -> None:
        self._lines = [
            (record, *_compiled(line, classes))
            for record, lines in table.items()
            for line in lines.splitlines()
            if line
        ]

    def find(self, cut: Text) -> Iterator[tuple[Record, int]]:
        """Return what the sentences that ask hold, and how much it says."""
        yield from self.of(asking(cut))

    def of(self, sentences: Iterable[str]) -> Iterator[tuple[Record, int]]:
        """Return what sentences in the spelling of here hold, and how much it says."""
        for words in sentences:
            for record, needed, barred in self._lines:
                if all(group.search(words) for group in needed) and not any(
                    group.search(words) for group in barred
                ):
                    yield record, GROUP_WEIGHT * len(needed)


def asking(cut: Text) -> Iterator[str]:
    """Return the sentences that ask, with or without a mark, in one spelling."""
    return (spelt for spelt, asks in sentences(cut) if asks)


def sentences(cut: Text) -> Iterator[tuple[str, bool]]:
    """Return all sentences in one spelling, and whether each asks."""
    words: list[str] = []
    for place, piece in enumerate(cut.pieces):
        if piece.breaks and words:
            words.append(",")
        words.append(_SHORT.get(piece.text, piece.text))
        around = cut.around(place)
        if place + 1 == len(cut.pieces) or re.search(r"[?.!।\n]", around):
            text = " ".join(words)
            asks = bool(_ASKS.search(f"{text} ")) and not _TELLS.match(f"{text} ")
            yield f" {' '.join(map(same, words))} ", "?" in around or asks
            words = []


def same(word: str) -> str:
    """Write a word as all of its spellings are written here.

    >>> same("sambhaal"), same("sanbhal"), same("jaayenge"), same("zyada")
    ('sambhal', 'sambhal', 'jaenge', 'jyada')
    """
    word = _SHORT.get(word, word)
    for written, kept in _SAME:
        word = word.replace(written, kept)
    return _TWICE.sub(r"\1", word)


def _compiled(
    line: str, classes: Mapping[str, str]
) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
    needed, barred = list[re.Pattern[str]](), list[re.Pattern[str]]()
    for group in line.split():
        of = barred if group.startswith("!") else needed
        of.append(either(group.removeprefix("!"), classes))
    return needed, barred


def either(group: str, classes: Mapping[str, str]) -> re.Pattern[str]:
    """Compile one group of a line."""
    return re.compile(_BETWEEN.join(_any_of(part, classes) for part in group.split("+")))


def _any_of(part: str, classes: Mapping[str, str]) -> str:
    words = [
        word
        for one in part.split("|")
        for word in (classes[one[1:]].split() if one.startswith("@") else [one])
    ]
    return f"(?<= )(?:{'|'.join(map(pattern_of, words))})(?= )"


def pattern_of(words: str) -> str:
    """Write words of a group, joined by ``_``, as an expression in the spelling of here."""
    return " ".join(map(_word, words.split("_")))


def _word(word: str) -> str:
    if "*" in word or word[-1] == "~":
        stem = r"\w*".join(map(same, word.rstrip("~").split("*")))
        return stem + _YOU_WILL * word.endswith("~")
    return re.escape(same(spell(word)))
