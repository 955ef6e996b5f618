"""A player by somebody's own words to a model: an arm of a study can be a prompt.

What is said and offered passes the same checks as everything a model says here. The words, and what
they may cost, are known to a room above, which gives itself as the ``Author``.
"""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Protocol

import msgspec

from agents import asking
from agents.asking import by_rules
from agents.backends.base import Chat, Message
from agents.buyers.live import decide
from agents.buyers.sauda import Sauda
from agents.dialects.parsing import Parsed, parse
from agents.gates.ledger import reserve_microusd
from agents.output_guard.coherence import is_coherent, recites, tidy
from agents.prompts import buyer as buyers_prompt
from agents.router import Answer
from agents.sellers.live import render as render_seller
from agents.sellers.live import settle, settle_talk
from agents.sellers.persona import PERSONAS
from agents.sellers.rule_seller import RuleSeller
from agents.speech.sides import own_words
from agents.text.rounding import people_price
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation, Observation, SellerObservation
from bazaarbatna.bargain.quantities import Paise, Side
from negotiation.policies import Entry, PassedOver, Played, Request, ShowPartialText
from negotiation.threads import in_thread

BUYER, SELLER = "prompted", "seller:prompted"
"""Names of the two players; which words they speak by is settled by the game."""

VERSION = "prompted@1"
PERSONA = "default"
"""The seller whose rules bend a model's steps, and play where no model answers."""

MANNERS: dict[str, str] = {
    "warm": "Be warm: greet, thank, praise what is fair, never press.",
    "cold": "Be cold: no greeting, no thanks, no small talk, as few words as will do.",
    "english": "Speak English only.",
    "hinglish": "Speak Hinglish in Latin letters only.",
    "hindi": "Speak Hindi in Devanagari only.",
}


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """How a model is told to play: the author's ``words`` and what else is fixed.

    ``opening`` is a buyer's first bid as a part of the first ask (0: the model's own);
    ``backend`` names the one that is asked ("": any), ``warmth`` and ``tongue`` keys of ``MANNERS``
    or others, which add nothing. ``left_microusd``: what may still be spent.
    """

    words: str = ""
    temperature: float = 0.6
    opening: float = 0.0
    warmth: str = "neutral"
    tongue: str = ""
    backend: str = ""
    left_microusd: int = 0

    @property
    def only(self) -> tuple[str, ...]:
        """The backends that may answer; none named: all."""
        return (self.backend,) if self.backend else ()

    @property
    def told(self) -> str:
        """What stands before the rules of the table in a model's instructions."""
        manners = (MANNERS.get(self.warmth, ""), MANNERS.get(self.tongue, ""))
        return "\n".join(filter(None, (self.words.strip(), *manners)))

    @property
    def digest(self) -> str:
        """A name of these orders for the log of a game."""
        fixed = (self.told, self.temperature, self.opening, self.backend)
        return sha256(repr(fixed).encode()).hexdigest()[:8]


class Author(Protocol):
    """Whoever knows by which words a game is played. Its methods block."""

    def orders(self, game: str) -> Orders | None:
        """Return the orders for a game; None where there are none."""

    def note(self, request: Request, chat: Chat, answer: Answer, played: Played) -> None:
        """Keep what a model was asked, what it answered and what came of it."""


_authors: list[Author] = []


def speak_for(author: Author) -> None:
    """Ask this one from now on."""
    _authors[:] = [author]


class LivePrompted:
    """Asks a model for the turn of a side, by the words of the game's author."""

    def __init__(self, entry: Callable[[], Entry]) -> None:
        self._entry = entry

    def awake(self) -> bool:
        """Whether a model is configured."""
        return bool(_authors) and asking.awake()

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        """Play a turn; rules play it where no model answers, or nothing more may be spent."""
        orders = await in_thread(_authors[0].orders)(request.game)
        if orders is None:
            return by_rules(self._entry(), request, _silence("no-orders"))
        chat = chat_for(orders, request)
        answer = _silence("study-spend")
        if reserve_microusd(chat) <= orders.left_microusd:
            answer = await asking.ask(chat, request.client, only=orders.only)
        made = _made(request, orders, parse(answer.text) if answer.backend else None)
        if made is None:
            played = _opened(by_rules(self._entry(), request, answer), request, orders)
        else:
            version = f"{VERSION}/{orders.digest}/{answer.backend}:{answer.model}"[:80]
            played = Played(made, answer.backend, version, answer.passed_over)
        await in_thread(_authors[0].note)(request, chat, answer, played)
        return played


def chat_for(orders: Orders, request: Request) -> Chat:
    """Write what a model is asked: the author's words, then the rules of the table, the position.

    The author's come first and cannot be told from ours by whoever sits opposite: what a model
    recites of either is not said.
    """
    seen, only_words = request.observation, request.speak_only
    if isinstance(seen, BuyerObservation):
        system, position = buyers_prompt.render(seen, speak_only=only_words)
        if not seen.bids and orders.opening and not only_words:
            amount = _opening(orders, seen) / 100
            position = Message("user", f"{position.content}\nYour first bid is {amount:g}.")
    else:
        system, position = render_seller(seen, PERSONAS[PERSONA], speak_only=only_words)
    # The first line says who our own player is; the others are the rules.
    who, _, rules = system.content.partition("\n")
    told = f"{orders.told or who}\n{rules}"
    chat = asking.chat_of((Message("system", told), position))
    return msgspec.structs.replace(chat, temperature=orders.temperature)


def entry_of(side: Side, live: LivePrompted) -> Entry:
    """Return a side's player; by rules it is the one that a visitor meets."""
    if side == "buyer":
        return Entry(BUYER, VERSION, "model", Sauda.title, "rules", Sauda, live=live)
    return Entry(
        SELLER,
        VERSION,
        "model",
        "Shopkeeper",
        "rules",
        partial(RuleSeller, persona=PERSONA),
        side="seller",
        live=live,
    )


def _silence(why: str) -> Answer:
    return Answer(passed_over=(PassedOver("prompt", why),))


def _made(request: Request, orders: Orders, parsed: Parsed | None) -> Move | str | None:
    if parsed is None:
        return None
    if recites(parsed.message, orders.told):
        parsed = msgspec.structs.replace(parsed, message="")
    seen = request.observation
    if isinstance(seen, SellerObservation):
        settling = settle_talk if request.speak_only else settle
        return settling(seen, PERSONA, request.seed, parsed)
    return _bought(seen, request, orders, parsed)


def _bought(
    seen: BuyerObservation, request: Request, orders: Orders, parsed: Parsed
) -> Move | str | None:
    said, text = own_words(seen), tidy(parsed.message)
    if request.speak_only:
        return text if is_coherent(text, seen, None) and text not in said else None
    move = parsed.to_move()
    if move is None:
        return None
    if isinstance(move, Offer) and not seen.bids and orders.opening:
        move = msgspec.structs.replace(move, price=_opening(orders, seen))
    silent = msgspec.structs.replace(move, text="")
    made = decide(seen, silent, request.seed, steer=False, said=said)
    # How it is said is the author's: only what may be said at all is asked, not our own style.
    if text not in said and is_coherent(text, seen, made):
        return msgspec.structs.replace(made, text=text)
    return made


def _opened(played: Played, request: Request, orders: Orders) -> Played:
    """Put the first bid of the orders in the place of that of rules, in their words."""
    seen, move = request.observation, played.answer
    if not isinstance(seen, BuyerObservation) or not isinstance(move, Offer):
        return played
    if seen.bids or not orders.opening:
        return played
    bid = Offer(_opening(orders, seen))
    made = decide(seen, bid, request.seed, steer=False, said=own_words(seen))
    return msgspec.structs.replace(played, answer=made)


def _opening(orders: Orders, seen: Observation) -> Paise:
    assert isinstance(seen, BuyerObservation)
    wanted = min(orders.opening * seen.opening_ask, seen.budget)
    return Paise(min(people_price(wanted, seen.opening_ask), seen.budget))
