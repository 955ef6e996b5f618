"""What the bazaar's first API called things: its names, beside today's."""

from typing import Any

import msgspec

from bazaarbatna.bargain.career import CAPITULATION_SHARE
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.rewards import normalised_surplus
from bazaarbatna.envs.bargain.seat import Notes
from bazaarbatna.envs.bargain.views import View


def seen_of_old(view: View, logs: tuple[Log, ...]) -> dict[str, Any]:
    """Write an observation under both names; ``logs`` are the bargains that are over.

    Rounds are counted there as those that are behind. Prices before there is one are null.
    """
    behind = view.round if view.outcome else view.round - 1
    said = [turn.message for turn in view.turns if turn.actor == "seller"]
    today = msgspec.structs.asdict(view)
    return today | {
        "current_round": behind,
        "rounds_remaining": view.max_rounds - behind,
        "item_name": view.item.title,
        "seller_asking_price": view.opening_ask,
        "opponent_last_offer": view.standing_ask,
        "seller_last_move_delta": view.last_concession if behind else None,
        "seller_personality": view.persona,
        "own_private_budget": view.budget,
        "own_private_deadline": view.deadline,
        "own_last_offer": view.own_last_bid,
        "episode_number": view.game,
        "total_episodes": view.games,
        "career_history": None if view.career is None else _career(view, logs),
        "deal_outcome": view.outcome,
        "message": said[-1] if said else f"Seller opens at {view.opening_ask:.2f}.",
    }


def notes_of_old(view: View, notes: Notes) -> dict[str, Any]:
    """Write what goes with an observation under both names."""
    told: dict[str, Any] = msgspec.to_builtins(notes)
    told |= {"reward_components": notes.reward_terms or {}}
    if view.result is None or view.done:
        return told
    return told | {"episode_done": True, "episode": view.result.game, "next_episode": view.game}


def _career(view: View, logs: tuple[Log, ...]) -> dict[str, Any]:
    deals = [_deal(number, log) for number, log in enumerate(logs, 1)]
    closed = [one for one in deals if one["agreed_price"] is not None]
    return {
        "deals": deals,
        "capitulation_rate": view.career.capitulation_rate if view.career else 0.0,
        "avg_normalized_surplus": _mean([one["normalized_surplus"] for one in closed]),
        "avg_rounds_to_close": _mean([one["rounds_taken"] for one in closed]),
    }


def _deal(number: int, log: Log) -> dict[str, Any]:
    ended, sealed = log.ended, log.scenario.sealed
    assert ended is not None
    price = ended.price
    return {
        "episode": number,
        "outcome": ended.outcome,
        "agreed_price": None if price is None else to_rupees(price),
        "rounds_taken": ended.round,
        "buyer_surplus": 0.0 if price is None else to_rupees(sealed.budget - price),
        "normalized_surplus": 0.0
        if price is None
        else normalised_surplus(sealed.budget, sealed.cost, price),
        "buyer_capitulated": price is not None and price > CAPITULATION_SHARE * log.scenario.anchor,
    }


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
