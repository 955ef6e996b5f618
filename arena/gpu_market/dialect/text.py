"""Prompt and answer of the small model, and the pieces that are one token of it.

Left out of a prompt, since a small model has little room: blocks of others beyond the few that
would help most, are offered, or lie in a pool with this lab; offers and coalitions that are over;
what was said; and shocks, of which the blocks themselves show what they did. No word ends in the
letter of a name, since names are tokens of their own.

A model must never meet another text than the one it was trained on: whoever changes a character
of a prompt raises ``VERSION`` and trains anew.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Self, TypeVar

import msgspec

from bazaarbatna.market.actions import ACTION_NAMES, Malformed, MarketAction, read_action
from bazaarbatna.market.archetypes import perceived_value
from bazaarbatna.market.blocks import CONDITIONS, Block, Job, Offer, hours_left
from bazaarbatna.market.observe import LabSeen, Observation
from bazaarbatna.market.planning import Fill, plan, plan_value
from bazaarbatna.market.policies.belief import WORDS as PRESSING_WORDS
from bazaarbatna.market.policies.expert import FAIR_WORDS, PURPOSE
from bazaarbatna.market.policies.views import (
    Help,
    blocks_named,
    helps,
    memberships,
    open_jobs,
    own_plan,
    pool_credit,
    spare_blocks,
    tradeable_blocks,
    usable_blocks,
)
from bazaarbatna.market.scenario import HOUSE

MOST_HELP = 6
"""So many blocks of others are shown, those that would help most."""

MOST_MINE, MOST_THEIRS, MOST_JOBS, MOST_OFFERS, MOST_POOLS, MOST_LABS = 12, 24, 6, 12, 8, 5


class Books(msgspec.Struct, frozen=True):
    """The sums of a position.

    Attributes:
        fills: what the own blocks could do for the own jobs; first what loses hours by waiting,
            then what is worth most.
        spare: own blocks that this leaves over and that may be given away, the smallest first.
        helps: blocks of others that would help a job in the next round, the best first.
        draws: the same for pooled blocks that may be used now.
        gains: what each open offer to this lab would change, its payment counted; None for one
            that can no longer be kept.
    """

    fills: tuple[Fill, ...]
    spare: tuple[Block, ...]
    helps: tuple[Help, ...]
    draws: tuple[Help, ...]
    gains: dict[str, int | None]


def books(seen: Observation) -> Books:
    """Sum a position up."""
    fills = tuple(sorted(own_plan(seen), key=lambda fill: _first(seen, fill)))
    spare = spare_blocks(seen, fills)
    others = [lab.id for lab in seen.labs if lab.id != seen.lab and not lab.finished]
    free = [block for lab in others for block in tradeable_blocks(seen, lab)]
    worth = plan_value(fills)
    return Books(
        fills,
        tuple(spare),
        _best(helps(seen, fills, spare, free, seen.round + 1))
        if seen.round + 1 < seen.rounds
        else (),
        _best(helps(seen, fills, spare, pooled(seen), seen.round)),
        {offer.id: _gain(seen, offer, worth) for offer in seen.offers_to_me},
    )


def pooled(seen: Observation) -> list[Block]:
    """List the blocks of others that lie in the own coalitions."""
    mine = {one.id for one in memberships(seen)}
    return [
        block
        for block in seen.blocks
        if block.pool in mine and block.status == "committed" and block.owner != seen.lab
    ]


def _first(seen: Observation, fill: Fill) -> tuple[bool, int]:
    loses = seen.windows and any(block.start <= seen.round for block in fill.blocks)
    return not loses, -fill.net


def _best(found: Sequence[Help]) -> tuple[Help, ...]:
    good = [one for one in found if one.gain > 0]
    return tuple(sorted(good, key=lambda one: -one.gain)[:MOST_HELP])


def _gain(seen: Observation, offer: Offer, worth: int) -> int | None:
    mine = {block.id for block in tradeable_blocks(seen, seen.lab)}
    theirs = {block.id for block in tradeable_blocks(seen, offer.sender)}
    if not (mine.issuperset(offer.requested) and theirs.issuperset(offer.offered)):
        return None
    coming = blocks_named(seen, offer.offered)
    stays = [block for block in usable_blocks(seen) if block.id not in offer.requested]
    fills = plan(open_jobs(seen), [*stays, *coming], seen.round, windows=seen.windows)
    return plan_value(fills) - worth + offer.payment


def hours_of(seen: Observation, block: Block) -> int:
    """Count the GPU-hours a block still has."""
    return hours_left(block, seen.round, windows=seen.windows)


class Names(msgspec.Struct, frozen=True):
    """Ids by short name: ``m0`` own blocks, ``x0`` those of others, ``j0`` jobs, and so on.

    ``l0`` is the house that auctions blocks; ``o0`` is an open offer from or to this lab, ``c0`` an
    open coalition.

    ``blocks``, ``jobs``, ``offers``, ``pools`` and ``labs`` are short names by id, each kind by
    itself, for a lab may have the id of a block.
    """

    ids: dict[str, str]
    blocks: dict[str, str]
    jobs: dict[str, str]
    offers: dict[str, str]
    pools: dict[str, str]
    labs: dict[str, str]

    @classmethod
    def of(cls, seen: Observation, sums: Books) -> Self:
        """Name what still counts in a position, what its books put first before the rest.

        So ``j0`` is the job to run first and ``m0`` a block for it, ``o0`` the offer that adds
        most, ``x0`` the block of somebody else that would help most: a small model learns what to
        do long before it learns to copy any name from anywhere.
        """
        labs = _labs(seen, sums)
        planned = [fill.job.id for fill in sums.fills]
        inside = [one.id for one in memberships(seen)]
        kinds = (
            _numbered("m", MOST_MINE, _mine(seen, sums))
            | _numbered("x", MOST_THEIRS, _theirs(seen, sums, labs)),
            _numbered("j", MOST_JOBS, [*planned, *(j.id for j in seen.jobs if not j.done)]),
            _numbered("o", MOST_OFFERS, _offers(seen, sums)),
            _numbered("c", MOST_POOLS, [*inside, *(c.id for c in seen.coalitions if c.open)]),
            _numbered("l", MOST_LABS, labs),
        )
        ids = {short: id_ for kind in kinds for short, id_ in kind.items()}
        return cls(ids, *({id_: short for short, id_ in kind.items()} for kind in kinds))

    def known(self, blocks: Iterable[str]) -> list[str]:
        """Return the short names of those blocks that have one."""
        return [self.blocks[id_] for id_ in blocks if id_ in self.blocks]


def _mine(seen: Observation, sums: Books) -> list[str]:
    planned = [block.id for fill in sums.fills for block in fill.blocks]
    spare = [block.id for block in sums.spare]
    rest = [one for one in seen.own_blocks if hours_of(seen, one)]
    return [*planned, *spare, *(block.id for block in rest)]


def _labs(seen: Observation, sums: Books) -> list[str]:
    order = [lab.id for lab in seen.labs]
    me = order.index(seen.lab)
    turns = [*order[me + 1 :], *order[:me]]
    return list(dict.fromkeys([HOUSE, *(one.block.owner for one in sums.helps), *turns]))


def _theirs(seen: Observation, sums: Books, labs: list[str]) -> list[str]:
    first = [one.block.id for one in (*sums.draws, *sums.helps)]
    rest = [one for one in seen.blocks if one.owner in labs and hours_of(seen, one)]
    rest.sort(key=lambda block: labs.index(block.owner))
    return [*first, *(block.id for block in rest)]


def _offers(seen: Observation, sums: Books) -> list[str]:
    gains = {id_: -math.inf if gain is None else gain for id_, gain in sums.gains.items()}
    best = sorted(gains, key=lambda id_: -gains[id_])
    return [*best, *(one.id for one in seen.offers if one.status == "open")]


def _numbered(letter: str, most: int, ids: Iterable[str]) -> dict[str, str]:
    different = dict.fromkeys(ids)
    return {f"{letter}{place}": id_ for place, id_ in zip(range(most), different, strict=False)}


WORDS: dict[str, str] = {
    "<fair>": FAIR_WORDS,
    "<pool>": PURPOSE,
    "<press>": PRESSING_WORDS,
}
"""Slots for whole sentences: the table puts the real words."""

ONE = ("target_lab_id", "offer_id", "coalition_id", "job_id")
SEVERAL = ("block_ids", "requested_block_ids", "conditions")

_COUNTS = {
    "m": MOST_MINE,
    "x": MOST_THEIRS,
    "j": MOST_JOBS,
    "o": MOST_OFFERS,
    "c": MOST_POOLS,
    "l": MOST_LABS,
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


class Answer(msgspec.Struct, frozen=True):
    """What a model said: an action, or why its text is none."""

    action: MarketAction | Malformed

    @property
    def strict(self) -> bool:
        """Whether it is an action that the engine reads; the rules may still refuse it."""
        return isinstance(self.action, MarketAction)


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


def read(seen: Observation, text: str) -> Answer:
    """Read the model's own text, all of it and strictly; names become ids, slots become words."""
    try:
        told = msgspec.json.decode(text, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        return Answer(Malformed(str(wrong)[:200]))
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
        return Answer(Malformed(f"Nothing is called {str(unknown)[:40]} here."))
    message = told.get("message")
    if isinstance(message, str) and message in WORDS:
        told["message"] = WORDS[message]
    action = read_action(told)
    # Only now: an id may be anything, also what no answer could say.
    whole = isinstance(action, MarketAction)
    return Answer(msgspec.structs.replace(action, **meant) if whole else action)


def _json(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return msgspec.json.encode(value).decode()
