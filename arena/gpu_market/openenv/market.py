"""The GPU market as a kind of environment."""

from typing import Any

import msgspec

from arena.gpu_market.environment.actions import ActionForm, Turn, read_turn
from arena.gpu_market.environment.resets import MarketReset
from arena.gpu_market.environment.seat import MarketAnswer, MarketSeat, MarketStanding
from arena.gpu_market.environment.views import MarketView
from negotiation.openenv.frames import Frame, StepRequest
from negotiation.openenv.kinds import Kind
from negotiation.openenv.records import Record

PREFIX = "/env/market"
"""What an OpenEnv client takes as the path of its ``base_url``."""

Wire = dict[str, Any]
"""Any object at all may come as an action: what is none uses the turn up."""

MarketFrame = Frame[MarketReset, Wire]

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
    read=read_turn,
    frames=msgspec.json.Decoder(MarketFrame),
    resets=msgspec.json.Decoder(MarketReset),
    steps=msgspec.json.Decoder(StepRequest[Wire]),
    records=msgspec.msgpack.Decoder(Record[MarketReset, Turn]),
    action=ActionForm,
    view=MarketView,
    answer=MarketAnswer,
    standing=MarketStanding,
)
