"""What an evaluation keeps of every game: one row, one line of JSON, always the same bytes."""

import msgspec

from bazaarbatna.bargain.log import Log, digest_of
from bazaarbatna.bargain.scoring import WIN_SHARE, Label, score
from bazaarbatna.intervals import DECIMALS

"""Shares and rewards are rounded to millionths: what is summed up is what the file says."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What all rows begin with, in this order; ``game`` counts a suite's games from 0."""

    suite: str
    seed: int
    game: int
    policy: str
    policy_version: str

    @property
    def opponent(self) -> str:
        """Version label of whom the policy met, as the plan pins it."""
        raise NotImplementedError

    @property
    def dealt(self) -> tuple[int, ...]:
        """What was drawn before the first move: the same for every policy."""
        raise NotImplementedError

    def contradiction(self) -> str | None:
        """Name a number that does not follow from the others; None when all do."""
        raise NotImplementedError


class EpisodeRow(Row, frozen=True, kw_only=True):
    """One bargain of one buyer. Prices in paise.

    Attributes:
        outcome: "deal", "walk" or "expired".
        buyer_share: 0..1 of the zone for a deal, None without one.
        surplus: 0..1 over all winnable bargains: 0 without a deal, None if not winnable.
        reward: sum of the buyer's rewards over its moves.
        digest: SHA-256 of the log's text (``bazaarbatna.bargain.log``).
    """

    seller: str
    outcome: str
    by: str | None
    rounds: int
    price: int | None
    anchor: int
    budget: int
    reservation: int
    winnable: bool
    buyer_share: float | None
    surplus: float | None
    label: Label
    reward: float
    digest: str

    @property
    def opponent(self) -> str:
        """The seller's version label."""
        return self.seller

    @property
    def dealt(self) -> tuple[int, ...]:
        """Opening ask and both reservation prices."""
        return self.anchor, self.budget, self.reservation

    def contradiction(self) -> str | None:
        """Name a number that does not follow from the prices; None when all do."""
        zone, share = self.budget - self.reservation, 0.0
        label: Label = "mutual loss" if zone > 0 else "rational walk"
        if self.price is not None:
            if not self.reservation <= self.price <= self.budget:
                return "price"
            share = (self.budget - self.price) / zone if zone else 0.5
            label = "buyer win" if share > WIN_SHARE else "tie"
            label = "seller win" if 1.0 - share > WIN_SHARE else label
        if (self.outcome == "deal") != (self.price is not None):
            return "outcome"
        told = round(share, DECIMALS)
        expected = {
            "winnable": zone > 0,
            "buyer_share": None if self.price is None else told,
            "surplus": told if zone > 0 else None,
            "label": label,
        }
        return next((key for key, value in expected.items() if getattr(self, key) != value), None)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(EpisodeRow)


def row_of(
    log: Log, *, seed: int, game: int, policy: str, policy_version: str, reward: float
) -> EpisodeRow:
    """Sum up a finished bargain."""
    result, ended, scenario = score(log), log.ended, log.scenario
    assert ended is not None
    share = None if ended.price is None else round(result.buyer_share, DECIMALS)
    return EpisodeRow(
        suite=scenario.suite,
        seed=seed,
        game=game,
        policy=policy,
        policy_version=policy_version,
        seller=scenario.seller,
        outcome=ended.outcome,
        by=ended.by,
        rounds=ended.round,
        price=ended.price,
        anchor=scenario.anchor,
        budget=scenario.sealed.budget,
        reservation=scenario.sealed.reservation,
        winnable=result.winnable,
        buyer_share=share,
        surplus=(share or 0.0) if result.winnable else None,
        label=result.label,
        reward=round(reward, DECIMALS) or 0.0,
        digest=digest_of(log),
    )


def to_line(row: Row) -> bytes:
    """Write a row as one line of JSON with its line break."""
    return _encoder.encode(row) + b"\n"


def from_line(line: bytes) -> EpisodeRow:
    """Read a bargain."""
    return _decoder.decode(line)
