"""The turn of a lab that follows its archetype: answer, use what runs out, propose.

It decides by what it sees itself: offers to it, reputations, its own jobs and blocks. The luck of
its turn is drawn before the first action, so that what others do changes no draw.
"""

import math
from random import Random

import msgspec

from bazaarbatna.market import archetypes
from bazaarbatna.market.archetypes import (
    SILENT,
    Manner,
    Reason,
    Signals,
    louder,
    manner_of,
    signals_in,
)
from bazaarbatna.market.blocks import Block, Offer, hours_left
from bazaarbatna.market.errors import Refused
from bazaarbatna.market.planning import cheapest_cover
from bazaarbatna.market.quantities import (
    COALITION_NUMBERS,
    LAB_IDS,
    LAB_NUMBERS,
    Cents,
    LabId,
)
from bazaarbatna.market.running import answer, free, keeps_agreements, overdrawn, pool, run_job
from bazaarbatna.market.scenario import HOUSE
from bazaarbatna.market.state import Draft, State, thaw
from bazaarbatna.market.trading import check_deliverable, close_offer, make_offer, make_trade

ACCEPT, BETRAY, PROPOSE, WHOM, WHAT, WANT, PAY = range(7)
DRAWS = 7
"""Numbers, uniform in 0..1, that one turn may use."""
GOLDEN = 0.618_033_988_749_894_9
"""Turns one draw into further ones, for a turn with several offers to answer."""
MOST_PAID = 1500
"""Proposals pay at most so many hundredths of a credit, before an archetype's extra."""
MEMORY = 2
"""Words are heard for so many rounds."""


def draw_luck(seed: int, rounds: int, labs: int) -> tuple[float, ...]:
    """Draw the luck of all turns of an episode: ``(rounds * labs * DRAWS,)``, uniform in 0..1."""
    draw = Random(seed).random
    return tuple([draw() for _ in range(rounds * labs * DRAWS)])


def play_turn(draft: Draft, lab: int) -> None:
    """Let a lab do what its archetype does."""
    luck = _luck_of(draft, lab)
    manner = manner_of(draft.scenario.sealed, lab)
    name = LAB_IDS[lab]
    _answer_offers(draft, lab, manner, luck[ACCEPT])
    if draft.coalitions:
        _answer_invitations(draft, lab, manner)
        if luck[BETRAY] < manner.betrays:
            _take_back(draft, lab)
    own = [
        block
        for block in draft.blocks
        if block.owner == name and block.status in ("available", "reserved", "committed")
    ]
    pools = draft.coalitions and draft.scenario.rules.pooling
    shared = _shared_with(draft, name) if pools else []
    if own or shared:
        _run_what_starts(draft, lab, own, shared)
    _bid(draft, lab, manner)
    if draft.round % 2 == 0 and luck[PROPOSE] < archetypes.PROPOSES:
        _propose(draft, lab, manner, luck)


def refusals_of(state: State, lab: int) -> dict[str, Reason]:
    """Say why a scripted lab that is about to act turns offers down; each that it will."""
    manner = manner_of(state.scenario.sealed, lab)
    draft = thaw(state)
    return _answer_offers(draft, lab, manner, _luck_of(draft, lab)[ACCEPT])


def price_of(state: State, lab: int, offer: Offer) -> Cents | None:
    """Return the least payment, beside the blocks of an offer, for which a lab would take it now.

    Without luck; None: money does not move it.
    """
    draft, manner = thaw(state), manner_of(state.scenario.sealed, lab)
    try:
        check_deliverable(draft, offer)
    except Refused:
        return None
    if manner.grudge and draft.reputations[LAB_NUMBERS[offer.sender]] < archetypes.NOT_TRUSTED:
        return None
    bare = msgspec.structs.replace(offer, payment=Cents(0))
    press, heard = _press_and_heard(draft, lab, bare)
    lacks = archetypes.bar_for(manner, press, heard) - archetypes.perceived_value(bare)
    return Cents(max(round(archetypes.MONEY * lacks), 0))


def asked_price(state: State, lab: int, offer: Offer) -> Cents | None:
    """Return the payment that a lab names for what an offer asks; it takes that now.

    It lies above the least by a part that is drawn for the lab and the round, whatever was
    offered, so that no asking, however often, tells what the least is.
    """
    least = price_of(state, lab, offer)
    if least is None:
        return None
    drawn = Random(f"{state.scenario.sealed.seed}:{state.round}:{lab}:asked").uniform(*ABOVE)
    return Cents(math.ceil(least * (1 + drawn) / archetypes.STEP) * archetypes.STEP)


ABOVE = (0.05, 0.35)
"""Shares of the least payment by which a named price lies above it."""


def _luck_of(draft: Draft, lab: int) -> tuple[float, ...]:
    place = (draft.round * len(draft.budgets) + lab) * DRAWS
    return draft.luck[place : place + DRAWS]


def _answer_offers(draft: Draft, lab: int, manner: Manner, luck: float) -> dict[str, Reason]:
    """Answer all open offers to a lab in turn; gives why those were refused that were."""
    name = LAB_IDS[lab]
    asked = [offer for offer in draft.offers if offer.status == "open" and offer.target == name]
    refused: dict[str, Reason] = {}
    for place, offer in enumerate(asked):
        why = _weigh(draft, lab, manner, offer, (luck + GOLDEN * place) % 1.0)
        if why is None:
            make_trade(draft, offer)
        else:
            close_offer(draft, offer, "rejected")
            refused[offer.id] = why
    return refused


def _weigh(draft: Draft, lab: int, manner: Manner, offer: Offer, luck: float) -> Reason | None:
    try:
        check_deliverable(draft, offer)
    except Refused:
        return "gone"
    press, heard = _press_and_heard(draft, lab, offer)
    trust = draft.reputations[LAB_NUMBERS[offer.sender]]
    return archetypes.refusal_of(manner, offer, trust, press, heard, luck)


def _press_and_heard(draft: Draft, lab: int, offer: Offer) -> tuple[float, Signals]:
    heard = louder(signals_in(offer.message), _heard_from(draft, LAB_IDS[lab], offer.sender))
    return archetypes.pressure(draft.jobs[lab], draft.round), heard


def _heard_from(draft: Draft, lab: LabId, speaker: LabId) -> Signals:
    heard = SILENT
    for said in reversed(draft.said):
        if draft.round - said.round > MEMORY:
            break
        if said.lab == speaker and said.to in ("", lab):
            heard = louder(heard, signals_in(said.text))
    return heard


def _answer_invitations(draft: Draft, lab: int, manner: Manner) -> None:
    name = LAB_IDS[lab]
    for coalition in list(draft.coalitions):
        if name not in coalition.invited or not coalition.open:
            continue
        press = archetypes.pressure(draft.jobs[lab], draft.round)
        heard = louder(signals_in(coalition.purpose), _heard_from(draft, name, coalition.founder))
        trust = draft.reputations[LAB_NUMBERS[coalition.founder]]
        consents = archetypes.joins(manner, trust, press, heard)
        answer(draft, lab, coalition.id, consents=consents)
        if consents:
            _commit(draft, lab, manner, coalition.id)


def _commit(draft: Draft, lab: int, manner: Manner, coalition: str) -> None:
    """Commit every free block, for what is pooled may still be used; or only the smallest spare.

    The generous count blocks in a pool as they do in a trade: one in, one out.
    """
    idle = _free_blocks(draft, LAB_IDS[lab])
    if not manner.generous:
        for job in sorted(draft.jobs[lab], key=lambda job: -job.value):
            if not job.done:
                cover = cheapest_cover(job, idle, draft.round, windows=draft.windows)
                if cover is not None:
                    idle = [block for block in idle if block not in cover]
        idle.sort(key=lambda one: hours_left(one, draft.round, windows=draft.windows))
        idle = idle[:1]
    if idle:
        pool(draft, lab, draft.coalitions[COALITION_NUMBERS[coalition]], idle)


def _take_back(draft: Draft, lab: int) -> None:
    name = LAB_IDS[lab]
    mine = [block for block in draft.blocks if block.status == "committed" and block.owner == name]
    if mine:
        free(draft, lab, mine)


def _shared_with(draft: Draft, lab: LabId) -> list[Block]:
    pools = {one.id for one in draft.coalitions if one.open and lab in one.members}
    return [
        block
        for block in draft.blocks
        if block.pool in pools and block.status == "committed" and block.owner != lab
    ]


def _run_what_starts(draft: Draft, lab: int, own: list[Block], shared: list[Block]) -> None:
    """Run the most valuable job whose blocks would lose hours by waiting.

    Until a block starts it can still be traded, so a scripted lab holds it that long. It takes
    blocks out of a pool where that is cheaper, as long as it leaves as many to the others.
    """
    round_, windows = draft.round, draft.windows
    usable = [*own, *shared]
    if windows and not any(block.start <= round_ < block.end for block in usable):
        return
    waiting = [job for job in draft.jobs[lab] if not job.done]
    waiting.sort(key=lambda job: -job.value)
    for job in waiting:
        chosen = cheapest_cover(job, usable, round_, windows=windows)
        if chosen is not None and overdrawn(draft, lab, chosen):
            free = [block for block in own if not block.pool]
            chosen = cheapest_cover(job, free, round_, windows=windows)
        if chosen is None:
            continue
        now = any(block.start <= round_ for block in chosen) if windows else True
        if now and keeps_agreements(draft, lab, job, chosen):
            run_job(draft, lab, job, list(chosen))
            return


def _bid(draft: Draft, lab: int, manner: Manner) -> None:
    for block in draft.blocks[-2:]:
        if block.owner == HOUSE and block.status == "available":
            press = archetypes.pressure(draft.jobs[lab], draft.round)
            worth = archetypes.WORTH_OF_BLOCK * (1.0 + manner.pressed * press)
            price = min(int(worth * archetypes.MONEY), draft.budgets[lab])
            make_offer(draft, LAB_IDS[lab], HOUSE, (), (block.id,), Cents(price))


def _propose(draft: Draft, lab: int, manner: Manner, luck: tuple[float, ...]) -> None:
    others = [one for one in range(len(draft.budgets)) if one != lab and not draft.left[one]]
    mine = _free_blocks(draft, LAB_IDS[lab])
    if not others or not mine:
        return
    target = LAB_IDS[others[int(luck[WHOM] * len(others))]]
    theirs = _free_blocks(draft, target)
    if not theirs:
        return
    payment = min(int(luck[PAY] * MOST_PAID + 0.5) + manner.extra, draft.budgets[lab])
    given, wanted = mine[int(luck[WHAT] * len(mine))], theirs[int(luck[WANT] * len(theirs))]
    make_offer(draft, LAB_IDS[lab], target, (given.id,), (wanted.id,), Cents(payment))


def _free_blocks(draft: Draft, owner: LabId) -> list[Block]:
    return [
        block
        for block in draft.blocks
        if block.owner == owner
        and block.is_tradeable
        and hours_left(block, draft.round, windows=draft.windows)
    ]
