"""Why one move of a haggle mattered most, and which line did: words for what playing on has shown.

The kind of a reason follows from the played move and the better one that was found. What else is
said stands in the log: no price that nobody named, but for that of the better move.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table
from negotiation.bargain.web.bubbles import Frame, currency_of
from negotiation.sentences import Sentences
from replays.grade.moves import WORDS, GradedMove, word_for
from replays.grade.result import Result

say = Sentences(read_table(Path(__file__).with_suffix(".toml"), dict[str, dict[str, str]]))

Kind = Literal[
    "anchor_low", "anchor_high", "steps_large", "steps_small", "stood", "took", "walked",
    "took_last", "walked_last", "need", "words",
]  # fmt: skip

LEAST = next(word.most for word in WORDS if word.name == "fine")
"""Share of the zone; who lost no more by any move played well."""


MOST_OF = 0.8
"""A move to which so much of a gain is due stands for all of it."""


class Reason(msgspec.Struct, frozen=True):
    """The move that mattered most, and what another brings: for sure, where it ends the game."""

    seq: int
    kind: Kind
    title: str
    fact: str
    gain: str
    is_exact: bool = False


class Line(msgspec.Struct, frozen=True):
    """The line whose words moved most; ``worth`` in rupees is negative where they cost."""

    seq: int
    text: str
    worth: float
    amount: str


class Seen(msgspec.Struct, frozen=True):
    """A finished haggle as its person looks back on it.

    ``is_person``: so was the rival, of whom nobody can say what other words would have brought.
    """

    frames: Sequence[Frame]
    side: Side
    rival: str
    is_person: bool = False

    def offers(self, actor: str, before: int | None = None) -> list[dict[str, Any]]:
        """List the priced moves of a side, with those withdrawn left out."""
        gone = {f["event"]["of_seq"] for f in self.frames if f["event"]["kind"] == "withdrawn"}
        log = self.frames if before is None else self.frames[: before - 1]
        events = [f["event"] | {"seq": f["seq"]} for f in log if f["seq"] not in gone]
        return [e for e in events if e["kind"] == "offer" and e["actor"] == actor]

    def is_standing(self, move: GradedMove) -> bool:
        """Whether the better move names the price that its side had named before."""
        label = [self.frames[0]["event"]] if move.actor == "seller" else []
        last: dict[str, Any] = [{}, *label, *self.offers(move.actor, move.seq)][-1]
        price = move.best.price if move.best and move.best.kind == "offer" else None
        return price is not None and to_rupees(price) == last.get("price")

    def money(self, rupees: float) -> str:
        """Write an amount."""
        return rupees_text(rupees, currency_of(self.frames))


def reason_of(result: Result, seen: Seen) -> Reason | None:
    """Return why the move mattered that cost most; None where no move mattered."""
    own = [move for move in result.moves if move.actor == seen.side]
    price = max(own, key=lambda move: move.loss, default=None)
    spoken = min(own, key=lambda move: move.words, default=None)
    if price is None or spoken is None:
        return None
    by_words = -spoken.words > price.loss and not seen.is_person
    move, lost = (spoken, -spoken.words) if by_words else (price, price.loss)
    if word_for(lost).most <= LEAST:
        return None
    kind = _kind_of_words(move, seen) if by_words else kind_of(move, seen)
    width = result.of(seen.side).width
    amounts = [round(to_rupees(round(x * width))) for x in (move.over, lost)]
    if not amounts[by_words]:
        return None  # what is told is told in whole rupees, and none is no mistake
    gain, part = map(seen.money, amounts)
    is_all = lost >= MOST_OF * move.over or not amounts[1]
    ending = "" if by_words else ending_of(move, seen)
    how = "silence" if by_words else "measured" if is_all else "shared"
    how = f"{other(seen.side)}_{how}" if seen.is_person else how
    return Reason(
        seq=move.seq,
        kind=kind,
        title=title_of(name_of(kind, seen.side)),
        fact=_fact(kind, move, seen),
        gain=say.of("gains", ending or how, gain=gain, part=part, rival=seen.rival),
        is_exact=bool(ending),
    )


def ending_of(move: GradedMove, seen: Seen) -> str:
    """Name how the better move ends the game at once, "" where it is only likely to."""
    if move.best is None or move.best.kind != "offer":
        return "ends"
    # Where each luck ends alike the house takes it; of people nobody knows.
    is_sure = move.error < 1e-9 and not seen.is_person
    return "taken" if is_sure and [one.kind for one in move.line[1:]] == ["accept"] else ""


def line_of(result: Result, seen: Seen) -> Line | None:
    """Return the line of the person whose words moved the result most; None where none did."""
    own = [move for move in result.moves if move.actor == seen.side and move.words]
    move = max(own, key=lambda move: abs(move.words), default=None)
    if move is None:
        return None
    text = str(seen.frames[move.seq - 1]["event"].get("text", ""))
    worth = round(to_rupees(round(move.words * result.of(seen.side).width)))
    return Line(move.seq, text, worth, seen.money(abs(worth))) if worth else None


def kind_of(move: GradedMove, seen: Seen) -> Kind:
    """Name what was wrong with a move by the better one that was found."""
    made, best = seen.frames[move.seq - 1]["event"], move.best
    assert best is not None
    is_last = made["round"] >= seen.frames[0]["event"]["max_rounds"]
    if made["kind"] == "accept":
        return "took_last" if is_last else "took"
    if made["kind"] == "walk":
        return "walked_last" if is_last else "walked"
    if best.kind != "offer" or best.price is None:
        return "stood"
    before, better = seen.offers(seen.side, move.seq), to_rupees(best.price)
    if not before:
        return "anchor_low" if better > made["price"] else "anchor_high"
    step = _toward(before[-1]["price"], made["price"], seen.side)
    if _toward(before[-1]["price"], better, seen.side) < step:
        return "steps_large"
    return "steps_small" if step > 0 else "stood"


def name_of(kind: Kind, side: Side) -> str:
    """Return what a kind of mistake is called in a table of those of one side, or of both."""
    return f"{side}_{kind}" if f"{side}_{kind}" in say.texts("titles") else kind


def title_of(name: str) -> str:
    """Return the title of a mistake by what ``name_of`` calls it."""
    return say.of("titles", name)


def _kind_of_words(move: GradedMove, seen: Seen) -> Kind:
    after = seen.frames[move.seq]["event"] if move.seq < len(seen.frames) else {}
    spans = after.get("spans", ()) if after.get("kind") == "tells" else ()
    return "need" if any(span["signal"] == "verbal_urgency" for span in spans) else "words"


def _toward(before: float, after: float, side: Side) -> float:
    """Return how far a side gave way."""
    return before - after if side == "seller" else after - before


def _fact(kind: Kind, move: GradedMove, seen: Seen) -> str:
    made, side = seen.frames[move.seq - 1]["event"], seen.side
    theirs = other(side)
    own, others = seen.offers(side, move.seq), seen.offers(theirs, move.seq)
    asked = seen.frames[0]["event"]["price"]
    table = others[-1]["price"] if others else asked if side == "buyer" else None
    told = {
        "rival": seen.rival,
        "asked": seen.money(asked),
        "round": made["round"],
        "rounds": seen.frames[0]["event"]["max_rounds"],
        "theirs": "" if table is None else seen.money(table),
    }
    form: str = kind
    if made["kind"] == "offer":
        told["made"] = seen.money(made["price"])
    if made["kind"] == "walk" and table is None:
        form = "walked_first"
    elif side == "seller" and kind in ("anchor_low", "anchor_high"):
        form = "asked_down"
    elif kind == "stood" and move.best is not None and move.best.kind == "accept" and others:
        form = "stood_on"
    elif kind in ("steps_large", "steps_small"):
        told["step"] = seen.money(_toward(own[-1]["price"], made["price"], side))
        answer = next((one for one in seen.offers(theirs) if one["seq"] > move.seq), None)
        if answer is not None and table is not None:
            back = _toward(table, answer["price"], theirs)
            form, told["back"] = "answered" if back > 0 else "unanswered", seen.money(back)
    facts = say.of("facts", form, **told)
    pattern = _pattern(move.seq, seen) if kind == "steps_large" else ""
    return f"{facts} {pattern}".rstrip()


def _pattern(seq: int, seen: Seen) -> str:
    """Say what all steps from a move on gave and got, where there were several and more given."""
    gave, steps = _given(seen.side, seq, seen)
    got, _ = _given(other(seen.side), seq, seen)
    if steps < 2 or got >= gave:
        return ""
    told = {"round": seen.frames[seq - 1]["event"]["round"], "gave": seen.money(gave)}
    return say.of("facts", "pattern", got=seen.money(got), **told)


def _given(side: Side, seq: int, seen: Seen) -> tuple[float, int]:
    """Return by how much a side gave way from a move on, a yes included, and in how many steps."""
    path = [(one["seq"], one["price"]) for one in seen.offers(side)]
    if side == "seller":
        path.insert(0, (0, seen.frames[0]["event"]["price"]))
    ended = seen.frames[-1]["event"]
    if ended["price"] is not None and ended["by"] == side:
        path.append((seen.frames[-1]["seq"], ended["price"]))
    steps = [
        _toward(before, after, side) for (_, before), (at, after) in pairwise(path) if at >= seq
    ]
    return sum(steps), sum(step > 0 for step in steps)
