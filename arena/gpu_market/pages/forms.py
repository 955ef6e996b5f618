"""What visitors of the GPU market send: a market to start, an action of their own lab."""

from typing import Any

from django import forms
from django.http import QueryDict

from arena.gpu_market.board.names import TASK_TITLES
from arena.gpu_market.engine.actions import Malformed, MarketAction, read_action
from arena.gpu_market.policies.registry import POLICIES
from arena.gpu_market.room.orders import YOU, Order
from negotiation.scenarios import SEED_LIMIT

FIRST_TASK, FIRST_SEED, FIRST_POLICY = "coalition_market", 11, "rule_expert"
"""A market worth seeing: five labs, three shocks, a coalition that is betrayed."""

LISTS = ("block_ids", "requested_block_ids", "conditions")
TEXTS = ("target_lab_id", "offer_id", "coalition_id", "job_id", "message")


def seat_choices() -> list[tuple[str, str]]:
    """List who can play the first lab: you, or any scripted policy."""
    return [(YOU, "You"), *((name, name.replace("_", " ")) for name in POLICIES)]


class StartForm(forms.Form):
    """A market: which task, which seed, and who plays the first lab."""

    task = forms.ChoiceField(choices=list(TASK_TITLES.items()))
    seed = forms.IntegerField(
        min_value=0,
        max_value=SEED_LIMIT - 1,
        error_messages={
            "invalid": "A seed is a whole number, like 7.",
            "required": "Give a seed: any whole number, like 7.",
        },
    )
    policy = forms.ChoiceField(choices=seat_choices())

    def order(self, pace_s: float) -> Order:
        """Give the match that was asked for; the form must be valid.

        Args:
            pace_s: seconds between two turns of a demo.
        """
        asked = self.cleaned_data
        return Order(task=asked["task"], seed=asked["seed"], policy=asked["policy"], pace_s=pace_s)


def action_of(post: QueryDict) -> MarketAction | Malformed:
    """Read an action from a form post; what the form left empty is left out."""
    told: dict[str, Any] = {"action": post.get("action", "")}
    told |= {name: post[name] for name in TEXTS if post.get(name)}
    told |= {name: post.getlist(name) for name in LISTS if post.getlist(name)}
    payment = post.get("payment", "").strip().replace(",", ".")
    if payment:
        try:
            told["payment"] = float(payment)
        except ValueError:
            return Malformed("Write the payment as a number of credits, like 4.50.")
    return read_action(told)


def number_of(asked: str) -> int | None:
    """Read a whole number of an address or a form; None for anything else."""
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else None


def draft_of(post: QueryDict) -> dict[str, Any]:
    """Keep what was typed, so that a refused form comes back as it was."""
    draft: dict[str, Any] = {name: post.get(name, "") for name in (*TEXTS, "action", "payment")}
    return draft | {name: post.getlist(name) for name in LISTS}
