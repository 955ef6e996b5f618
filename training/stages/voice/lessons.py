"""Exchanges of the corpus as lessons, positions and measures, with slots in her words.

Each reading draws anew: another thing of the catalogue, her own last line or none, and, where a
line answers anybody, another seller's words.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from agents.speech.bank import (
    ANY_GOODS,
    ASK,
    ITEM,
    LAST,
    OR,
    Exchange,
    corpus,
    is_held_out,
    shelves,
)
from agents.speech.cues import Cue, Planned, in_slots, planned, prompt_of
from agents.speech.model import DRAWN, Engine, said_of, wrongs
from agents.speech.nouns import thing_of
from agents.speech.speaker import Speaker, filled
from agents.text.languages import Register
from agents.text.price_text import read_prices
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SALE, Item
from bazaarbatna.money import rupees_text
from negotiation.catalogue.stock import DATA, Entry, Shelf, read_shelf, read_stock

OTHER_SELLER_P = 0.4  # How often a line that answers anybody is read beside another seller's words
NAMED_P = 0.5  # How often the thing stands in her line by its name, and not as a slot
FIRST_TURN_P = 0.15  # How often her last line is left out
ROUNDS = 8
BEGUN, STEP, PURSE = 0.6, 0.05, 0.9  # Her last bid, her step and her budget, as shares of the ask


class Lesson(msgspec.Struct, frozen=True):
    """What the model reads, and what it is to say."""

    prompt: str
    answer: str


def exchanges(languages: Sequence[Register], *, held_out: bool = False) -> list[Exchange]:
    """Return the exchanges that are learned from, or those that measure."""
    return [one for one in corpus() if one.language in languages and is_held_out(one) == held_out]


def lessons(languages: Sequence[Register], epochs: float, seed: int) -> list[Lesson]:
    """Read the corpus several times, each time in an order and with draws of its own."""
    learned = exchanges(languages)
    groups = _alike(learned)
    made: list[Lesson] = []
    for number in range(int(epochs) + (epochs % 1 > 0)):
        dice = Random(f"voice:{seed}:{number}")
        part = 1.0 if number < int(epochs) else epochs % 1
        read = dice.sample(learned, round(part * len(learned)))
        made += [_lesson(_spoken_to(one, groups, dice), dice) for one in read]
    return made


def cue_of(one: Exchange, dice: Random) -> Cue:
    """Write an exchange's turn as the model reads it."""
    said = read_prices(one.said, None, None).price if "price" in one.heard else None
    return Cue(
        language=one.language,
        thing=_thing(one, dice),
        shelf=one.goods,
        move=one.move,
        heard=one.heard,
        speaks_to=one.speaks_to,
        promise=one.promise,
        final=one.final,
        before="" if dice.random() < FIRST_TURN_P else one.before,
        said=in_slots(one.said, {ASK: said}),
    )


def _lesson(one: Exchange, dice: Random) -> Lesson:
    cue = cue_of(one, dice)
    if cue.shelf == ANY_GOODS:
        shelf = dice.choice([*_things()])
        cue = msgspec.structs.replace(
            cue, shelf=shelf, thing=_named_in(one, shelf) or dice.choice(_things()[shelf])
        )
    line = one.line
    if ITEM in line and one.language == "english" and dice.random() < NAMED_P:
        line = line.replace(ITEM, cue.thing)
    return Lesson(prompt_of(cue), line)


def _thing(one: Exchange, dice: Random) -> str:
    # What its words are about, where they tell.
    if one.goods == ANY_GOODS:
        return ""
    named = _named_in(one, one.goods)
    return named or (one.needs[-1].split(OR)[0] if one.needs else dice.choice(_things()[one.goods]))


def _named_in(one: Exchange, shelf: str) -> str:
    words = f"{one.said} {one.line}".lower()
    return next((thing for thing in _things()[shelf] if thing.lower() in words), "")


def _alike(learned: Sequence[Exchange]) -> dict[tuple[object, ...], list[Exchange]]:
    groups: dict[tuple[object, ...], list[Exchange]] = defaultdict(list)
    for one in learned:
        if _answers_anybody(one):
            groups[_kind(one)].append(one)
    return groups


def _spoken_to(
    one: Exchange, groups: dict[tuple[object, ...], list[Exchange]], dice: Random
) -> Exchange:
    # Another seller's words before a line that fits them as well.
    if not _answers_anybody(one) or dice.random() >= OTHER_SELLER_P:
        return one
    other = dice.choice(groups[_kind(one)])
    return msgspec.structs.replace(one, said=other.said, heard=other.heard, before=other.before)


def _answers_anybody(one: Exchange) -> bool:
    return not one.needs and one.goods == ANY_GOODS


def _kind(one: Exchange) -> tuple[object, ...]:
    return (one.language, one.speaks_to, one.move == "talk", one.move == "open")


@cache
def _things() -> dict[str, tuple[str, ...]]:
    return {path.stem: tuple(_names(path.stem)) for path in sorted(DATA.glob("*.toml"))}


def _names(shelf: str) -> Iterator[str]:
    for listing in read_shelf(DATA / f"{shelf}.toml").listing:
        if name := thing_of(listing.title):
            yield name


class Position(msgspec.Struct, frozen=True):
    """A position, and what is played in it; None where words alone are wanted."""

    seen: BuyerObservation
    move: Move | None


def position_of(one: Exchange, seed: int = 0) -> Position:
    """Make the position of an exchange."""
    shelf, entry = _listing(one, Random(f"position:{seed}:{one.line}"))
    named = read_prices(one.said, None, None).price if "price" in one.heard else None
    # A bare "12" means thousands; an ask of a few rupees is none of this catalogue.
    ask = named if named is not None and named >= 100_00 else Paise(entry.list * 100)
    last = Paise(round(BEGUN * ask / 5000) * 5000 or 1000)
    bids = () if one.move == "open" else (last,)
    asks = (ask,) if one.move == "open" else (Paise(round(1.1 * ask)), ask)
    slots = {LAST: rupees_text(last / 100), ITEM: thing_of(entry.title)}
    before = Turn("buyer", 1, "offer", last, filled(one.before, slots))
    said = Turn("seller", 1, "message" if one.move == "talk" else "offer", ask, one.said)
    seen = BuyerObservation(
        suite=SALE,
        item=Item(entry.title, shelf.category),
        round=ROUNDS if one.final else 2,
        max_rounds=ROUNDS,
        asks=asks,
        bids=bids,
        budget=Paise(round(PURSE * ask) + 7_00),
        deadline=None,
        persona=None,
        tells=None,
        turns=(before, said) if bids and one.before else (said,),
        career=None,
        done=False,
        outcome=None,
    )
    return Position(seen, _move(one, last, ask))


def _move(one: Exchange, last: Paise, ask: Paise) -> Move | None:
    match one.move:
        case "talk":
            return None
        case "accept":
            return Accept()
        case "leave":
            return Walk()
        case "concede":
            return Offer(Paise(last + max(1000, round(STEP * ask / 1000) * 1000)))
        case _:
            return Offer(last)


def _listing(one: Exchange, dice: Random) -> tuple[Shelf, Entry]:
    there = [
        (shelf, entry, name)
        for shelf, entry, name in _stock()
        if one.goods == ANY_GOODS or shelves()[shelf.category] == one.goods
    ]
    said = one.said.lower()
    named = [found for found in there if found[2] and found[2] in said]
    shelf, entry, _ = dice.choice(named or there)
    return shelf, entry


@cache
def _stock() -> tuple[tuple[Shelf, Entry, str], ...]:
    return tuple(
        (shelf, entry, thing_of(entry.title).lower())
        for shelf in read_stock()
        for entry in shelf.listing
    )


PATIENCE_S = 60.0  # Lines are judged here, not the clock


class Answer(msgspec.Struct, frozen=True):
    """What was said in a position, by whom: the drawn lines with their faults, the chosen one."""

    language: Register
    said: str
    thing: str
    move: str
    drawn: tuple[tuple[str, tuple[str, ...]], ...]
    chosen: str
    bank: str


def answers(
    engine: Engine, languages: Sequence[Register], tick: Callable[[], None] = lambda: None
) -> list[Answer]:
    """Have the voice and the bank answer every held-out exchange."""
    made = []
    for number, one in enumerate(exchanges(languages, held_out=True)):
        at = position_of(one)
        turn = planned(at.seen, at.move, number)
        drawn = drawn_lines(engine, turn, number)
        chosen = first_faultless(drawn)
        speaker = Speaker(number)
        made.append(
            Answer(
                one.language,
                one.said,
                turn.cue.thing,
                turn.plan.move,
                tuple(drawn),
                said_of(chosen, turn),
                speaker.reply(at.seen) if at.move is None else speaker.line(at.seen, at.move),
            )
        )
        tick()
    return made


def drawn_lines(engine: Engine, turn: Planned, seed: int) -> list[tuple[str, tuple[str, ...]]]:
    """Draw lines for a turn without looking at the clock; each with what is wrong with it."""
    drawn: dict[int, tuple[str, tuple[str, ...]]] = dict.fromkeys(range(DRAWN), ("", ("unended",)))

    def hear(number: int, line: str) -> bool:
        drawn[number] = (line, tuple(dict.fromkeys(wrongs(line, turn))))
        return False

    engine.draw_all(prompt_of(turn.cue), DRAWN, hear, time.monotonic() + PATIENCE_S, seed)
    return [*drawn.values()]


def first_faultless(drawn: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """Return the first line that may be said, or ""."""
    return next((line for line, faults in drawn if not faults), "")


def figures(made: Sequence[Answer]) -> dict[str, Any]:
    """Sum answers up: shares of all drawn lines, and of turns, by language."""
    known = {one.line for one in corpus()}
    found: dict[str, Any] = {}
    for language in dict.fromkeys(one.language for one in made):
        own = [one for one in made if one.language == language]
        lines = [line for one in own for line in one.drawn]
        wrong = Counter(fault for _, faults in lines for fault in faults)
        found[language] = {
            "turns": len(own),
            "lines": len(lines),
            "faulty": _share(sum(bool(faults) for _, faults in lines), len(lines)),
            "faults": {name: _share(count, len(lines)) for name, count in wrong.most_common()},
            "by_heart": _share(sum(line in known for line, _ in lines), len(lines)),
            "answered": _share(sum(bool(one.chosen) for one in own), len(own)),
            "bank_answered": _share(sum(bool(one.bank) for one in own), len(own)),
        }
    return found


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
