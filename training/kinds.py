"""What kinds of runs there are, in words, and which command plays each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

EVALUATE = "evaluate"


class Kind(msgspec.Struct, frozen=True):
    """A kind of run that the worker plays; ``unit`` is what its progress counts."""

    name: str
    title: str
    unit: str
    is_stage: bool = True


ALL: tuple[Kind, ...] = (
    Kind("league", "League", "steps"),
    Kind("base", "Pretraining", "steps"),
    Kind("sft", "SFT", "steps"),
    Kind("grpo", "GRPO", "steps"),
    Kind("dpo", "DPO", "steps"),
    Kind("market-sft", "Lab, SFT", "steps"),
    Kind("market-grpo", "Lab, GRPO", "steps"),
    Kind("voice-sft", "Voice, SFT", "steps"),
    Kind("voice-dpo", "Voice, DPO", "steps"),
    Kind(EVALUATE, "Evaluation", "bargains", is_stage=False),
    Kind("strangers", "Strangers", "bargains", is_stage=False),
    Kind("ablation", "Ablation", "bargains", is_stage=False),
    Kind("ceilings", "Ceilings", "bargains", is_stage=False),
    Kind("people", "Sellers who answer", "bargains", is_stage=False),
    Kind("market", "Market", "markets", is_stage=False),
)
"""In the order of the pipeline."""

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in ALL})


def kind_of(name: str) -> Kind:
    """Describe a kind, also one that another room plays (bots)."""
    return KINDS.get(name) or Kind(name, name.capitalize(), "bargains", is_stage=False)


def command_of(config: Mapping[str, Any]) -> str:
    """Name the management command that plays a run of this configuration.

    A run whose configuration names a ``stage`` is one of ``manage.py train``: also the evaluation
    at a chain's end, whose plan cannot be pinned before its model exists.
    """
    return "train" if "stage" in config else "evaluate"
