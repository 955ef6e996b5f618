"""From a seller's line to a position that is played, and to what every voice says in it.

The line comes with the prices that stood before it. What led there is made from the position's
seed: up to two earlier rounds, with words that are none of her voices'. Her move is the shipped
network's for all voices, so that only the words differ.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Protocol, get_args

import msgspec

from agents.buyers.network_buyer import NetworkBuyer
from agents.speech.cues import planned
from agents.speech.model import engine, said_of
from agents.speech.nouns import thing_of
from agents.speech.plan import plan_of
from agents.speech.speaker import Speaker
from agents.speech.voice import Voice
from agents.text.languages import Register
from agents.text.rounding import people_price
from bazaarbatna.bargain.episode import State, advance, say, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.quantities import Paise, to_paise, to_rupees
from bazaarbatna.bargain.scenario import SALE, Item, Scenario, SealedValues
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table
from negotiation.catalogue.stock import read_stock
from negotiation.sentences import sentences
from training.receipts.tables import Said, VoicePosition
from training.stages.voice.lessons import drawn_lines, first_faultless

_say = sentences(__file__)

LEARNED: tuple[Register, ...] = ("english",)  # Languages that the model in the box was tuned on


class Speaks(Protocol):
    """What finds words for a position."""

    def line(self, seen: BuyerObservation, move: Move, /) -> str:
        """Find the words for a move."""

    def reply(self, seen: BuyerObservation, /) -> str:
        """Answer words that named no price."""


class Role(msgspec.Struct, frozen=True):
    """A voice: its name in files, a page's name for it, and what makes it for a game's seed."""

    name: str
    title: str
    about: str
    make: Callable[[int], Speaks]
    languages: tuple[Register, ...] = get_args(Register)


class Boxed:
    """The small model as it would speak: where none of its lines may be said, the bank does."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def line(self, seen: BuyerObservation, move: Move) -> str:
        """Find the words for a move."""
        return self._drawn(seen, move) or Speaker(self.seed).line(seen, move)

    def reply(self, seen: BuyerObservation) -> str:
        """Answer words that named no price."""
        return self._drawn(seen, None) or Speaker(self.seed).reply(seen)

    def _drawn(self, seen: BuyerObservation, move: Move | None) -> str:
        voice, turn = engine(), planned(seen, move, self.seed)
        if voice is None:
            return ""
        if voice.state == "not-started":
            voice.load()
        line = first_faultless(drawn_lines(voice, turn, self.seed))
        return said_of(line, turn) if line else ""


CAST: tuple[Role, ...] = (
    Role("old", _say.text("the_old_voice"), _say.text("lines_by_mood_and_topic_with"), Voice),
    Role("bank", _say.text("the_bank"), _say.text("exchanges_written_by_hand_it_hears"), Speaker),
)
"""In the order in which they came to speak: a later one is compared with each before it."""

GUESTS: tuple[Role, ...] = (
    Role(
        "box",
        _say.text("the_model_in_the_box"),
        _say.text("a_model_of_135_million_parameters"),
        Boxed,
        LEARNED,
    ),
)
"""They join by ``--speak``: not every machine has what they need."""

ROLES: dict[str, Role] = {one.name: one for one in (*CAST, *GUESTS)}


def title_of(name: str) -> str:
    """Return what a page calls a voice; a voice that is gone keeps its name."""
    return ROLES[name].title if name in ROLES else name


ROUNDS = 8
MOST_BEFORE = 2  # Rounds at most that were played before the one of the line
SHORT = 3  # Letters of a word that is too short to name a thing ("set", "new")


class _Words(msgspec.Struct, frozen=True):
    """Last words of titles that mean something else in talk, and her plain words before a line."""

    no_things: str
    openings: dict[Register, tuple[str, ...]]
    next: dict[Register, tuple[str, ...]]


_WORDS = read_table(Path(__file__).with_suffix(".toml"), _Words)
NO_THINGS = frozenset(_WORDS.no_things.split())


class SellerLine(msgspec.Struct, frozen=True):
    """A held-out line; prices in rupees as they stood before it, ``price`` where it asks one."""

    text: str
    language: Register
    ask: float
    bid: float
    price: float | None
    acts: tuple[tuple[str, str], ...] = ()


class UnreadableLines(ValueError):
    """A file of lines is not what it should be."""


def read_lines(paths: Iterable[Path]) -> list[SellerLine]:
    """Read files of labelled lines, or raise ``UnreadableLines`` naming the file and the line."""
    found = []
    for path in paths:
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            try:
                found.append(msgspec.json.decode(line, type=SellerLine))
            except msgspec.DecodeError as wrong:
                raise UnreadableLines(f"{path.name}, line {number}: {wrong}") from wrong
    return found


def is_answered(line: SellerLine) -> bool:
    """Whether the game goes on after a line, so that there is something to say."""
    if not 0 < line.bid < line.ask:
        return False
    if line.price is None:
        return all(act != "agreement" for act, _ in line.acts)
    return line.bid < line.price <= line.ask


def choose(lines: Sequence[SellerLine], count: int, seed: int) -> list[SellerLine]:
    """Draw lines that are answered, each text once; all of them where there are too few."""
    usable = list({line.text: line for line in lines if is_answered(line)}.values())
    return Random(f"{seed}:lines").sample(usable, min(count, len(usable)))


def positions(lines: Sequence[SellerLine], seed: int) -> Iterator[VoicePosition]:
    """Play every line, and let every voice of the cast answer it."""
    for number, line in enumerate(lines, 1):
        yield spoken(_placed(line, f"v{number:03}", seed), CAST)


def spoken(position: VoicePosition, cast: Iterable[Role]) -> VoicePosition:
    """Let voices answer a position; what others have said in it stays."""
    seen, move = observe_buyer(state_of(position)), _move_of(position)
    texts = dict(position.texts)
    for role in cast:
        if position.language not in role.languages:
            continue
        voice = role.make(position.seed)
        texts[role.name] = voice.reply(seen) if move is None else voice.line(seen, move)
    return msgspec.structs.replace(position, texts=texts)


def state_of(position: VoicePosition) -> State:
    """Play a position again from what is published of it."""
    ask, bid = position.ask, position.bid
    sealed = SealedValues(
        reservation=Paise(ask // 2),
        cost=Paise(ask // 2),
        budget=_budget(ask, bid, position.seed),
        seed=position.seed,
    )
    item = Item(position.title, position.category)
    scenario = Scenario(SALE, item, ROUNDS, position.anchor, sealed, "0" * 32)
    state, _ = start(scenario)
    for said in position.talk:
        if said.price is None:
            state, _ = say(state, said.actor, said.text)
        else:
            state, _ = advance(state, Offer(said.price, said.text))
    return state


def _placed(line: SellerLine, name: str, seed: int) -> VoicePosition:
    own_seed = Random(f"{seed}:{name}").randrange(2**31)
    dice = Random(f"{own_seed}:before")
    ask, bid = to_paise(line.ask), to_paise(line.bid)
    asks, bids = _paths(ask, bid, dice.randint(0, MOST_BEFORE))
    openings, then = list(_WORDS.openings[line.language]), list(_WORDS.next[line.language])
    dice.shuffle(openings)
    dice.shuffle(then)
    talk: list[Said] = []
    for number, own in enumerate(bids):
        words = (openings[0] if number == 0 else then[number - 1]).format(bid=_money(own))
        talk.append(Said(actor="buyer", price=own, text=words))
        if number < len(bids) - 1:
            talk.append(Said(actor="seller", price=asks[number + 1], text=_money(asks[number + 1])))
    price = None if line.price is None else to_paise(line.price)
    talk.append(Said(actor="seller", price=price, text=line.text))
    title, category = _goods(line)
    placed = VoicePosition(
        id=name, language=line.language, seed=own_seed, title=title, category=category,
        anchor=asks[0], talk=tuple(talk), ask=ask if price is None else price, bid=bid,
        move="talk", to=None, texts={},
    )  # fmt: skip
    state = state_of(placed)
    if state.to_move != "buyer":
        return placed
    seen = observe_buyer(state)
    move = NetworkBuyer(own_seed).decide(seen)
    to = move.price if isinstance(move, Offer) else None
    return msgspec.structs.replace(placed, move=plan_of(seen, move).move, to=to)


def _move_of(position: VoicePosition) -> Move | None:
    match position.move:
        case "talk":
            return None
        case "accept":
            return Accept()
        case "leave":
            return Walk()
        case _:
            assert position.to is not None
            return Offer(position.to)


def _paths(ask: Paise, bid: Paise, before: int) -> tuple[list[Paise], list[Paise]]:
    # Asks from above, bids from below, none twice.
    asks, bids = [ask], [bid]
    for number in range(1, before + 1):
        higher = people_price(ask * (1 + 0.06 * number), ask)
        lower = people_price(bid * (1 - 0.12 * number), ask)
        if higher > asks[0] and 0 < lower < bids[0]:
            asks.insert(0, higher)
            bids.insert(0, lower)
    return asks, bids


def _budget(ask: Paise, bid: Paise, seed: int) -> Paise:
    # Between the two prices, or a little above the ask.
    share = Random(f"{seed}:budget").uniform(0.2, 1.1)
    return Paise(round(bid + share * (ask - bid)))


def _goods(line: SellerLine) -> tuple[str, str]:
    # Only where the words name it.
    words = re.findall(r"[a-z]+", line.text.lower())
    named = next((word for word in words if word in _things()), "")
    return named.capitalize(), _things().get(named, "")


@cache
def _things() -> dict[str, str]:
    # What people name with one word: the things of the catalogue, by category.
    found: dict[str, str] = {}
    for shelf in read_stock():
        names = [shelf.category, *(thing_of(entry.title) for entry in shelf.listing)]
        for name in names:
            word = name.lower().removesuffix("s")
            if word.isalpha() and len(word) > SHORT and word not in NO_THINGS:
                found.setdefault(word, shelf.category)
    return found


def _money(price: Paise) -> str:
    return rupees_text(to_rupees(price), "INR")
