"""What the market's HTTP API reads; unknown fields are refused."""

from typing import Annotated, Any, Literal

from django.conf import settings
from ninja import Schema
from pydantic import ConfigDict, Field

from arena.gpu_market.engine.scenario import RewardMix, ShockKind
from arena.gpu_market.room.control import SLOWEST_S
from arena.gpu_market.room.facts import ARCHETYPE
from arena.gpu_market.room.judge_rulings import JudgeName
from arena.gpu_market.room.orders import Order

Name = Annotated[str, Field(max_length=60)]
Pace = Annotated[float, Field(ge=0, le=SLOWEST_S, allow_inf_nan=False)]


class NewMarket(Schema):
    """A match to start.

    ``policy`` plays ``lab``: "you", "archetype" or the name of a policy; ``others`` plays all other
    labs, which follow their archetypes where nothing is said. Without a ``seed`` it is drawn.
    ``pace`` is in seconds between two turns of a demo, 0 plays it to its end at once. ``public``
    lets others look on at a person's match. ``judge_mode`` opens a court for pitches.
    """

    model_config = ConfigDict(extra="forbid")

    task: Name
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    policy: Name = "rule_expert"
    lab: Annotated[int, Field(ge=0, lt=16)] = 0
    others: Name = ARCHETYPE
    pace: Pace | None = None
    public: bool | None = None
    options: Annotated[list[ShockKind], Field(max_length=8)] = []
    reward: RewardMix = "default"
    judge_mode: JudgeName = "off"

    def order(self) -> Order:
        """Turn the request into an order."""
        return Order(
            task=self.task,
            seed=self.seed,
            policy=self.policy,
            lab=self.lab,
            others=self.others,
            pace_s=settings.MARKET_PACE_S if self.pace is None else self.pace,
            public=self.public,
            options=tuple(self.options),
            reward=self.reward,
            judge_mode=self.judge_mode,
        )


class Deed(Schema):
    """An action, and the round that it is meant for (None: the present one)."""

    model_config = ConfigDict(extra="forbid")

    action: dict[str, Any]
    round: Annotated[int, Field(ge=0, lt=1000)] | None = None


class NewPace(Schema):
    """Stop a demo, let it go on, or let one lab act."""

    model_config = ConfigDict(extra="forbid")

    pause: bool | Literal["step"]
    pace: Pace | None = None


class WhatIf(Schema):
    """Another action in the turn with the log's number ``seq``."""

    model_config = ConfigDict(extra="forbid")

    seq: Annotated[int, Field(ge=1, lt=2**31)]
    action: dict[str, Any]
