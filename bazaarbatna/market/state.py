"""A position of the market, and the draft in which one turn is worked out.

``State`` is what everybody outside holds: it never changes. A ``Draft`` lives only inside one call
of the engine; the rules write into it, and it is frozen into the next state. So one turn costs one
copy, however many things happen in it. Checks that several actions share stand below it.
"""

from collections.abc import Sequence

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import Block, Coalition, Contract, Job, Offer, hours_left
from bazaarbatna.market.errors import Code, Refused
from bazaarbatna.market.events import Ended, MarketEvent, Said, ShockStruck
from bazaarbatna.market.quantities import BLOCK_NUMBERS, LAB_NUMBERS, Cents, LabId
from bazaarbatna.market.scenario import MarketScenario


class ActionResult(msgspec.Struct, frozen=True, gc=False):
    """What became of a lab's last action; ``code`` is None when it was valid."""

    ok: bool = True
    code: Code | None = None
    message: str = ""


class Tally(msgspec.Struct, frozen=True, gc=False):
    """What a lab has earned and done so far; money in hundredths of a credit.

    ``repeats`` counts how often in a row the last action was given; ``idle`` is counted at the end.
    """

    value: int = 0
    energy: int = 0
    paid: int = 0
    received: int = 0
    finished: int = 0
    offers: int = 0
    trades: int = 0
    formed: int = 0
    pooled: int = 0
    excused: int = 0
    breaches: int = 0
    refused: int = 0
    repeats: int = 0
    idle: int = 0

    @property
    def utility(self) -> int:
        """Value of finished jobs less energy and payments, plus receipts."""
        return self.value - self.energy - self.paid + self.received


class State(msgspec.Struct, frozen=True, gc=False):
    """A position. Tuples with one entry per lab: ``budgets`` to ``left``; others in order of time.

    ``luck`` has the numbers of the scripted labs; ``turn`` is the number of the lab that is to
    act; ``left`` says who has finished; ``house`` is the money that auctions took in. All money in
    hundredths of a credit.
    """

    scenario: MarketScenario
    luck: tuple[float, ...]
    round: int
    turn: int
    blocks: tuple[Block, ...]
    budgets: tuple[Cents, ...]
    reputations: tuple[float, ...]
    jobs: tuple[tuple[Job, ...], ...]
    tallies: tuple[Tally, ...]
    results: tuple[ActionResult | None, ...]
    last: tuple[MarketAction | None, ...]
    left: tuple[bool, ...]
    offers: tuple[Offer, ...]
    contracts: tuple[Contract, ...]
    coalitions: tuple[Coalition, ...]
    said: tuple[Said, ...]
    shocks: tuple[ShockStruck, ...]
    house: Cents = Cents(0)
    ended: Ended | None = None


class Draft(msgspec.Struct):
    """A position that is being worked out, and the ``events`` that happened in it so far."""

    scenario: MarketScenario
    windows: bool
    luck: tuple[float, ...]
    round: int
    turn: int
    blocks: list[Block]
    budgets: list[Cents]
    reputations: list[float]
    jobs: list[tuple[Job, ...]]
    tallies: list[Tally]
    results: list[ActionResult | None]
    last: list[MarketAction | None]
    left: list[bool]
    offers: list[Offer]
    contracts: list[Contract]
    coalitions: list[Coalition]
    said: list[Said]
    shocks: list[ShockStruck]
    house: Cents
    ended: Ended | None
    events: list[MarketEvent]

    def count(self, lab: int, **more: int) -> None:
        """Add to what a lab has done and earned."""
        tally = self.tallies[lab]
        for name, by in more.items():
            more[name] = getattr(tally, name) + by
        self.tallies[lab] = msgspec.structs.replace(tally, **more)

    def trust(self, lab: int, change: float) -> None:
        """Change a reputation within 0..1."""
        # Rounded, so that a sum of hundredths prints as one.
        self.reputations[lab] = round(min(max(self.reputations[lab] + change, 0.0), 1.0), 2)


def thaw(state: State) -> Draft:
    """Copy a position to work on."""
    return Draft(
        state.scenario,
        state.scenario.rules.windows,
        state.luck,
        state.round,
        state.turn,
        list(state.blocks),
        list(state.budgets),
        list(state.reputations),
        list(state.jobs),
        list(state.tallies),
        list(state.results),
        list(state.last),
        list(state.left),
        list(state.offers),
        list(state.contracts),
        list(state.coalitions),
        list(state.said),
        list(state.shocks),
        state.house,
        state.ended,
        [],
    )


def freeze(draft: Draft) -> State:
    """Make a position of what was worked out."""
    return State(
        draft.scenario,
        draft.luck,
        draft.round,
        draft.turn,
        tuple(draft.blocks),
        tuple(draft.budgets),
        tuple(draft.reputations),
        tuple(draft.jobs),
        tuple(draft.tallies),
        tuple(draft.results),
        tuple(draft.last),
        tuple(draft.left),
        tuple(draft.offers),
        tuple(draft.contracts),
        tuple(draft.coalitions),
        tuple(draft.said),
        tuple(draft.shocks),
        draft.house,
        draft.ended,
    )


def find_lab(draft: Draft, name: str) -> int:
    """Return the number of a lab."""
    number = LAB_NUMBERS.get(name, len(draft.budgets))
    if number >= len(draft.budgets):
        raise Refused("unknown_lab", f"There is no lab {name!r}.")
    return number


def find_blocks(draft: Draft, names: Sequence[str]) -> list[Block]:
    """Look blocks up, each named once."""
    if len(set(names)) < len(names):
        raise Refused("duplicate_allocation", "Name every block once.")
    found = []
    for name in names:
        number = BLOCK_NUMBERS.get(name, len(draft.blocks))
        if number >= len(draft.blocks):
            raise Refused("unknown_block", f"There is no block {name!r}.")
        block = draft.blocks[number]
        if block.status == "failed":
            raise Refused("failed_block", f"{name} has failed.")
        found.append(block)
    return found


def find_own(draft: Draft, lab: LabId, names: Sequence[str]) -> list[Block]:
    """Look up available blocks of a lab that still deliver something."""
    if not names:
        raise Refused("empty_block_list", "Name at least one block.")
    found = find_blocks(draft, names)
    for block in found:
        check_free(draft, block, lab, "unowned_block")
    return found


def check_free(draft: Draft, block: Block, owner: LabId, otherwise: Code) -> None:
    """Refuse a block that is not its owner's to give."""
    if block.owner != owner:
        raise Refused(otherwise, f"{block.id} does not belong to {owner}.")
    if block.status != "available":
        raise Refused("unavailable_block", f"{block.id} is {block.status}.")
    if not hours_left(block, draft.round, windows=draft.windows):
        raise Refused("unavailable_block", f"The window of {block.id} has closed.")


def check_tradeable(draft: Draft, block: Block, owner: LabId, otherwise: Code) -> None:
    """Refuse a block that its owner may not promise to another lab."""
    check_free(draft, block, owner, otherwise)
    if not block.is_tradeable:
        raise Refused("unavailable_block", f"{owner} agreed not to pass {block.id} on.")


def put(draft: Draft, block: Block) -> None:
    """Store a changed block in its place."""
    draft.blocks[BLOCK_NUMBERS[block.id]] = block
