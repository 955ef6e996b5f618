"""The GPU market as a kind of environment."""

from typing import Any

from bazaarbatna.envs.market.actions import ActionForm, Turn, read_turn
from bazaarbatna.envs.market.resets import MarketReset
from bazaarbatna.envs.market.seat import MarketAnswer, MarketSeat, MarketStanding
from bazaarbatna.envs.market.views import MarketView
from bazaarbatna.envs.openenv.kinds import Kind

PREFIX = "/env/market"
"""What an OpenEnv client takes as the path of its ``base_url``."""

Wire = dict[str, Any]

MARKET: Kind[MarketReset, Wire, Turn, MarketAnswer] = Kind(
    name="gpu_budget_negotiation",
    title="BazaarBATNA: the GPU market",
    about=(
        "Two to five labs trade scarce GPU blocks, pool them in coalitions and live through "
        "shocks; jobs, budgets and characters of the others are hidden."
    ),
    page="market_environments.md",
    seat=MarketSeat,
    wanted=MarketReset,
    wire=Wire,
    turn=Turn,
    read=read_turn,
    action=ActionForm,
    view=MarketView,
    answer=MarketAnswer,
    standing=MarketStanding,
)
