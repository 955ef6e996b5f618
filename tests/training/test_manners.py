"""How buyers go about their games: counted by hand, by a command, and on people's own bids."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from bazaarbatna.bargain.people.paths import FIT
from bazaarbatna.intervals import Interval
from training.evaluation.samples import Manners, MannersRow, Sample, manners_of, shipped_of
from training.receipts.tables import MannersTable


def a_game(*bids: int, price: int | None = None, share: float | None = 0.0) -> Sample:
    """A game with an opening ask of 1,000 and these bids."""
    lines = [{"side": "seller", "move": "message", "text": "Namaste"}]
    for bid in bids:
        lines.append({"side": "buyer", "move": "offer", "price": bid})  # type: ignore[dict-item]
        lines.append({"side": "seller", "move": "offer", "price": 990})  # type: ignore[dict-item]
    told = {
        "policy": "", "title": "", "version": "", "suite": "", "seed": 0, "seller": "", "item": "",
        "anchor": 1000, "budget": 900, "reservation": 500, "by": None, "price": price,
        "outcome": "expired" if price is None else "deal", "share": share, "rounds": 4,
        "lines": lines,
    }  # fmt: skip
    return msgspec.convert(told, Sample)


@pytest.mark.parametrize(
    ("game", "jump", "equal", "insults", "has_slight"),
    [
        (a_game(), 0.0, 0, 0, False),
        (a_game(600), 0.0, 1, 0, False),
        (a_game(500, 600, 660), 0.2, 1, 0, False),
        (a_game(499, 600), 101 / 499, 1, 1, True),
        (a_game(500, 750), 0.5, 1, 0, False),
        (a_game(500, 751), 0.502, 1, 0, True),
        (a_game(600, 600, 650, 650), 50 / 600, 2, 0, False),
        (a_game(600, 650, 650, 650), 50 / 600, 3, 0, True),
        (a_game(700, 600, 300), 0.0, 1, 1, True),
    ],
)
def test_a_game_is_counted(
    game: Sample, jump: float, equal: int, insults: int, has_slight: bool
) -> None:
    found = manners_of(game)
    assert (found.jump, found.equal, found.insults) == (pytest.approx(jump), equal, insults)
    assert (found.rounds, found.has_slight) == (4, has_slight)


def test_both_shares_are_of_the_zone() -> None:
    def shares(found: Manners) -> tuple[float | None, float | None]:
        return found.share, found.seller_share

    assert shares(manners_of(a_game(600, price=600, share=0.75))) == (0.75, 0.25)
    assert shares(manners_of(a_game(600))) == (0.0, 0.0)
    assert shares(manners_of(a_game(600, share=None))) == (None, None)


def test_nine_in_ten_human_buyers_are_without_a_slight() -> None:
    paths = [json.loads(line)["prices"] for line in FIT.read_text().splitlines()]
    bids = [[round(1000 * price) for side, price in path if side == "b"] for path in paths]
    people = [manners_of(a_game(*one)) for one in bids if one]
    assert len(people) > 250
    assert sum(not one.has_slight for one in people) / len(people) == pytest.approx(0.9, abs=0.02)


def a_row(policy: str, share: float, smooth: float) -> MannersRow:
    def sure(mean: float) -> Interval:
        return Interval(mean, mean, mean)

    return MannersRow(
        policy=policy, version="", title="", share=sure(share), seller_share=sure(0.3),
        smooth=sure(smooth), jump=0.0, equal=1.0, rounds=3.0, insults=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "ships"),
    [
        ([a_row("hard", 0.60, 0.2), a_row("kind", 0.59, 0.9)], "kind"),
        ([a_row("hard", 0.60, 0.2), a_row("kind", 0.5899, 0.9)], "hard"),
        ([a_row("kind", 0.60, 0.9), a_row("hard", 0.60, 0.2)], "kind"),
        ([a_row("one", 0.59, 0.5), a_row("two", 0.60, 0.5)], "two"),
    ],
)
def test_of_two_within_a_hundredth_the_liked_one_ships(rows: list[MannersRow], ships: str) -> None:
    assert shipped_of(rows).policy == ships


def test_the_command_prints_a_row_each_and_the_same_again(tmp_path: Path) -> None:
    def told(name: str) -> tuple[str, MannersTable]:
        out, table = io.StringIO(), tmp_path / name
        call_command(
            "manners", "--games", "50", "--policies", "rules:waiter,rules:linear",
            "--suite", "people@1", "--table", str(table), stdout=out,
        )  # fmt: skip
        return out.getvalue(), msgspec.json.decode(table.read_bytes(), type=MannersTable)

    printed, table = told("one.json")
    assert [row.policy for row in table.rows] == ["rules:waiter", "rules:linear"]
    assert len(printed.splitlines()) == 4
    waiter, linear = table.rows
    assert waiter.equal > linear.equal
    assert waiter.jump == 0
    assert waiter.smooth.mean <= linear.smooth.mean
    assert told("two.json") == (printed, table)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--suite", "nowhere@1"], "There is no suite"),
        (["--games", "49"], "at least 50"),
        (["--seed", "-1"], "0 or more"),
        (["--policies", "nobody"], "nobody"),
        (["--policies", ""], "Known"),
    ],
)
def test_what_cannot_be_counted_is_said(options: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("manners", *options)


def test_the_shipped_table_is_whole() -> None:
    table = MannersTable.shipped()
    assert table is not None
    assert {"sauda-network", "rules:conceder"} <= {row.policy for row in table.rows}
    for row in table.rows:
        for one in (row.share, row.seller_share, row.smooth):
            assert 0 <= one.low <= one.mean <= one.high <= 1
