"""Actions in words: an example of each, and what else a lab could have done in a turn.

The examples are of ``make_market("coalition_market", seed=15)``, where each is valid; ``before`` is
what lab_0 did in its turns before.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from arena.gpu_market.board.cards import CONDITION_WORDS
from arena.gpu_market.board.names import (
    block_names,
    blocks_text,
    credits_text,
    exchange_words,
    job_name,
    listed,
    told,
)
from arena.gpu_market.board.titles import lab_name
from arena.gpu_market.engine.actions import FINISH, WAIT, ActionName, Malformed, MarketAction
from arena.gpu_market.engine.blocks import hours_left
from arena.gpu_market.engine.episode import consider
from arena.gpu_market.engine.observe import observe
from arena.gpu_market.engine.planning import best_fill
from arena.gpu_market.engine.state import State
from negotiation.marking import gettext_noop

TASK, SEED = "coalition_market", 15


class Example(msgspec.Struct, frozen=True):
    """An action as JSON, what it does in one sentence, and the actions that lead up to it."""

    about: str
    action: dict[str, Any]
    before: tuple[dict[str, Any], ...] = ()

    @property
    def name(self) -> ActionName:
        """Which of the fourteen it is."""
        name: ActionName = self.action["action"]
        return name

    @property
    def json(self) -> str:
        """The action as it is sent."""
        return msgspec.json.encode(self.action).decode().replace('":', '": ').replace(',"', ', "')


_FOUND: dict[str, Any] = {
    "action": "form_coalition",
    "target_lab_id": "lab_2",
    "block_ids": ["block_2"],
    "message": "Pool what we would waste.",
}
_RESERVE: dict[str, Any] = {"action": "reserve_capacity", "block_ids": ["block_0"]}

EXAMPLES: tuple[Example, ...] = (
    Example(
        gettext_noop("Put blocks and money before another lab, for blocks of its own."),
        {
            "action": "send_offer",
            "target_lab_id": "lab_3",
            "block_ids": ["block_3"],
            "requested_block_ids": ["block_13"],
            "payment": 4.5,
            "message": "Your late block for my early one.",
            "conditions": ["must_not_resell"],
        },
    ),
    Example(
        gettext_noop(
            "Take an offer: what it promises changes hands at once. With a coalition_id: join."
        ),
        {"action": "accept_offer", "offer_id": "offer_3_0_0"},
    ),
    Example(
        gettext_noop("Turn an offer down. With a coalition_id: stay out."),
        {"action": "reject_offer", "offer_id": "offer_1_0_0"},
    ),
    Example(
        gettext_noop("Answer an offer with one of your own; the first is closed."),
        {
            "action": "counter_offer",
            "offer_id": "offer_2_0_0",
            "requested_block_ids": ["block_10"],
            "payment": 8,
        },
    ),
    Example(
        gettext_noop("Argue before all why your work should come first."),
        {"action": "make_pitch", "message": "My paper is due in round 3 and needs 2 GPU-hours."},
    ),
    Example(
        gettext_noop("Answer another lab’s pitch before all."),
        {
            "action": "counter_pitch",
            "target_lab_id": "lab_1",
            "message": "We can both run if you take the blocks of round 6.",
        },
    ),
    Example(gettext_noop("Take own blocks off the market."), _RESERVE),
    Example(
        gettext_noop("Set reserved or pooled blocks free; out of a pool, that breaks a promise."),
        {"action": "release_capacity", "block_ids": ["block_0"]},
        (_RESERVE,),
    ),
    Example(gettext_noop("Ask a lab into a coalition, and put blocks into its pool."), _FOUND),
    Example(
        gettext_noop("Put more blocks into the pool of your coalition."),
        {
            "action": "commit_to_coalition",
            "coalition_id": "coalition_0",
            "block_ids": ["block_0"],
        },
        (_FOUND,),
    ),
    Example(
        gettext_noop("Run a job on blocks: it closes, they are used up."),
        {"action": "allocate_to_job", "job_id": "job_0_0", "block_ids": ["block_1"]},
    ),
    Example(
        gettext_noop("Speak to one lab, or to all when you name none."),
        {
            "action": "send_message",
            "target_lab_id": "lab_2",
            "message": "A fair pool would serve us both.",
        },
    ),
    Example(gettext_noop("Let the turn pass; it costs nothing."), {"action": "wait"}),
    Example(
        gettext_noop("Give up all later turns. The market goes on without you."),
        {"action": "finish"},
    ),
)


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
        return _("an action that could not be read") if action else _("its character decides")
    words = _WORDS[action.action](action, names)
    if not action.conditions:
        return words
    told_all = listed(_(CONDITION_WORDS[one]) for one in action.conditions)
    values = {"action": words, "conditions": told_all}
    return _("%(action)s, on condition that %(conditions)s") % values


def _target(action: MarketAction, names: Names) -> str:
    return names.get(action.target_lab_id, action.target_lab_id or _("everybody"))


def _what(action: MarketAction, names: Names) -> str:
    return told(action.offer_id or action.coalition_id, names)


def _exchange(action: MarketAction, names: Names) -> str:
    gives = exchange_words(action.block_ids, action.payment, names)
    wants = exchange_words(action.requested_block_ids, 0, names)
    return _("%(gives)s for %(wants)s") % {"gives": gives, "wants": wants}


def _offer(action: MarketAction, names: Names) -> str:
    values = {"whom": _target(action, names), "exchange": _exchange(action, names)}
    return _("offer %(whom)s %(exchange)s") % values


def _counter(action: MarketAction, names: Names) -> str:
    values = {"what": _what(action, names), "exchange": _exchange(action, names)}
    return _("answer %(what)s with %(exchange)s") % values


def _accept(action: MarketAction, names: Names) -> str:
    words = _("accept %(what)s") if action.offer_id else _("join %(what)s")
    return words % {"what": _what(action, names)}


def _reject(action: MarketAction, names: Names) -> str:
    words = _("turn %(what)s down") if action.offer_id else _("stay out of %(what)s")
    return words % {"what": _what(action, names)}


def _run(action: MarketAction, names: Names) -> str:
    values = {"job": told(action.job_id, names), "blocks": blocks_text(action.block_ids, names)}
    return _("run %(job)s on %(blocks)s") % values


def _reserve(action: MarketAction, names: Names) -> str:
    return _("hold %(blocks)s back") % {"blocks": blocks_text(action.block_ids, names)}


def _release(action: MarketAction, names: Names) -> str:
    return _("set %(blocks)s free") % {"blocks": blocks_text(action.block_ids, names)}


def _form(action: MarketAction, names: Names) -> str:
    values = {"whom": _target(action, names), "blocks": blocks_text(action.block_ids, names)}
    if action.block_ids:
        return _("ask %(whom)s into a coalition and pool %(blocks)s") % values
    return _("ask %(whom)s into a coalition") % values


def _commit(action: MarketAction, names: Names) -> str:
    values = {"blocks": blocks_text(action.block_ids, names), "what": _what(action, names)}
    return _("pool %(blocks)s in %(what)s") % values


def _speak(action: MarketAction, names: Names) -> str:
    values = {"whom": _target(action, names), "words": action.message}
    return _("say to %(whom)s: “%(words)s”") % values


def _wait(action: MarketAction, names: Names) -> str:
    return _("wait")


def _leave(action: MarketAction, names: Names) -> str:
    return _("leave the market")


_WORDS: dict[ActionName, Callable[[MarketAction, Names], str]] = {
    "send_offer": _offer,
    "counter_offer": _counter,
    "accept_offer": _accept,
    "reject_offer": _reject,
    "allocate_to_job": _run,
    "reserve_capacity": _reserve,
    "release_capacity": _release,
    "form_coalition": _form,
    "commit_to_coalition": _commit,
    "make_pitch": _speak,
    "counter_pitch": _speak,
    "send_message": _speak,
    "wait": _wait,
    "finish": _leave,
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
            _("accept %(who)s: %(gives)s for %(wants)s") % values,
            MarketAction("accept_offer", offer_id=offer.id),
        )
    for coalition in seen.coalitions:
        if coalition.open and seen.lab in coalition.invited:
            values = {"what": told(coalition.id, names), "who": names[coalition.founder]}
            yield Alternative(
                _("join %(what)s of %(who)s") % values,
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
                _("run %(job)s on %(blocks)s, worth %(worth)s after energy") % values,
                MarketAction("allocate_to_job", job_id=job.id, block_ids=blocks),
            )
    if seen.coalitions_enabled:
        spare = tuple(block.id for block in usable if block.status == "available")[-1:]
        for other in seen.labs:
            if other.id != seen.lab and spare:
                asked = MarketAction("form_coalition", target_lab_id=other.id, block_ids=spare)
                yield Alternative(action_words(asked, names), asked)
    yield Alternative(_("wait"), WAIT)
    yield Alternative(_("leave the market"), FINISH)
