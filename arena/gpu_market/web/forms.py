"""What visitors of the GPU market send: a market to start, an action of their own lab."""

from typing import Any

from django import forms
from django.http import QueryDict

from arena.gpu_market.board.names import player_name
from arena.gpu_market.board.titles import TITLES
from arena.gpu_market.twins import ARCHETYPE
from arena.gpu_market.web.actions import Pause
from arena.gpu_market.web.judge_rulings import can_ask_a_model
from arena.gpu_market.web.orders import YOU, Order
from arena.words import say
from bazaarbatna.market.actions import Malformed, MarketAction, read_action
from bazaarbatna.market.policies.registry import POLICIES, SPEAKERS, trained_names
from negotiation.bargain.scenarios import SEED_LIMIT

FIRST_TASK, FIRST_SEED, FIRST_POLICY = "coalition_market", 11, "rule_expert"
"""A market worth seeing: five labs, three shocks, a coalition that is betrayed."""

LISTS = ("block_ids", "requested_block_ids", "conditions")
TEXTS = ("target_lab_id", "offer_id", "coalition_id", "job_id", "message")


def seat_choices() -> list[tuple[str, str]]:
    """List who can play the first lab: you, a trained lab, or a scripted policy."""
    return [(YOU, say("you")), *_policies()]


def other_choices() -> list[tuple[str, str]]:
    """List who can play the other labs."""
    return [(ARCHETYPE, say("their_characters")), *_policies()]


def judge_choices() -> list[tuple[str, str]]:
    """List who can hear pitches; a model only where this site has one."""
    rows = [("off", say("nobody_2")), ("rule", say("a_judge_who_checks_every_claim"))]
    if can_ask_a_model():
        rows.append(("model", say("a_language_model_after_that_check")))
    return rows


def _policies() -> list[tuple[str, str]]:
    trained = [(name, say("name_trained", name=player_name(name))) for name in trained_names()]
    return [*trained, *((name, player_name(name)) for name in (*POLICIES, *SPEAKERS))]


class StartForm(forms.Form):
    """A market: which task and seed, who plays, and who judges pitches."""

    task = forms.ChoiceField(choices=list(TITLES.tasks.items()))
    seed = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=SEED_LIMIT - 1,
        error_messages={"invalid": say.lazy("a_seed_is_a_whole_number")},
    )
    # Asked anew for every form: a trained lab or a model can come and go while the site runs.
    policy = forms.ChoiceField(choices=seat_choices)
    others = forms.ChoiceField(choices=other_choices, required=False)
    judge_mode = forms.ChoiceField(choices=judge_choices, required=False)

    def order(self, pace_s: float) -> Order:
        """Return the match that was asked for; the form must be valid."""
        asked = self.cleaned_data
        return Order(
            task=asked["task"],
            seed=asked["seed"],
            policy=asked["policy"],
            others=asked["others"] or ARCHETYPE,
            pace_s=pace_s,
            judge_mode=asked["judge_mode"] or "off",
        )


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
            return Malformed(say("write_the_payment_as_a_number"))
    return read_action(told)


PAUSES: dict[str, Pause] = {"true": True, "false": False, "step": "step"}


def draft_of(post: QueryDict) -> dict[str, Any]:
    """Keep what was typed, so that a refused form comes back as it was."""
    draft: dict[str, Any] = {name: post.get(name, "") for name in (*TEXTS, "action", "payment")}
    return draft | {name: post.getlist(name) for name in LISTS}
