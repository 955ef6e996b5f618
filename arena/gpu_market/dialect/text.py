"""Prompt and answer of the small model, and the pieces that are one token of it.

Left out of a prompt, since a small model has little room: blocks of others beyond the few that
would help most, are offered, or lie in a pool with this lab; offers and coalitions that are over;
what was said; and shocks, of which the blocks themselves show what they did. No word ends in the
letter of a name, since names are tokens of their own.

A model must never meet another text than the one it was trained on: whoever changes a character
of a prompt raises ``VERSION`` and trains anew.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from arena.gpu_market.dialect import position
from arena.gpu_market.dialect.position import Books, Names, books, hours_of
from bazaarbatna.market.actions import ACTION_NAMES, Malformed, MarketAction, read_action
from bazaarbatna.market.archetypes import perceived_value
from bazaarbatna.market.blocks import CONDITIONS, Job, Offer
from bazaarbatna.market.observe import LabSeen, Observation
from bazaarbatna.market.planning import Fill
from bazaarbatna.market.policies.belief import WORDS as PRESSING_WORDS
from bazaarbatna.market.policies.expert import FAIR_WORDS, PURPOSE
from bazaarbatna.market.policies.views import Help, memberships, pool_credit

WORDS: dict[str, str] = {
    "<fair>": FAIR_WORDS,
    "<pool>": PURPOSE,
    "<press>": PRESSING_WORDS,
}
"""Slots for whole sentences: the table puts the real words."""

ONE = ("target_lab_id", "offer_id", "coalition_id", "job_id")
SEVERAL = ("block_ids", "requested_block_ids", "conditions")

_COUNTS = {
    "m": position.MOST_MINE,
    "x": position.MOST_THEIRS,
    "j": position.MOST_JOBS,
    "o": position.MOST_OFFERS,
    "c": position.MOST_POOLS,
    "l": position.MOST_LABS,
}
SHORTS: tuple[str, ...] = tuple(
    f"{letter}{number}" for letter, count in _COUNTS.items() for number in range(count)
)

FRAMES: tuple[str, ...] = (
    '{"action": "',
    *(f'", "{field}": "' for field in ONE),
    *(f'", "{field}": ["' for field in SEVERAL),
    *(f'"], "{field}": ["' for field in SEVERAL),
    *(f'{end}, "payment": ' for end in ('"', '"]')),
    *(f'{end}, "message": "' for end in ("", '"', '"]')),
    ', "conditions": ["',
    '", "',
    '"}',
    '"]}',
    *ACTION_NAMES,
    *CONDITIONS,
    *WORDS,
)

PIECES: tuple[str, ...] = (*FRAMES, *SHORTS)


VERSION = "lab-1"

Thing = TypeVar("Thing", LabSeen, Job, Offer)


def render(seen: Observation) -> str:
    """Write a position: money in credits, reputations and refused bids in percent."""
    sums = books(seen)
    names = Names.of(seen, sums)
    return "\n".join(_lines(seen, names, sums))


def _lines(seen: Observation, names: Names, sums: Books) -> Iterator[str]:
    me = next(lab for lab in seen.labs if lab.id == seen.lab)
    yield (
        f"round{seen.round} left{seen.rounds - seen.round} cash{_credits(seen.budget)} "
        f"trust{_percent(me.reputation)} {seen.pressure}{'' if seen.coalitions_enabled else ' no'}"
    )
    yield from (_lab(seen, names, lab) for lab in _in_order(names.labs, seen.labs))
    yield from (_job(seen, names, job) for job in _in_order(names.jobs, seen.jobs))
    yield from (_fill(seen, names, fill) for fill in sums.fills)
    yield from _blocks(seen, names, sums)
    yield from (_offer(seen, names, sums, one) for one in _in_order(names.offers, seen.offers))
    yield from _pools(seen, names)
    yield from (_help("draw", seen, names, one) for one in sums.draws)
    yield from (_help("help", seen, names, one) for one in sums.helps)
    result = seen.last_result
    if result is not None and not result.ok:
        yield f"failed {result.code}"
    yield "act"


def _lab(seen: Observation, names: Names, lab: LabSeen) -> str:
    refused = [
        perceived_value(offer)
        for offer in seen.offers
        if offer.target == lab.id and offer.sender == seen.lab and offer.status == "rejected"
    ]
    asked = any(lab.id in (*one.members, *one.invited) for one in seen.coalitions)
    words = [
        f"lab {names.labs[lab.id]} trust{_percent(lab.reputation)} {lab.demand}",
        f"refused{_percent(max(refused))}" if refused else "",
        "asked" if asked else "",
        "gone" if lab.finished else "",
    ]
    return " ".join(word for word in words if word)


def _job(seen: Observation, names: Names, job: Job) -> str:
    rounds = job.deadline - seen.round
    due = f"due{rounds}" if rounds > 0 else "late"
    part = " part" if job.partial else ""
    return f"job {_of(names.jobs, job.id)} need{job.hours} {due} worth{_credits(job.value)}{part}"


def _fill(seen: Observation, names: Names, fill: Fill) -> str:
    blocks = " ".join(names.known(block.id for block in fill.blocks))
    wait = max(0, min(block.start for block in fill.blocks) - seen.round)
    when = f"in{wait}" if wait and seen.windows else "now"
    return f"plan {_of(names.jobs, fill.job.id)} {blocks} gain{_credits(fill.net)} {when}"


def _blocks(seen: Observation, names: Names, sums: Books) -> Iterator[str]:
    if sums.spare:
        yield "spare " + " ".join(
            f"{_of(names.blocks, block.id)} {hours_of(seen, block)}" for block in sums.spare
        )
    for status in ("reserved", "committed"):
        held = names.known(one.id for one in seen.own_blocks if one.status == status)
        if held:
            yield f"{status} {' '.join(held)}"


def _offer(seen: Observation, names: Names, sums: Books, offer: Offer) -> str:
    gives, wants = names.known(offer.offered), names.known(offer.requested)
    other = offer.target if offer.sender == seen.lab else offer.sender
    words = [
        "sent" if offer.sender == seen.lab else "offer",
        _of(names.offers, offer.id),
        _of(names.labs, other),
        *(("gives", *gives) if gives else ()),
        *(("wants", *wants) if wants else ()),
        f"pays{_credits(offer.payment)}",
        *(["bound"] if offer.conditions else []),
    ]
    if offer.target == seen.lab:
        gain = sums.gains[offer.id]
        words.append("void" if gain is None else f"gain{_credits(gain)}")
    return " ".join(words)


def _pools(seen: Observation, names: Names) -> Iterator[str]:
    for one in memberships(seen):
        left = one.expires - seen.round
        yield f"pool {_of(names.pools, one.id)} left{left} credit{pool_credit(seen, one)}"
    for one in seen.coalitions:
        if one.open and seen.lab in one.invited:
            trust = _percent(one.trust)
            yield f"invited {_of(names.pools, one.id)} {_of(names.labs, one.founder)} trust{trust}"


def _help(word: str, seen: Observation, names: Names, found: Help) -> str:
    with_ = names.known(block.id for block in found.cover if block is not found.block)
    whose = _of(names.labs, found.block.owner)
    words = [word, _of(names.blocks, found.block.id), whose, _of(names.jobs, found.job.id)]
    if with_:
        words += ["with", *with_]
    return " ".join([*words, f"gain{_credits(found.gain)}"])


def _in_order(shorts: dict[str, str], things: Sequence[Thing]) -> list[Thing]:
    places = {id_: place for place, id_ in enumerate(shorts)}
    return sorted((one for one in things if one.id in places), key=lambda one: places[one.id])


def _of(shorts: dict[str, str], id_: str) -> str:
    return shorts.get(id_, "other")


def _credits(cents: float) -> int:
    return round(cents / 100)


def _percent(share: float) -> int:
    return round(100 * share)


_SLOTS = {words: slot for slot, words in WORDS.items()}


def write(seen: Observation, action: MarketAction) -> str | None:
    """Write an action as the model would: what a teacher's deed teaches.

    Payments are rounded up to whole credits, as far as the budget goes. None for an action about
    something that has no name in this position.
    """
    names = Names.of(seen, books(seen))
    told: dict[str, object] = {"action": action.action}
    for field, shorts in zip(ONE, (names.labs, names.offers, names.pools, names.jobs), strict=True):
        if id_ := getattr(action, field):
            if id_ not in shorts:
                return None
            told[field] = shorts[id_]
    for field in SEVERAL[:2]:
        if ids := getattr(action, field):
            if any(id_ not in names.blocks for id_ in ids):
                return None
            told[field] = names.known(ids)
    if action.payment > 0:
        told["payment"] = min(math.ceil(action.payment / 100), seen.budget // 100)
    if action.message:
        told["message"] = _SLOTS.get(action.message, action.message)
    if action.conditions:
        told["conditions"] = list(action.conditions)
    fields = (f'"{name}": {_json(value)}' for name, value in told.items())
    return f"{{{', '.join(fields)}}}"


def read(seen: Observation, text: str) -> MarketAction | Malformed:
    """Read the model's own text, all of it and strictly; names become ids, slots become words.

    The rules may still refuse an action that the engine reads.
    """
    try:
        told = msgspec.json.decode(text, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        return Malformed(str(wrong)[:200])
    ids = Names.of(seen, books(seen)).ids
    meant: dict[str, object] = {}
    try:
        for field in ONE:
            if field in told:
                meant[field] = ids[str(told[field])]
        for field in SEVERAL[:2]:
            named = told.get(field)
            if isinstance(named, list):
                meant[field] = tuple([ids[str(name)] for name in named])
    except KeyError as unknown:
        return Malformed(f"Nothing is called {str(unknown)[:40]} here.")
    message = told.get("message")
    if isinstance(message, str) and message in WORDS:
        told["message"] = WORDS[message]
    action = read_action(told)
    # Only now: an id may be anything, also what no answer could say.
    whole = isinstance(action, MarketAction)
    return msgspec.structs.replace(action, **meant) if whole else action


def _json(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return msgspec.json.encode(value).decode()
