"""Bots that strangers might bring, without a socket between them and the site."""

from collections.abc import Callable
from typing import Any

import msgspec

from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.openenv.errors import Unplayable
from training.bots import plays
from training.bots.models import Bot, Play
from training.bots.socket import Seat
from training.bots.tasks import advance

Decide = Callable[[dict[str, Any]], dict[str, Any]]
"""An observation to an action."""


def halfway(seen: dict[str, Any]) -> dict[str, Any]:
    """A decent bot: a little more each round, and never more than the seller asks."""
    ask, budget = seen["standing_ask"], seen["budget"]
    bid = round(min(budget, seen["opening_ask"] * (0.4 + 0.06 * seen["round"])), 2)
    if seen["may_accept"] and ask <= bid * 1.05:
        return {"action": "accept"}
    return {"action": "offer", "price": bid, "message": f"{bid} is fair."}


def accepts(_seen: dict[str, Any]) -> dict[str, Any]:
    """Takes everything."""
    return {"action": "accept"}


def plays_all_games(bot: Bot, session: str, decide: Decide = accepts) -> list[dict[str, Any]]:
    """Play until nothing is dealt any more; gives all that the bot saw."""
    seat, done = Seat(bot, session), True
    seen: list[dict[str, Any]] = []
    try:
        while True:
            shown, _ = seat.next_game()
            seen.append(_as_sent(shown))
            done = False
            while not done:
                shown, _, done = seat.step(Action(**decide(seen[-1])))
                seen.append(_as_sent(shown))
    except Unplayable:
        assert done
    return seen


def _as_sent(shown: dict[str, Any]) -> dict[str, Any]:
    return dict(msgspec.json.decode(msgspec.json.encode(shown)))


def plays_to_its_end(bot: Bot, decide: Decide = halfway, check: Decide | None = None) -> Play:
    """Play all games over one connection and the check over another one."""
    play = plays.begin_play(bot, 1)
    for session, decision in (("one", decide), ("two", check or decide)):
        plays_all_games(bot, session, decision)
        assert advance(play.pk) == "over"
    return Play.objects.select_related("run", "bot").get(pk=play.pk)
