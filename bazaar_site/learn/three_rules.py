"""Three rules for a person in each seat, and what they were worth where they were measured.

As a buyer they are ``rules:three``; as a seller the scripted one who answers step for step.
"""

import msgspec
from django.urls import reverse

from training.receipts.figures import PERCENT, Figure, figure
from training.receipts.tables import MannersTable, ScriptedTable

NETWORK = "sauda-network"
BUYERS = {
    "own": "rules:three",
    "network": NETWORK,
    "middle": "rules:halver",
    "formula": "rules:conceder-30",
}
SELLERS = {"own": "step for step", "straight": "linear", "wall": "never moves"}


class ThreeRules(msgspec.Struct, frozen=True):
    """Shares of what was to be had, by who plays: ``BUYERS`` and ``SELLERS``.

    ``blind`` is the best seller who looks at no bid.
    """

    buying: dict[str, Figure | None]
    selling: dict[str, Figure | None]


def three_rules() -> ThreeRules | None:
    """Read the receipts; None where one of them is missing or tells of other players."""
    kept, taken = MannersTable.shipped(), ScriptedTable.shipped()
    if kept is None or taken is None:
        return None
    buyers = {row.policy: row.share for row in kept.rows}
    row = next((row for row in taken.rows if row.policy == NETWORK), None)
    if row is None or not set(BUYERS.values()) <= set(buyers):
        return None
    sellers = {one.seller: one.share for one in row.sellers}
    receipts = [reverse("table", args=[table.name]) for table in (kept, taken)]
    return ThreeRules(
        {seat: figure(buyers[name], PERCENT, receipts[0]) for seat, name in BUYERS.items()},
        {seat: figure(sellers.get(name), PERCENT, receipts[1]) for seat, name in SELLERS.items()}
        | {"blind": figure(row.blind, PERCENT, receipts[1])},
    )
