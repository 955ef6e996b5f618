"""Actions in words: an example of each, and what else a lab could have done in a turn.

The examples are of ``make_market(TASK, SEED)``, where each is valid; ``before`` is what lab_0 did
in its turns before.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from arena.gpu_market.board.names import (
    block_names,
    blocks_text,
    credits_text,
    exchange_words,
    job_name,
    listed,
    told,
)
from arena.gpu_market.board.titles import TITLES, lab_name, words_of
from arena.words import say
from bazaarbatna.market.actions import FINISH, WAIT, ActionName, Malformed, MarketAction
from bazaarbatna.market.blocks import hours_left
from bazaarbatna.market.episode import consider
from bazaarbatna.market.observe import observe
from bazaarbatna.market.planning import best_fill
from bazaarbatna.market.state import State
from bazaarbatna.word_tables import read_table

TASK, SEED = "coalition_market", 15


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action as JSON, what it does in one sentence, and the actions that lead up to it.

    ``words`` names any such action on a page; ``without`` does where its field ``when`` is empty.
    """

    about: str
    words: str
    action: dict[str, Any]
    before: tuple[dict[str, Any], ...] = ()
    when: str = ""
    without: str = ""

    @property
    def name(self) -> ActionName:
        """Which of the fourteen it is."""
        name: ActionName = self.action["action"]
        return name

    @property
    def json(self) -> str:
        """The action as it is sent."""
        return msgspec.json.encode(self.action).decode().replace('":', '": ').replace(',"', ', "')


_TABLE = read_table(Path(__file__).with_name("actions.toml"), dict[str, tuple[Example, ...]])
EXAMPLES = _TABLE["actions"]
_BY_NAME = {example.name: example for example in EXAMPLES}


Names = dict[str, str]


class Alternative(msgspec.Struct, frozen=True):
    """An action that the rules allow at a position, and what it is in words."""

    words: str
    action: MarketAction


def alternatives(
    state: State, lab: int, taken: MarketAction | Malformed | None
) -> tuple[Alternative, ...]:
    """Return sensible other actions of the lab that is to act, without the one it ``taken``."""
    names = names_of(state, lab)
    return tuple(
        one
        for one in _all(state, lab, names)
        if one.action != taken and consider(state, lab, one.action).ok
    )


def names_of(state: State, lab: int) -> Names:
    """Give plain names to what a lab knows at a position."""
    return {
        **block_names(state.blocks, state.scenario.task),
        **{card.id: lab_name(card.name) for card in state.scenario.labs},
        **{job.id: job_name(job) for job in state.jobs[lab]},
    }


def action_words(action: MarketAction | Malformed | None, names: Names) -> str:
    """Return an action in the imperative; None is an archetype that decided."""
    if not isinstance(action, MarketAction):
        return say("an_action_that_could_not_be_read") if action else say("its_character_decides")
    row = _BY_NAME[action.action]
    is_without = bool(row.when) and not getattr(action, row.when)
    words = _(row.without if is_without else row.words) % _holes(action, names)
    if not action.conditions:
        return words
    told_all = listed(words_of(TITLES.conditions, one) for one in action.conditions)
    return say("action_on_condition_that_conditions", action=words, conditions=told_all)


def _holes(action: MarketAction, names: Names) -> dict[str, str]:
    gives = exchange_words(action.block_ids, action.payment, names)
    wants = exchange_words(action.requested_block_ids, 0, names)
    return {
        "whom": names.get(action.target_lab_id, action.target_lab_id or say("everybody")),
        "what": told(action.offer_id or action.coalition_id, names),
        "exchange": say("gives_for_wants", gives=gives, wants=wants),
        "blocks": blocks_text(action.block_ids, names),
        "job": told(action.job_id, names),
        "words": action.message,
    }


def _all(state: State, lab: int, names: Names) -> Iterator[Alternative]:
    seen = observe(state, lab)
    for offer in seen.offers_to_me:
        values = {
            "who": names[offer.sender],
            "gives": exchange_words(offer.offered, offer.payment, names),
            "wants": exchange_words(offer.requested, 0, names),
        }
        yield Alternative(
            say("accept_who_gives_for_wants", **values),
            MarketAction("accept_offer", offer_id=offer.id),
        )
    for coalition in seen.coalitions:
        if coalition.open and seen.lab in coalition.invited:
            values = {"what": told(coalition.id, names), "who": names[coalition.founder]}
            yield Alternative(
                say("join_what_of_who", **values),
                MarketAction("accept_offer", coalition_id=coalition.id),
            )
    usable = [
        block
        for block in seen.own_blocks
        if block.is_live and hours_left(block, seen.round, windows=seen.windows)
    ]
    for job in seen.jobs:
        fill = None if job.done else best_fill(job, usable, seen.round, windows=seen.windows)
        if fill is not None:
            blocks = tuple(block.id for block in fill.blocks)
            values = {
                "job": job_name(job),
                "blocks": blocks_text(blocks, names),
                "worth": credits_text(fill.net),
            }
            yield Alternative(
                say("run_job_on_blocks_worth_worth_after", **values),
                MarketAction("allocate_to_job", job_id=job.id, block_ids=blocks),
            )
    if seen.coalitions_enabled:
        spare = tuple(block.id for block in usable if block.status == "available")[-1:]
        for other in seen.labs:
            if other.id != seen.lab and spare:
                asked = MarketAction("form_coalition", target_lab_id=other.id, block_ids=spare)
                yield Alternative(action_words(asked, names), asked)
    for always in (WAIT, FINISH):
        yield Alternative(action_words(always, names), always)
