"""How each kind of buyer behaves among rivals: what it does when outbid, and what it signals."""

import hashlib

import msgspec

from arena.auction.engine.moves import Signal

NUMBER = 1
"""Version of the rule that reads this table (``arena.auction.web.bidding``)."""


class Manner(msgspec.Struct, frozen=True):
    """One row of the table; shares are 0..1 unless said.

    Attributes:
        keeps: of its planned step, what a buyer in front still makes. It leads: the ask comes
            down to it.
        raises: of the way from its bid to the most it would pay, what an outbid buyer goes in a
            round.
        most: of its budget, what rivals can drive it to.
        takes: of its budget, up to which an outbid buyer takes the ask before a rival does.
        patience: after how many rounds in a row of being outbid it leaves an ask above the most
            it would pay; None: never.
        heeds: factor on a raise against somebody who signalled to compete.
        returns: factor on a raise while all rivals signalled to cooperate.
        opens, leads, trails: the sign it gives before its first bid, in front, and outbid.
        bluffs: chance, while it is outbid, of the sign "bluff" and no raise.
        reads: its raise follows what the seller shows: slower before one in a hurry.
        says_round: it names round numbers, as people do.
        voice: whose lines it speaks in a match where its own words do not fit; "" for silence.
        own_words: what the policy says itself comes first.
    """

    keeps: float = 1.0
    raises: float = 0.3
    most: float = 1.0
    takes: float = 0.0
    patience: int | None = None
    heeds: float = 1.0
    returns: float = 1.0
    opens: Signal | None = None
    leads: Signal | None = None
    trails: Signal | None = None
    bluffs: float = 0.0
    reads: bool = False
    says_round: bool = False
    voice: str = ""
    own_words: bool = True


PLAIN = Manner(voice="base")
"""Whoever has no row: no signs, its own bids, a raise when outbid."""

MANNERS: dict[str, Manner] = {
    "rules:aggressive": Manner(
        raises=0.35,
        most=0.9,
        takes=0.8,
        patience=4,
        opens="compete",
        leads="compete",
        trails="compete",
        says_round=True,
        voice="aggressive",
    ),
    "rules:smart": Manner(
        keeps=0.5,
        raises=0.3,
        most=0.95,
        takes=0.88,
        heeds=0.8,
        returns=0.6,
        opens="cooperate",
        leads="cooperate",
        trails="compete",
        says_round=True,
        voice="smart",
    ),
    # Its narrator tells of "the buyer"; among rivals it speaks for itself.
    "rules:og": Manner(voice="base", own_words=False),
    "sauda": Manner(
        keeps=0.3,
        raises=0.4,
        most=0.95,
        takes=0.93,
        returns=0.7,
        opens="cooperate",
        trails="compete",
        bluffs=0.15,
        reads=True,
        says_round=True,
        voice="sauda",
    ),
}
"""By policy."""

LINE_UP = ("rules:aggressive", "rules:smart", "rules:og", "sauda")
"""The four who usually play; the third is the base model's seat."""


def manner_of(policy_name: str) -> Manner:
    """Look a policy's manner up; the forms of one policy share it (``sauda:local``)."""
    return MANNERS.get(policy_name) or MANNERS.get(policy_name.partition(":")[0], PLAIN)


def manner_version(policy_name: str) -> str:
    """Write six hex digits for the manner; part of the version of a seat."""
    text = msgspec.json.encode((NUMBER, manner_of(policy_name)), order="sorted")
    return hashlib.sha256(text).hexdigest()[:6]
