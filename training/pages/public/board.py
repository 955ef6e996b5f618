"""Tables of a published evaluation for the page, and its ablation, each number with its receipt."""

from collections.abc import Sequence

import msgspec
from django.urls import reverse
from django.utils.translation import gettext

from agents.buyers.trained_players import ARMS, Arm, split_arm
from negotiation.policies import Entry, UnknownPolicy, policy
from negotiation.sentences import sentences
from training.evaluation import BadPlan
from training.evaluation.published import ABLATION, Published, newest
from training.evaluation.summary import Card, PolicyResult
from training.receipts.figures import (
    PERCENT,
    ROUNDS,
    SHARE,
    SMALL_PERCENT,
    Figure,
    Gap,
    Style,
    figure,
    gap_of,
    reach,
)

say = sentences(__file__)

COLUMNS: tuple[tuple[str, str, str, Style], ...] = (
    ("share_of_winnable", say.text("share_of_all_games"), say.text("of_all"), SHARE),
    ("share_of_deals", say.text("share_of_deals"), say.text("of_deals"), SHARE),
    ("deal_rate", say.text("deals"), say.text("deals"), PERCENT),
    ("mutual_loss_rate", say.text("deals_missed"), say.text("missed"), SMALL_PERCENT),
    ("rounds", say.text("rounds"), say.text("rounds"), ROUNDS),
)
"""Numbers of a card that the page shows: key, heading, heading on a phone, how."""

STYLES = {key: style for key, _, _, style in COLUMNS} | {"win_rate": PERCENT}
"""How the numbers are written that some page shows."""

MEAN = "mean"
FINE = Style(3)  # For differences that may be small


class Cell(msgspec.Struct, frozen=True):
    """One number of a row, with the heading above it."""

    heading: str
    figure: Figure | None
    short: str = ""


class Row(msgspec.Struct, frozen=True):
    """One buyer: ``figures`` over the mean, ``suites`` the share of winnable in each suite.

    ``receipt`` leads to it. ``of_best`` is its share over the best response's, where a page knows
    it; ``is_bound``: it took no part and is there to be measured against.
    """

    policy: str
    title: str
    version: str
    is_trained: bool
    receipt: str
    figures: dict[str, Figure | None]
    suites: tuple[Cell, ...]
    share: float
    of_best: str = ""
    is_bound: bool = False

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The numbers of the page's columns."""
        return tuple(
            Cell(gettext(heading), self.figures[key], gettext(short))
            for key, heading, short, _ in COLUMNS
        )

    @property
    def lead(self) -> Figure | None:
        """The first number, which the row is ordered by."""
        return self.figures[COLUMNS[0][0]]


class Board(msgspec.Struct, frozen=True):
    """A published evaluation as the page shows it; ``rows`` best first."""

    run: str
    url: str
    published: Published
    rows: tuple[Row, ...]
    suites: tuple[str, ...]
    bargains: int

    @property
    def trained(self) -> tuple[Row, ...]:
        """Rows of trained models."""
        return tuple(row for row in self.rows if row.is_trained)

    @property
    def best(self) -> Row:
        """The row on top."""
        return self.rows[0]

    @property
    def best_rule(self) -> Row | None:
        """The best that was not trained."""
        return next((row for row in self.rows if not row.is_trained), None)


def board_of(published: Published | None) -> Board | None:
    """Prepare a published evaluation; None where there is none."""
    if published is None or not published.rows:
        return None
    rows = [row_of(place, one, published) for place, one in enumerate(published.rows)]
    rows.sort(key=lambda row: -row.share)
    return Board(
        run=published.run,
        url=reverse("receipt", args=[published.run]),
        published=published,
        rows=tuple(rows),
        suites=tuple(one.title for one in published.made.suites),
        bargains=published.made.bargains,
    )


def figure_of(
    published: Published, policy: str, suite: str | None, rate: str, style: Style = SHARE
) -> Figure | None:
    """Write one rate of a buyer with the way to its receipt; None where it is not known."""
    for place, one in enumerate(published.rows):
        if one.policy == policy:
            card = one.mean if suite is None else one.suites.get(suite)
            path = MEAN if suite is None else f"suites/{suite}"
            summary = reverse("receipt-summary", args=[published.run])
            receipt = f"{summary}#/policies/{place}/{path}/{rate}"
            return figure(getattr(card, rate), style, receipt) if card else None
    return None


def gaps(
    published: Published, wanted: Sequence[tuple[str, str]], style: Style = SHARE
) -> tuple[Gap, ...]:
    """Compare pairs of buyers on the games they both played, all on one scale.

    Each pair begins with the one that is hoped to be better; who did not play is left out.
    """
    known = {
        (one.first, one.second): (place, one)
        for place, one in enumerate(published.differences)
        if one.suite == MEAN
    }
    titles = {one.policy: short_title(one) for one in published.rows}
    found = []
    for first, second in wanted:
        for key, sign in (((first, second), 1), ((second, first), -1)):
            if key in known:
                found.append((first, second, sign, *known[key]))
    widest = max((reach(one.share_of_winnable) for *_, one in found), default=1.0) or 1.0
    url = reverse("receipt-summary", args=[published.run])
    return tuple(
        gap_of(
            share, style, sign=sign, widest=widest, first=titles[first], second=titles[second],
            receipt=f"{url}#/differences/{place}/share_of_winnable",
        )
        for first, second, sign, place, one in found
        if (share := one.share_of_winnable) is not None
    )  # fmt: skip


def short_title(one: PolicyResult) -> str:
    """Name a buyer by what stands behind its title's last comma: "Sauda mini, SFT + GRPO"."""
    return one.title.rpartition(", ")[2] if one.kind == "model" else one.title


def row_of(place: int, one: PolicyResult, published: Published) -> Row:
    """Prepare the buyer at a place of an evaluation."""
    pointer = f"{reverse('receipt-summary', args=[published.run])}#/policies/{place}"
    share = one.mean.share_of_winnable
    return Row(
        policy=one.policy,
        title=one.title,
        version=one.version,
        is_trained=one.kind == "model",
        receipt=pointer,
        figures={
            key: figure(getattr(one.mean, key), style, f"{pointer}/mean/{key}")
            for key, style in STYLES.items()
        },
        suites=tuple(
            Cell(made.title, _share(one.suites.get(made.id), f"{pointer}/suites/{made.id}"))
            for made in published.made.suites
        ),
        share=share.mean if share else -1.0,
    )


def _share(card: Card | None, pointer: str) -> Figure | None:
    if card is None:
        return None
    return figure(card.share_of_winnable, SHARE, f"{pointer}/share_of_winnable")


class Switch(msgspec.Struct, frozen=True):
    """One switch, and the words for where the other one stands (off, on)."""

    name: str
    title: str
    words: tuple[str, str]

    def arm(self, on: bool, other: bool) -> Arm:
        """Return the arm with this switch on or off, and the other one."""
        return Arm(tells=on, steer=other) if self.name == "tells" else Arm(tells=other, steer=on)

    def beside(self, other: bool) -> str:
        """Return where the other switch stands."""
        return gettext(self.words[other])


SWITCHES: tuple[Switch, ...] = (
    Switch("tells", say.text("reading_tells"), (say.text("not_steered"), say.text("steered"))),
    Switch("steer", say.text("steering"), (say.text("blind_to_tells"), say.text("reading_them"))),
)


class Switched(msgspec.Struct, frozen=True):
    """What one switch changes: on minus off, with the other switch as ``beside`` says."""

    name: str
    title: str
    beside: str
    gap: Gap


class Ablation(msgspec.Struct, frozen=True):
    """The newest published ablation."""

    board: Board
    switched: tuple[Switched, ...]


def ablation() -> Ablation | None:
    """Return the newest published ablation, None while there is none."""
    published = newest(ABLATION)
    board = board_of(published)
    if published is None or board is None:
        return None
    arms = {split_arm(row.policy)[1]: row.policy for row in board.rows}
    places, wanted = [], []
    for switch in SWITCHES:
        for beside in (False, True):
            on, off = arms.get(switch.arm(True, beside)), arms.get(switch.arm(False, beside))
            if on is not None and off is not None:
                places.append((switch.name, gettext(switch.title), switch.beside(beside)))
                wanted.append((on, off))
    measured = gaps(published, wanted, FINE)
    if len(measured) < len(places):
        # Where no game was winnable there is nothing to compare.
        return Ablation(board, ())
    found = (Switched(*place, gap) for place, gap in zip(places, measured, strict=True))
    return Ablation(board, tuple(found))


def arms_of(name: str) -> list[Entry]:
    """Look up the four arms of a buyer; ``BadPlan`` where it has none."""
    buyer, _ = split_arm(name)
    try:
        return [policy(f"{buyer}{arm.ending}") for arm in ARMS]
    except UnknownPolicy:
        raise BadPlan(
            f"{name[:60]!r} has no switches; trained buyers have them, for example sauda-mini."
        ) from None
