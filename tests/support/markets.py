"""Matches of the GPU market in the test's own database, played without a server."""

from typing import Any

from arena.gpu_market.web import matches
from arena.gpu_market.web.game import position_of
from arena.gpu_market.web.judge_rulings import Position
from arena.gpu_market.web.orders import Order
from arena.models import MarketMatch
from bazaarbatna.market import MarketAction, observe
from bazaarbatna.market.policies.registry import make_policy
from negotiation.models import Game

SEED = 8


def a_market(owner: str = "asha", **wanted: Any) -> MarketMatch:
    """A match: a demo of the medium task unless told otherwise, paced, at its opening."""
    order = Order(**({"task": "market_round", "seed": SEED, "pace_s": 1.0} | wanted))
    return matches.open_match(owner, order, client="local")


def a_persons_market(owner: str = "asha", **wanted: Any) -> MarketMatch:
    """A match in which its owner plays lab_0, at the first turn."""
    return a_market(owner, **({"policy": "you"} | wanted))


def where(match: MarketMatch) -> Position:
    """Where a match stands, read anew."""
    return position_of(Game.objects.get(pk=match.pk))


def plays_out(match: MarketMatch, owner: str = "asha") -> None:
    """Play a match to its end; its person does what the expert would do."""
    expert = make_policy("rule_expert", 0)
    while (state := where(match).state).ended is None:
        if match.is_demo:
            matches.step(match.pk, even_paused=True)
            continue
        action = expert(observe(state, state.turn))
        assert isinstance(action, MarketAction)
        matches.act(match.pk, owner, action)
