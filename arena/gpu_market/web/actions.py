"""What whoever plays a lab or started a demo does: act, consider, pause; and how many demos run."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from django.db import transaction

from arena.errors import NoSeat
from arena.gpu_market.board.names import credits_text
from arena.gpu_market.twins import ARCHETYPE
from arena.gpu_market.web import matches
from arena.gpu_market.web.errors import BadAction, BadMarket, NoControls
from arena.gpu_market.web.game import is_owner, lab_of, position_of
from arena.models import GOES_ON, MarketMatch
from arena.words import say
from bazaarbatna.bargain.errors import GameOver, NotYourTurn
from bazaarbatna.market import FIRST_TRADE, Malformed, MarketAction, State, consider
from bazaarbatna.market.archetypes import STEP
from bazaarbatna.market.blocks import Offer
from bazaarbatna.market.first_trade import NEW, counter_to
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS, Cents
from bazaarbatna.market.scripted import asked_price
from negotiation.errors import RateLimited


def consider_for(match_id: str, visitor: str, action: MarketAction | Malformed) -> dict[str, Any]:
    """Return ``ok``, ``code`` and ``message``: what would become of a person's action now."""
    match = matches.find(match_id, visitor)
    lab = lab_of(match, visitor)
    if lab is None:
        raise NoSeat(say("you_look_on_start_a_match_of"))
    if isinstance(action, Malformed):
        raise BadAction(action.why)
    state = position_of(match.game).state
    if state.ended is None and state.turn != lab:
        raise NotYourTurn(say("another_lab_is_to_act"))
    result = consider(state, lab, action)
    return {"ok": result.ok, "code": result.code, "message": result.message}


def counter_for(
    match_id: str, visitor: str, action: MarketAction, *, asks: bool = False
) -> dict[str, Any] | None:
    """Return the price that a lab asks, to its face, of who offers too little; else None.

    Money in hundredths of a credit: ``offer``, the ``counter``, and the lab's ``words``. It costs
    no turn: in a first trade ever again, elsewhere pages let it be asked once a round. ``asks``:
    the price was asked for, and the offer is but a form. The match remembers the bid.
    """
    match = matches.find(match_id, visitor)
    lab, target = lab_of(match, visitor), LAB_NUMBERS.get(action.target_lab_id)
    # Who has acted before the viewer answers in the next round, when it may want something else.
    if action.action != "send_offer" or lab is None or target is None or target <= lab:
        return None
    state = position_of(match.game).state
    before = [one for one in match.bids if one["about"] == _about(action)]
    bids = [one["payment"] for one in before]
    counter = _asked(match, state, lab, action, bids)
    if counter is None or action.payment >= counter:
        return None
    last = before[-1]["counter"] if before else counter
    # What a new round does to a price is no answer to a bid.
    has_moved = counter != last and before[-1]["round"] < state.round
    kind = _kind_of(action.payment, [] if has_moved else bids, counter, max(last, counter))
    kind = "asked" if asks else "later" if has_moved and counter < last else kind
    told = sum(one["kind"] == kind for one in match.bids)
    rise = action.payment - max(bids, default=0)
    words = answer_words(kind, told, action.payment, counter, rise=rise, last=last)
    remember(match, action, state.round, counter, kind)
    told_now = {"lab": action.target_lab_id, "words": words, "counter": counter}
    return {"code": "too-little", "detail": "", **told_now}


def _about(action: MarketAction) -> list[Any]:
    return [action.target_lab_id, list(action.block_ids), list(action.requested_block_ids)]


def _asked(
    match: MarketMatch, state: State, lab: int, action: MarketAction, bids: Sequence[int]
) -> int | None:
    target = LAB_NUMBERS[action.target_lab_id]
    if match.task == FIRST_TRADE:
        is_new = action.requested_block_ids == (NEW,)
        return counter_to(state, [*bids, action.payment]) if is_new else None
    at = state.round
    what = (action.block_ids, action.requested_block_ids, action.payment, action.message)
    offer = Offer("", LAB_IDS[lab], action.target_lab_id, *what, action.conditions, at, at)
    return asked_price(state, target, offer) if match.seats[target] == ARCHETYPE else None


def at_named_price(match_id: str, visitor: str, action: MarketAction) -> MarketAction:
    """Return an offer at the price that its lab has named for the same, where it offers more.

    A price that would still do binds the lab: nobody pays more for having missed it.
    """
    match = matches.find(match_id, visitor)
    lab, state = lab_of(match, visitor), position_of(match.game).state
    before = [one for one in match.bids if one["about"] == _about(action)]
    if action.action != "send_offer" or lab is None or not before:
        return action
    named = before[-1]["counter"]
    lower = msgspec.structs.replace(action, payment=Cents(named))
    still = _asked(match, state, lab, lower, [one["payment"] for one in before])
    # A new round, words and conditions may have changed what it wants.
    if action.payment <= named or (still is not None and still > named):
        return action
    return lower


def remember(match: MarketMatch, action: MarketAction, at: int, counter: int, kind: str) -> None:
    """Write down what was bid in round ``at``, and the price that its lab named."""
    bid = {"payment": action.payment, "counter": counter, "kind": kind}
    with transaction.atomic():
        # Of two bids at once neither is forgotten.
        kept = MarketMatch.objects.select_for_update().get(pk=match.pk)
        kept.bids = [*kept.bids[-MOST_BIDS:], bid | {"about": _about(action), "round": at}]
        kept.save(update_fields=["bids"])


def _kind_of(payment: int, bids: Sequence[int], counter: int, last: int) -> str:
    """Say what a bid is after ``bids`` to the lab that refuses it, whose price was ``last``."""
    if payment in bids or payment < max(bids, default=0):
        return "again" if payment in bids else "back"
    if counter < last:
        return "step"
    if payment >= NEAR * counter:
        return "near"
    if bids and payment - max(bids) < STEP:
        return "crumb"
    return "far" if payment < FAR * counter else "short"


def answer_words(
    kind: str, told: int, payment: int, counter: int, *, rise: int = 0, last: int = 0
) -> str:
    """Say a lab's answer to a bid; ``told``: how many of that kind it has said before.

    ``rise``: how far the bid is above those before; ``last``: the price that the lab named before.
    """
    fall = {"rise": rise, "last": last, "fall": last - counter}
    sums = {"bid": payment, "gap": counter - payment, **fall}
    written = {name: credits_text(one) for name, one in {**sums, "counter": counter}.items()}
    return say.of("bids", f"{kind}_{told % ANSWERS + 1}", **written)


NEAR, FAR = 0.75, 0.5
"""Of the counter: from here on an offer is nearly enough; below, far from it."""
ANSWERS = 3  # to each kind of bid, in turn
MOST_BIDS = 40  # that a match remembers

Pause = bool | Literal["step"]
"""True stops a demo, False lets it go on, "step" lets one lab act and stops it."""

RUNNING_PER_CLIENT = 4  # under way at once, of one address; paused ones do not count

RUNNING_AT_ONCE = 80  # of all addresses

WAIT_S = 20  # when somebody who found no room may ask again

SLOWEST_S = 60.0


def pace(match_id: str, visitor: str, pause: Pause, pace_s: float | None = None) -> bool:
    """Change how fast a demo goes, and return whether it is to be run now.

    ``pace_s`` are seconds between two turns from now on, 0..60; None: as before. Raises
    ``NoControls``, ``GameOver``, ``BadMarket`` or ``RateLimited``.
    """
    match = matches.find(match_id, visitor)
    if not match.is_demo or not is_owner(match, visitor):
        raise NoControls
    if match.is_over:
        raise GameOver(say("the_market_has_closed"))
    # Written so that it refuses NaN as well.
    if pace_s is not None and not 0 <= pace_s <= SLOWEST_S:
        raise BadMarket(say("a_pace_is_0_to_most_seconds", most=f"{SLOWEST_S:g}"), "pace")
    if pause is False and match.is_paused:
        check_room(match.game.client)
    faster = {} if pace_s is None else {"pace_s": pace_s}
    matches.set_pace(match_id, is_paused=pause is not False, **faster)
    if pause == "step":
        matches.step(match_id, even_paused=True)
    return pause is False


def check_room(client: str) -> None:
    """Raise ``RateLimited``, with the seconds to wait, when too many demos are under way."""
    running = MarketMatch.objects.filter(GOES_ON, is_over=False)
    if running.filter(game__client=client).count() >= RUNNING_PER_CLIENT:
        raise RateLimited(
            say("count_of_your_demos_are_under_way", count=RUNNING_PER_CLIENT), WAIT_S
        )
    if running.count() >= RUNNING_AT_ONCE:
        told = say("many_demos_are_under_way_start_yours")
        raise RateLimited(told, WAIT_S)
