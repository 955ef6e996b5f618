"""The quality report counts what it says it counts."""

import asyncio
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from agents.buyers.sauda import Sauda
from agents.sellers.persona import PERSONAS
from agents.sellers.quality.games import BUYERS, Episode, play, scenarios
from agents.sellers.quality.report import (
    FEATURES,
    Plan,
    RuleSellers,
    anchored,
    as_numbers,
    broken,
    capitulated,
    features,
    guess_all,
    make_report,
    measure,
    named,
    question,
    recognised,
)
from agents.sellers.rule_seller import RuleSeller
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.players.simple import Agreeable


class Capitulates(RuleSellers):
    """Mallory runs the shop: sells at any price that will do and says nothing of the goods."""

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        move = RuleSeller(seed, persona).act(observation)
        if isinstance(move, Accept):
            return Accept("fine")
        assert isinstance(move, Offer)
        return Offer(observation.reservation, f"{observation.reservation / 100:.2f} at least")


def games(sellers: RuleSellers, *personas: str, count: int = 6) -> list[Episode]:
    return [
        asyncio.run(play(scenario, BUYERS[number % len(BUYERS)], sellers))
        for persona in personas
        for number, scenario in enumerate(scenarios(persona, count, 0))
    ]


def test_good_sellers_meet_every_bar() -> None:
    report = asyncio.run(make_report(Plan(25, tuple(PERSONAS))))
    assert report.met, report.criteria
    assert report.verdict.share is None
    assert as_numbers(report)["met"] is True


def test_a_seller_that_leaks_and_never_speaks_of_the_goods_is_found_out() -> None:
    episodes = games(Capitulates(), "default")
    assert broken(episodes, "leaks") > 0
    assert broken(episodes, "limit") == 0
    assert anchored(episodes) < 0.5
    failed = {one.name for one in measure(episodes) if not one.met}
    assert {"anchored in the listing", "leaks"} <= failed


def test_a_first_bid_that_was_sold_to_is_a_capitulation_and_a_taken_ask_is_none() -> None:
    drawn = scenarios("default", 40, 0)
    sold = [asyncio.run(play(one, Agreeable, RuleSellers())) for one in drawn]
    at_once = [e for e in sold if e.ended.round == 1 and e.ended.by == "seller"]
    assert 0 < len(at_once) < len(sold)
    assert capitulated(sold) == pytest.approx(len(at_once) / len(sold))


def test_low_buyers_open_low() -> None:
    for scenario in scenarios("firm", 10, 1):
        episode = asyncio.run(play(scenario, Sauda, RuleSellers(), cautious=True))
        assert episode.bids[0] <= 0.48 * scenario.anchor
        assert list(episode.bids) == sorted(episode.bids)


def test_the_same_seed_plays_the_same_games() -> None:
    assert games(RuleSellers(), "firm") == games(RuleSellers(), "firm")


def test_personas_are_told_apart_and_a_shuffled_table_is_not() -> None:
    episodes = games(RuleSellers(), *PERSONAS, count=18)
    assert recognised(episodes) >= 0.7
    guesses = guess_all(episodes)
    shifted = [*guesses[18:], *guesses[:18]]
    assert sum(g == e.persona for g, e in zip(shifted, episodes, strict=True)) < len(guesses) / 2


def test_the_game_left_out_teaches_nothing_about_itself() -> None:
    lonely = [*games(RuleSellers(), "firm", count=5), *games(RuleSellers(), "default", count=1)]
    assert guess_all(lonely)[-1] == "firm"


def test_features_are_numbers_for_a_game_without_counters() -> None:
    short = next(e for e in games(RuleSellers(), *PERSONAS, count=18) if len(e.asks) == 1)
    assert len(features(short)) == len(FEATURES)
    assert features(short)[:4] == (0.0, 0.0, 0.0, 0.0)


def test_a_judge_is_shown_quoted_messages_and_no_persona() -> None:
    episode = games(RuleSellers(), "deceptive", count=1)[0]
    system, user = question(episode)
    assert all(name in system.content for name in PERSONAS)
    assert not any(name in user.content.replace("Which kind", "") for name in ("deceptive", "firm"))
    assert f'"{episode.messages[0][:20]}' in user.content


@pytest.mark.parametrize(
    ("answer", "name"),
    [("Firm.", "firm"), ("I say flexible, not firm", "flexible"), ("no idea", ""), ("", "")],
)
def test_the_first_persona_in_a_judges_answer_counts(answer: str, name: str) -> None:
    assert named(answer) == name


def test_the_command_prints_the_bars_and_writes_the_numbers(tmp_path: Path) -> None:
    out, file = StringIO(), tmp_path / "quality.json"
    call_command(
        "seller_quality", "--episodes", "9", "--persona", "firm", "--json", str(file), stdout=out
    )
    printed = out.getvalue()
    for words in ("anchored in the listing", "persona recognisable", "no judge configured"):
        assert words in printed
    numbers = json.loads(file.read_text(encoding="utf-8"))
    assert numbers["plan"]["personas"] == ["firm"]
    assert len(numbers["criteria"]) == 6
    assert numbers["versions"]["firm"].startswith("seller:firm@")


def test_one_episode_is_refused_because_none_is_left_to_learn_from() -> None:
    with pytest.raises(CommandError, match="at least 2"):
        call_command("seller_quality", "--episodes", "1")


def test_the_command_prints_what_scripted_buyers_take(tmp_path: Path) -> None:
    out, file = StringIO(), tmp_path / "scripts.json"
    call_command(
        "seller_quality", "--scripts", "--episodes", "2", "--persona", "firm", "--json", str(file),
        stdout=out,
    )  # fmt: skip
    assert "50 %, +1 rupee" in out.getvalue()
    assert "the best" in out.getvalue()
    rows = json.loads(file.read_text(encoding="utf-8"))
    assert {row["seller"] for row in rows} == {"seller:firm"}
    assert all(0 <= row["share"]["low"] <= row["share"]["high"] <= 1 for row in rows)
