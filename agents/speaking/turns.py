"""A turn as the voice in the box meets it: its plan, its cue, and what fills the slots."""

from random import Random

import msgspec

from agents.lines.register import Register
from agents.lines.topics import last_words
from agents.speaking.bank import ANY_GOODS, ASK, LAST, shelves
from agents.speaking.cues import Cue, in_slots
from agents.speaking.languages import FIRST, language_of
from agents.speaking.plan import plan_of
from agents.speaking.promises import can_promise
from agents.speaking.sides import own_words
from agents.speaking.speaker import slots_of, thing_of
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from negotiation.plans import Plan

PROMISE_P = 0.15
"""How often she offers a step for a step where she stands still and could keep it."""


class Planned(msgspec.Struct, frozen=True):
    """A turn whose words are missing.

    Attributes:
        seen: the position before the move.
        move: what is played; None where words alone are wanted.
        plan: of the turn.
        language: that she speaks.
        said: her lines of this game.
        slots: what is put in the place of each slot.
        cue: what the model is told.
    """

    seen: BuyerObservation
    move: Move | None
    plan: Plan
    language: Register
    said: tuple[str, ...]
    slots: dict[str, str]
    cue: Cue


def planned(seen: BuyerObservation, move: Move | None, seed: int) -> Planned:
    """Plan a turn, and write down what the model is told of it.

    Args:
        seen: the position before the move.
        move: what is played, None for words alone.
        seed: of the game.
    """
    plan, language, said = plan_of(seen, move), language_of(seen) or FIRST, own_words(seen)
    prices = {LAST: seen.own_last_bid, ASK: seen.standing_ask}
    heard = tuple(one.act for one in plan.heard)
    dice = Random(f"{seed}:{len(seen.bids)}:{len(seen.turns)}")
    cue = Cue(
        language=language,
        thing=thing_of(seen.item.title),
        shelf=shelves().get(seen.item.category, ANY_GOODS),
        move=plan.move,
        # An ask stands on the table, whether or not the words named it.
        heard=heard if plan.move == "talk" or "price" in heard else (*heard, "price"),
        speaks_to=plan.speaks_to or ("price",),
        promise=plan.move == "hold" and can_promise(seen, move) and dice.random() < PROMISE_P,
        final=seen.rounds_left == 0 and plan.move in ("concede", "hold", "open"),
        before=in_slots(said[-1], prices) if said else "",
        said=in_slots(last_words(seen.turns), prices),
    )
    return Planned(seen, move, plan, language, tuple(said), slots_of(seen, move, language), cue)
