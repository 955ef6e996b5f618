"""The policies by name: the scripted ones, and those that a room above installs."""

from collections.abc import Callable
from random import Random
from typing import Protocol

from bazaarbatna.market.actions import WAIT, MarketAction
from bazaarbatna.market.judging.hearing import pitch_every_round
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.playing import Player
from bazaarbatna.market.policies.expert import pitching_expert, rule_expert
from bazaarbatna.market.policies.optimal import optimal_planner
from bazaarbatna.market.policies.views import (
    Policy,
    allocate,
    most_pressing,
    own_plan,
    tradeable_blocks,
)
from bazaarbatna.market.quantities import Cents

MOST_PAID = 2000  # hundredths of a credit


def no_negotiation_allocator(seen: Observation) -> MarketAction:
    """Run the own jobs on the own blocks as well as possible, and talk to nobody."""
    fills = own_plan(seen)
    return allocate(most_pressing(seen, fills)) if fills else WAIT


def greedy_hoarder(seen: Observation) -> MarketAction:
    """Take all own blocks out of the market first, then run the job with the highest value."""
    held = [block.id for block in seen.own_blocks if block.status == "available"]
    if seen.round == 0 and held:
        free = {one.id for one in seen.own_blocks if seen.round < one.end or not seen.windows}
        return MarketAction("reserve_capacity", block_ids=tuple(h for h in held if h in free))
    fills = own_plan(seen)
    return allocate(max(fills, key=lambda fill: fill.job.value)) if fills else WAIT


def always_accept(seen: Observation) -> MarketAction:
    """Accept whatever is offered, follow every invitation, and do nothing else."""
    offers = seen.offers_to_me
    if offers:
        return MarketAction("accept_offer", offer_id=offers[0].id)
    for coalition in seen.coalitions:
        if coalition.open and seen.lab in coalition.invited:
            return MarketAction("accept_offer", coalition_id=coalition.id)
    return WAIT


def accepts_first(seen: Observation) -> MarketAction:
    """Accept whatever is offered, follow every invitation, and run the own jobs in between."""
    taken = always_accept(seen)
    return no_negotiation_allocator(seen) if taken is WAIT else taken


def never_act(seen: Observation) -> MarketAction:
    """Wait until it is over."""
    return WAIT


def coalition_spammer(seen: Observation) -> MarketAction:
    """Form a coalition in every turn, with one lab after another."""
    others = [lab.id for lab in seen.labs if lab.id != seen.lab]
    target = others[seen.round % len(others)]
    return MarketAction("form_coalition", target_lab_id=target, message="Let us pool together.")


def keyword_pitcher(seen: Observation) -> MarketAction:
    """Pitch in every turn with all the words that a careless judge likes."""
    words = "urgent critical paper deadline, reliable evidence, fair to every customer"
    return MarketAction("make_pitch", message=f"Round {seen.round}: {words}.")


def naive_instruct(seen: Observation) -> MarketAction:
    """Act as an instruction-tuned model without training does: polite, wordy, heedless of rules.

    It copies the ids of the examples that explain the actions, whoever owns what they name.
    """
    return _EXAMPLES[seen.round % len(_EXAMPLES)]


_EXAMPLES = (
    MarketAction("make_pitch", message="Our paper deadline is urgent, please support us."),
    MarketAction(
        "send_offer",
        target_lab_id="lab_1",
        block_ids=("block_0",),
        requested_block_ids=("block_1",),
        payment=Cents(450),
        message="A fair trade for both of us.",
    ),
    MarketAction("allocate_to_job", job_id="job_0_0", block_ids=("block_0",)),
    MarketAction("accept_offer", offer_id="offer_0"),
)


def random_valid(seed: int) -> Policy:
    """Make a player that draws one of the actions that the rules allow it now."""
    rng = Random(seed)

    def act(seen: Observation) -> MarketAction:
        choices = [WAIT, *_answers(seen), *_uses(seen, rng), *_approaches(seen, rng)]
        return choices[int(rng.random() * len(choices))]

    return act


def _answers(seen: Observation) -> list[MarketAction]:
    found = [MarketAction("reject_offer", offer_id=offer.id) for offer in seen.offers_to_me]
    mine = {block.id for block in tradeable_blocks(seen, seen.lab)}
    for offer in seen.offers_to_me:
        theirs = {block.id for block in tradeable_blocks(seen, offer.sender)}
        if mine.issuperset(offer.requested) and theirs.issuperset(offer.offered):
            found.append(MarketAction("accept_offer", offer_id=offer.id))
    for coalition in seen.coalitions:
        if coalition.open and seen.lab in coalition.invited:
            found.append(MarketAction("accept_offer", coalition_id=coalition.id))
            found.append(MarketAction("reject_offer", coalition_id=coalition.id))
    return found


def _uses(seen: Observation, rng: Random) -> list[MarketAction]:
    found = [allocate(fill) for fill in own_plan(seen)]
    free = tradeable_blocks(seen, seen.lab)
    if free:
        one = (free[int(rng.random() * len(free))].id,)
        found.append(MarketAction("reserve_capacity", block_ids=one))
        found += [
            MarketAction("commit_to_coalition", coalition_id=coalition.id, block_ids=one)
            for coalition in seen.coalitions
            if coalition.open and seen.lab in coalition.members
        ]
    found += [
        MarketAction("release_capacity", block_ids=(block.id,))
        for block in seen.own_blocks
        if block.status in ("reserved", "committed")
    ]
    return found


def _approaches(seen: Observation, rng: Random) -> list[MarketAction]:
    others = [lab.id for lab in seen.labs if lab.id != seen.lab]
    other = others[int(rng.random() * len(others))]
    found = [
        MarketAction("send_message", target_lab_id=other, message="What would you take?"),
        MarketAction("make_pitch", message="We can use these hours at once."),
    ]
    if seen.coalitions_enabled:
        found.append(MarketAction("form_coalition", target_lab_id=other, message="Pool with us."))
    mine, theirs = tradeable_blocks(seen, seen.lab), tradeable_blocks(seen, other)
    if mine and theirs:
        payment = Cents(min(int(rng.random() * MOST_PAID), seen.budget))
        found.append(
            MarketAction(
                "send_offer",
                target_lab_id=other,
                block_ids=(mine[int(rng.random() * len(mine))].id,),
                requested_block_ids=(theirs[int(rng.random() * len(theirs))].id,),
                payment=payment,
            )
        )
    return found


MakePolicy = Callable[[int], Policy]
"""Makes a player from a seed; most need no luck."""


class CannotPlay(ValueError):
    """A player with that name is here, but cannot be made to play; the message says why."""


class Others(Protocol):
    """Policies that this list does not know by itself, as trained labs.

    Where a method takes a name, it takes a label too.
    """

    def names(self) -> tuple[str, ...]:
        """List them."""
        ...

    def label(self, name: str) -> str | None:
        """Return the name with what tells this version from any other; None: not here."""
        ...

    def prepare(self, name: str) -> None:
        """Get everything that takes time out of the way, or raise ``CannotPlay``."""
        ...

    def make(self, name: str, seed: int) -> Player | None:
        """Make the player of a name as it is measured: what it gets wrong counts."""
        ...

    def make_live(self, name: str, seed: int) -> Policy | None:
        """Make the player of a name for a table that has to go on, whatever it gets wrong."""
        ...


def _always(policy: Policy) -> MakePolicy:
    return lambda seed: policy


POLICIES: dict[str, MakePolicy] = {
    "random_valid": random_valid,
    "greedy_hoarder": _always(greedy_hoarder),
    "no_negotiation_allocator": _always(no_negotiation_allocator),
    "always_accept": _always(always_accept),
    "accepts_first": _always(accepts_first),
    "naive_instruct": _always(naive_instruct),
    "rule_expert": _always(rule_expert),
    "optimal_planner": _always(optimal_planner),
}
"""The ladder of the evaluation."""

EXPLOITS: dict[str, MakePolicy] = {
    "never_act": _always(never_act),
    "coalition_spammer": _always(coalition_spammer),
    "keyword_pitcher": _always(keyword_pitcher),
}
"""Constant policies that a sound reward must leave at the bottom."""

PITCHERS: dict[str, MakePolicy] = {
    "pitching_expert": _always(pitching_expert),
    "honest_pitcher": _always(pitch_every_round),
}
"""Policies that argue their case before a judge: one works as well, one does nothing else."""

SPEAKERS = (*PITCHERS, "keyword_pitcher")

_SCRIPTS = POLICIES | EXPLOITS | PITCHERS

_others: list[Others] = []


def install(others: Others) -> None:
    """Let a room above add policies; safe to call twice."""
    if others not in _others:
        _others.append(others)


def names() -> tuple[str, ...]:
    """List everybody who can be seated."""
    return (*_SCRIPTS, *trained_names())


def trained_names() -> tuple[str, ...]:
    """List the players that rooms above have added."""
    return tuple(name for one in _others for name in one.names())


def label_of(name: str) -> str | None:
    """Return the label under which a player is written down; None where it is not here.

    A script keeps its name. What was trained has its version in the label, so that nobody else can
    take its place.
    """
    if name in _SCRIPTS:
        return name
    return next((label for one in _others if (label := one.label(name)) is not None), None)


def is_trained(name: str) -> bool:
    """Whether a name or label is none of a script; that needs a look at nothing."""
    return name not in _SCRIPTS


def prepare(name: str) -> None:
    """Load what a player needs, for all tables of this process; seconds, or ``CannotPlay``."""
    if not is_trained(name):
        return
    for one in _others:
        if one.label(name) is not None:
            one.prepare(name)
            return
    raise CannotPlay(str(_unknown(name)))


def make_policy(name: str, seed: int) -> Player:
    """Make the player with a name, as evaluations measure it; ``ValueError`` where there is none.

    A trained one may answer what is no action; the engine counts that as malformed.
    """
    made = _scripted(name, seed)
    if made is not None:
        return made
    for one in _others:
        if (player := one.make(name, seed)) is not None:
            return player
    raise _unknown(name)


def make_live_policy(name: str, seed: int) -> Policy:
    """Make the player of a live table, which always answers with an action; or ``ValueError``."""
    made = _scripted(name, seed)
    if made is not None:
        return made
    for one in _others:
        if (player := one.make_live(name, seed)) is not None:
            return player
    raise _unknown(name)


def _scripted(name: str, seed: int) -> Policy | None:
    make = _SCRIPTS.get(name)
    return None if make is None else make(seed)


def _unknown(name: str) -> ValueError:
    return ValueError(f"There is no policy {name[:40]!r}. Known: {', '.join(names())}.")
