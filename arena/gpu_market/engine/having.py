"""May this lab dispose of these blocks? The checks that several actions share."""

from collections.abc import Sequence

from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.quantities import BLOCK_NUMBERS, LAB_NUMBERS, LabId
from arena.gpu_market.engine.refusals import Code, Refused
from arena.gpu_market.engine.state import Draft


def find_lab(draft: Draft, name: str) -> int:
    """Give the number of a lab.

    Raises:
        Refused: ``unknown_lab``.
    """
    number = LAB_NUMBERS.get(name, len(draft.budgets))
    if number >= len(draft.budgets):
        raise Refused("unknown_lab", f"There is no lab {name!r}.")
    return number


def find_blocks(draft: Draft, names: Sequence[str]) -> list[Block]:
    """Look blocks up, each named once.

    Raises:
        Refused: ``unknown_block``, ``duplicate_allocation`` or ``failed_block``.
    """
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
    """Look up available blocks of a lab that still deliver something.

    Raises:
        Refused: ``empty_block_list`` or what is wrong with a block.
    """
    if not names:
        raise Refused("empty_block_list", "Name at least one block.")
    found = find_blocks(draft, names)
    for block in found:
        check_free(draft, block, lab, "unowned_block")
    return found


def check_free(draft: Draft, block: Block, owner: LabId, otherwise: Code) -> None:
    """Refuse a block that is not its owner's to give.

    Raises:
        Refused: ``otherwise`` when it has another owner, else ``unavailable_block``.
    """
    if block.owner != owner:
        raise Refused(otherwise, f"{block.id} does not belong to {owner}.")
    if block.status != "available":
        raise Refused("unavailable_block", f"{block.id} is {block.status}.")
    if not hours_left(block, draft.round, windows=draft.windows):
        raise Refused("unavailable_block", f"The window of {block.id} has closed.")


def check_tradeable(draft: Draft, block: Block, owner: LabId, otherwise: Code) -> None:
    """Refuse a block that its owner may not promise to another lab.

    Raises:
        Refused: as ``check_free``, or ``unavailable_block`` when a contract forbids it.
    """
    check_free(draft, block, owner, otherwise)
    if not block.is_tradeable:
        raise Refused("unavailable_block", f"{owner} agreed not to pass {block.id} on.")


def put(draft: Draft, block: Block) -> None:
    """Store a changed block in its place."""
    draft.blocks[BLOCK_NUMBERS[block.id]] = block
