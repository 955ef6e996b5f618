"""The arena's first API: its calls and names, beside today's, where the address names the episode.

Its clients keep one episode a server and name none; ``/env/market/first/<name>`` is their server.
The rules are its own too, which is the mix ``published``.
"""

from typing import Any, Literal

import msgspec
from django.http import HttpRequest

from bazaarbatna import nulls
from bazaarbatna.envs.bargain.resets import EpisodeId, Seed
from bazaarbatna.envs.market.actions import read_turn
from bazaarbatna.envs.market.resets import MarketReset
from bazaarbatna.envs.market.seat import MarketAnswer, MarketSeat, MarketStanding
from bazaarbatna.envs.market.views import BlockView, MarketView, OfferView
from bazaarbatna.envs.openenv.errors import Foreign
from bazaarbatna.envs.openenv.market import MARKET, PREFIX
from bazaarbatna.market import Reward
from bazaarbatna.market.judging import JudgeMode
from bazaarbatna.market.scenario import TASKS
from negotiation.limits import request_key
from negotiation.openenv.serving import shelf_of
from negotiation.openenv.views import body_of, endpoint

FIRST = PREFIX + "/first/{name}"
"""Where clients of the arena's first API play; the address names their episode."""

FIRST_SEED = 42
"""What a reset without a seed plays there."""

DIFFICULTIES: dict[str, str] = dict(
    zip((task.name for task in TASKS), ("easy", "medium", "hard"), strict=True)
)
COLUMNS = {name: name for name in Reward.__struct_fields__} | {
    f"{name}_score": name
    for name in Reward.__struct_fields__
    if not name.endswith(("_penalty", "_reward"))
}
"""Name of a column there -> its name here."""

NOT_BEFORE_THE_END = "What is private is shown to nobody before the end; the result opens it."


class FirstReset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What its reset takes. The difficulty is the task's."""

    task_type: str = "single_trade"
    seed: Seed = FIRST_SEED
    difficulty: Literal["easy", "medium", "hard"] | None = None
    judge_mode: JudgeMode = "off"


_resets = msgspec.json.Decoder(FirstReset)
_actions = msgspec.json.Decoder(dict[str, Any])


@endpoint("GET")
def health(request: HttpRequest, name: str) -> dict[str, str]:
    """Return that this process answers, in the word of old."""
    return {"status": "ok", "benchmark_id": MARKET.name}


@endpoint("GET")
def tasks(request: HttpRequest, name: str) -> dict[str, Any]:
    """List the tasks."""
    rows = [{"task_type": task, "difficulty": level} for task, level in DIFFICULTIES.items()]
    return {"benchmark_id": MARKET.name, "tasks": rows}


@endpoint("POST")
def reset(request: HttpRequest, name: str) -> dict[str, Any]:
    """Start an episode."""
    asked = nulls.decoded(_resets, body_of(request) or b"{}")
    wanted = MarketReset(
        asked.seed,
        msgspec.convert(name, EpisodeId),
        task=asked.task_type,
        judge_mode=asked.judge_mode,
        reward="published",
    )
    return _told(request, name, shelf_of(MARKET).reset(request_key(request), wanted))


@endpoint("POST")
def step(request: HttpRequest, name: str) -> dict[str, Any]:
    """Act."""
    action = read_turn(_actions.decode(body_of(request) or b"{}"))
    return _told(request, name, shelf_of(MARKET).step(request_key(request), name, action))


@endpoint("GET")
def state(request: HttpRequest, name: str) -> dict[str, Any]:
    """Return what everybody may know of where the episode stands."""
    if request.GET.get("include_private", "false").lower() in ("true", "1"):
        raise Foreign(NOT_BEFORE_THE_END)
    standing, view = _seated(request, name)
    return {"state": public_state(view, standing)}


def _seated(request: HttpRequest, name: str) -> tuple[MarketStanding, MarketView]:
    seat = shelf_of(MARKET).seat(request_key(request), name)
    assert isinstance(seat, MarketSeat)
    assert seat.view is not None
    return seat.state, seat.view


def _told(request: HttpRequest, name: str, answer: MarketAnswer) -> dict[str, Any]:
    standing, _ = _seated(request, name)
    today = msgspec.structs.asdict(answer)
    return today | {"observation": seen_of_old(answer, standing)}


def seen_of_old(answer: MarketAnswer, standing: MarketStanding) -> dict[str, Any]:
    """Write an observation under both names; where one means two things, as it was there."""
    view, columns = answer.observation, answer.metadata.reward_columns or Reward()
    own = next(one for one in view.labs if one.id == view.lab)
    blocks = [_block(one) for one in view.blocks]
    return msgspec.structs.asdict(view) | {
        **_common(view, standing),
        "controlled_lab_budget": view.budget,
        "controlled_lab_reputation": own.reputation,
        "private_jobs": [
            {
                "job_id": job.id,
                "gpu_hours_required": job.hours,
                "deadline_round": job.deadline,
                "base_value": job.base_value,
                "urgency_multiplier": job.urgency,
                "min_reliability": job.min_reliability,
                "partial_credit_allowed": job.partial,
                "private_notes": job.note,
                "completed": job.done,
                "allocated_block_ids": [one.id for one in view.blocks if one.job == job.id],
            }
            for job in view.jobs
        ],
        "owned_blocks": [one for one in blocks if one["owner_lab_id"] == view.lab],
        "public_market": {
            "available_blocks": [one for one in blocks if one["status"] == "available"],
            "market_pressure": view.pressure,
            "shock_history": [shock.shock for shock in view.shocks],
        },
        "reward": answer.reward or 0.0,
        "reward_breakdown": {old: getattr(columns, new) for old, new in COLUMNS.items()},
    }


def public_state(view: MarketView, standing: MarketStanding) -> dict[str, Any]:
    """Write what everybody may know."""
    return {
        **_common(view, standing),
        "task_type": view.task,
        "seed": standing.seed,
        "judge_mode": standing.judge_mode,
        "public_blocks": [_block(one) for one in view.blocks],
        "shock_history": [shock.shock for shock in view.shocks],
    }


def _common(view: MarketView, standing: MarketStanding) -> dict[str, Any]:
    result = view.last_action_result
    return {
        "task_id": f"{view.task}-{standing.seed}",
        "difficulty": DIFFICULTIES[view.task],
        "round_index": view.round,
        "max_rounds": view.rounds,
        "controlled_lab_id": view.lab,
        "visible_labs": [
            {
                "lab_id": lab.id,
                "public_name": lab.name,
                "reputation": lab.reputation,
                "public_budget_band": lab.budget,
                "public_demand": lab.demand,
                "owned_block_ids": [one.id for one in view.blocks if one.owner == lab.id],
                "active_offer_count": sum(
                    one.status == "open" and lab.id in (one.sender, one.target)
                    for one in view.offers
                ),
                "coalition_ids": [one.id for one in view.coalitions if lab.id in one.members],
            }
            for lab in view.labs
            if lab.id != view.lab
        ],
        "active_offers": [_offer(one) for one in view.offers if one.status == "open"],
        "active_coalitions": [
            {
                "coalition_id": one.id,
                "members": one.members,
                "purpose": one.purpose,
                "commitments": {pledge.lab: pledge.blocks for pledge in one.pledges},
                "trust_score": one.trust,
                "round_created": one.created,
                "expires_round": one.expires,
                "breach_status": one.breach,
            }
            for one in view.coalitions
            if one.open
        ],
        "message_history": [
            {
                "from_lab_id": one.lab,
                "to_lab_id": one.to or None,
                "round_index": one.round,
                "message": one.text,
                "signal": "neutral",
            }
            for one in view.messages
        ],
        "last_action_result": None
        if result is None
        else {"ok": result.ok, "code": result.code or "ok", "message": result.message},
        "cumulative_reward": standing.total_reward,
        "done": view.done,
    }


def _block(block: BlockView) -> dict[str, Any]:
    return {
        "block_id": block.id,
        "start_round": block.start,
        "duration": block.duration,
        "gpu_count": block.gpus,
        "reliability": block.reliability,
        "energy_cost": block.energy,
        "owner_lab_id": block.owner,
        "reserved_by": block.owner if block.status == "reserved" else None,
        "allocated_to_job_id": block.job or None,
        "status": block.status,
    }


def _offer(offer: OfferView) -> dict[str, Any]:
    return {
        "offer_id": offer.id,
        "from_lab_id": offer.sender,
        "to_lab_id": offer.target,
        "round_created": offer.created,
        "expires_round": offer.expires,
        "offered_blocks": offer.offered,
        "requested_blocks": offer.requested,
        "payment": offer.payment,
        "message": offer.message or None,
        "conditions": dict.fromkeys(offer.conditions, True),
        "status": "active",
        "linked_offer_id": offer.linked or None,
    }
