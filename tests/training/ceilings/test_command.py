"""The command plays bounds and lines, and says what is not known."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from bazaarbatna.intervals import Interval
from training.evaluation.ceilings import players
from training.evaluation.ceilings.players import BEST_RESPONSE, BOUNDS, CLAIRVOYANT
from training.evaluation.measures import NOT_KNOWN, WAITER, is_patience, measures
from training.evaluation.playing import Ceilings, Source, register_suites, source_of
from training.evaluation.published import CEILINGS
from training.evaluation.summary import Card
from training.models import Run

pytestmark = pytest.mark.django_db

SINGLE, FIRM = "single_deal@sampled-1", "firm@strangers-1"


def ceilings(tmp_path: Path, suites: str) -> tuple[str, list[dict[str, object]], Run]:
    out, table = StringIO(), tmp_path / "table.json"
    call_command(
        "ceilings", suites=suites, episodes="6", seed="30", workers="1",
        out=tmp_path / "run", table=table, stdout=out,
    )  # fmt: skip
    return out.getvalue(), json.loads(table.read_bytes()), Run.objects.get(kind=CEILINGS)


def test_the_table_has_bounds_lines_and_what_they_mean(tmp_path: Path) -> None:
    said, rows, run = ceilings(tmp_path, "single_deal")
    assert "a test of patience" in said
    assert run.status == Run.Status.DONE
    by_player = {row["player"]: row for row in rows}
    assert set(BOUNDS) | {"rules:waiter", "ceiling:line"} <= set(by_player)
    best, waiter = by_player[BEST_RESPONSE], by_player["rules:waiter"]
    assert best["of_best"] == 1
    assert str(best["how"]).startswith("exact on a grid of 64 prices")
    assert waiter["patience"] is True
    assert waiter["of_best"] == pytest.approx(1, abs=1e-6)
    assert waiter["grade"]
    assert waiter["how"] == ""


def test_what_nobody_knows_is_not_played_and_said_to_be_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Talking sellers take their time: one line to choose from is enough here.
    monkeypatch.setattr(players, "FIRSTS", (0.5,))
    monkeypatch.setattr(players, "LASTS", (0.7,))
    monkeypatch.setattr(players, "BARGAINS", players.FEW)
    said, rows, run = ceilings(tmp_path, FIRM)
    assert NOT_KNOWN in said
    assert not set(BOUNDS) & {one["name"] for one in run.config["policies"]}
    by_player = {row["player"]: row for row in rows}
    assert by_player[CLAIRVOYANT]["how"] == NOT_KNOWN
    assert by_player["rules:waiter"]["patience"] is None
    assert by_player["rules:waiter"]["of_best"] is None


def test_a_table_of_suites_brings_its_own_bounds(tmp_path: Path) -> None:
    known, own = source_of(FIRM), source_of(SINGLE).ceilings
    assert own is not None

    def find(id_: str) -> Source | None:
        if id_ != "toy@1":
            return None
        brought = Ceilings(best_response=own.best_response, best_response_how="approximate: toy")
        plain = source_of(SINGLE)
        return Source(known.title, 1, "toy", plain.deal, plain.open, brought)

    register_suites("toys", find)
    try:
        found = {one.player: one for one in measures((), ["toy@1"])}
        assert found[BEST_RESPONSE].how == "approximate: toy"
        assert found[f"{BEST_RESPONSE}-grade"].how == NOT_KNOWN
        assert found[CLAIRVOYANT].how == NOT_KNOWN
    finally:
        register_suites("toys", lambda _: None)


def test_games_that_lines_are_chosen_on_are_no_games_to_measure_on() -> None:
    with pytest.raises(CommandError, match="before 700000"):
        call_command("ceilings", suites="single_deal", episodes="200", seed="699900")


@pytest.mark.parametrize(("waiter", "wanted"), [(0.76, True), (0.759, False), (0.9, True)])
def test_patience_is_all_where_waiting_comes_within_a_twentieth(
    waiter: float, wanted: bool
) -> None:
    cards = {WAITER: a_card(waiter), BEST_RESPONSE: a_card(0.8)}
    assert is_patience(cards) is wanted
    assert is_patience({**cards, BEST_RESPONSE: None}) is None


def a_card(share: float) -> Card:
    told = Interval(share, share, share)
    return Card(
        n=1, games=1, winnable=1, deals=1, share_of_winnable=told, share_of_deals=told,
        deal_rate=None, win_rate=None, mutual_loss_rate=None, rational_walk_rate=None,
        rounds=None, reward=None,
    )  # fmt: skip
