"""How many people a study needs: against the closed formula, by its false alarms, by its table."""

import math
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from negotiation import limits
from rooms.power.outcomes import (
    BUYERS,
    GAMES,
    NO_DEAL,
    TABLE,
    Outcomes,
    Table,
    outcomes,
    play_table,
    version_of,
)
from rooms.power.simulating import (
    Question,
    TooFew,
    TooMany,
    answer,
    answer_from,
    critical,
    power_at,
)

NORMAL = Outcomes(
    np.random.default_rng(1).normal(0.5, 0.2, 20_000), np.ones(20_000, dtype=np.float64)
)
"""Shares that follow the bell curve: the closed formula is right for them."""


@pytest.mark.parametrize("effect", [0.05, 0.1])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_of_a_normal_case_the_simulation_says_what_the_formula_says(
    effect: float, power: float
) -> None:
    question = Question(effect=effect, power=power)
    found = answer_from(question, NORMAL)
    z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(power)
    exact = 2 * (z * 0.2 / effect) ** 2
    assert found.games == pytest.approx(exact, rel=0.06, abs=2)
    assert found.low <= exact * 1.03
    assert found.high >= exact * 0.97
    assert found.low < found.games < found.high


@pytest.mark.parametrize("against", ["people", "sauda-network", "rules:boulware"])
@pytest.mark.parametrize("measure", ["share", "deal"])
def test_a_study_without_an_effect_finds_one_as_often_as_the_level_says(
    against: str, measure: str
) -> None:
    question = Question(against=against, measure=measure, alpha=0.05)  # type: ignore[arg-type]
    played = outcomes(against)
    values = played.shares if measure == "share" else played.deals
    dice = np.random.default_rng(3)
    alarms = [power_at(question, values, 100, dice, effect=0.0) for _ in range(5)]
    # 20,000 studies: 0.05 give or take 0.005 at three errors; deals come in whole numbers.
    assert sum(alarms) / len(alarms) == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize("against", list(BUYERS))
@pytest.mark.parametrize("measure", ["share", "deal"])
def test_a_study_of_the_told_size_has_the_told_power(against: str, measure: str) -> None:
    question = Question(against=against, measure=measure, effect=0.12)  # type: ignore[arg-type]
    played = outcomes(against)
    values = played.shares if measure == "share" else played.deals
    found = answer(question)
    dice = np.random.default_rng(8)
    powers = [power_at(question, values, found.games, dice) for _ in range(4)]
    assert sum(powers) / len(powers) == pytest.approx(0.8, abs=0.025)


def test_more_is_asked_for_by_smaller_effects_more_arms_and_more_who_leave() -> None:
    plain = answer(Question())
    assert answer(Question(effect=0.05)).games == pytest.approx(4 * plain.games, rel=0.1)
    assert answer(Question(arms=3)).games > plain.games
    assert answer(Question(power=0.95)).games > plain.games
    assert answer(Question(alpha=0.01)).games > plain.games
    kept = answer(Question(lost=0.2))
    assert kept.games == plain.games
    assert kept.invite == math.ceil(kept.finish / 0.8**2)


def test_a_pair_is_two_people_and_a_game_with_a_program_is_one() -> None:
    pairs, alone = answer(Question()), answer(Question(against="sauda"))
    assert pairs.finish == 4 * pairs.games
    assert alone.finish == 2 * alone.games
    assert alone.invite == math.ceil(alone.finish / 0.9)


def test_games_of_one_person_count_as_far_as_they_are_unlike() -> None:
    once = answer(Question(against="sauda"))
    for games, icc, part in [(4, 0.0, 4), (4, 1.0, 1), (4, 0.25, 4 / 1.75)]:
        found = answer(Question(against="sauda", games=games, icc=icc))
        assert found.games == once.games
        assert found.units == pytest.approx(once.games / part, abs=1)
        assert found.finish == 2 * found.units


def test_a_study_of_repeated_games_has_the_told_power() -> None:
    question = Question(against="sauda", effect=0.1, games=4, icc=0.3)
    found = answer_from(question, NORMAL)
    dice, studies, spread = np.random.default_rng(4), 4000, 0.2

    def means() -> np.ndarray:
        people = dice.normal(0.5, spread * 0.3**0.5, (studies, found.units))
        games = dice.normal(0, spread * 0.7**0.5, (studies, found.units, question.games))
        return people + games.mean(axis=2)

    one, other = means(), means() + question.effect
    error = np.sqrt((one.var(axis=1, ddof=1) + other.var(axis=1, ddof=1)) / found.units)
    t = np.abs(other.mean(axis=1) - one.mean(axis=1)) / error
    limit = critical(0.05, np.array([2.0 * (found.units - 1)]))[0]
    assert np.mean(t > limit) == pytest.approx(0.8, abs=0.04)


def test_the_rate_of_deals_cannot_pass_all() -> None:
    with pytest.raises(TooFew):
        answer(Question(against="sauda-network", measure="deal", effect=0.4))
    with pytest.raises(TooMany):
        answer(Question(effect=0.001))


def test_the_same_question_has_the_same_answer() -> None:
    question = Question(effect=0.07)
    assert answer_from(question, outcomes("people")) == answer_from(question, outcomes("people"))


@pytest.mark.parametrize(
    ("freedom", "level", "exact"),
    [(5, 0.05, 2.571), (10, 0.05, 2.228), (30, 0.01, 2.750), (120, 0.05, 1.980)],
)
def test_critical_values_are_those_of_the_tables(freedom: int, level: float, exact: float) -> None:
    assert critical(level, np.array([float(freedom)]))[0] == pytest.approx(exact, abs=0.01)


def test_the_table_is_what_these_players_do() -> None:
    """Where this fails a buyer has changed: ``manage.py study_power --make-table``."""
    table = msgspec.json.decode(TABLE.read_bytes(), type=Table)
    assert set(table.buyers) == set(BUYERS)
    few = play_table(12)
    for name, column in table.buyers.items():
        assert column.version == version_of(name)
        assert len(column.shares) == GAMES
        assert column.shares[:12] == few.buyers[name].shares
        assert all(NO_DEAL <= share <= 1000 for share in column.shares)


def test_pairs_agree_as_often_as_people_do() -> None:
    # 0.717 of 1,299 dialogues (docs/people.md); those without a zone are left out here.
    assert outcomes("people").deals.mean() == pytest.approx(0.717, abs=0.03)


def test_the_command_answers(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("study_power", against="sauda", effect=0.1)
    said = capsys.readouterr().out
    found = answer(Question(against="sauda", effect=0.1))
    assert f"{found.games} people in each of 2 arms" in said
    assert f"invite {found.invite}" in said
    with pytest.raises(CommandError, match="--effect"):
        call_command("study_power", effect=0.9)
    call_command("study_power", list=True)
    assert "rules:boulware: share" in capsys.readouterr().out


@pytest.mark.django_db
class TestThePage:
    def test_it_answers_before_anybody_asks(self, client: Client) -> None:
        page = client.get("/rooms/power/").content.decode()
        found = answer(Question())
        assert f"{found.invite:,}" in page

    def test_it_answers_what_is_asked(self, client: Client) -> None:
        asked = {"against": "sauda", "measure": "deal", "effect": "10", "arms": "3"}
        page = client.get("/rooms/power/", asked).content.decode()
        found = answer(Question(against="sauda", measure="deal", effect=0.1, arms=3))
        assert f"{found.invite:,}" in page
        assert f"{found.games:,}" in page

    @pytest.mark.parametrize(
        "wrong",
        [{"effect": "0"}, {"effect": "x"}, {"against": "nobody"}, {"arms": "99"}, {"lost": "100"}],
    )
    def test_a_wrong_wish_is_told_beside_its_field(
        self, client: Client, wrong: dict[str, str]
    ) -> None:
        response = client.get("/rooms/power/", wrong)
        assert response.status_code == 422
        assert 'class="problem"' in response.content.decode()

    def test_a_visitor_asks_so_often_and_the_example_is_free(
        self, client: Client, settings: Any
    ) -> None:
        settings.LIMITS = {**settings.LIMITS, "power": "2/minute"}
        limits.forget_uses()
        asked = {"against": "sauda", "effect": "20"}
        for _ in range(2):
            assert client.get("/rooms/power/", asked).status_code == 200
        refused = client.get("/rooms/power/", asked)
        assert refused.status_code == 429
        assert int(refused["Retry-After"]) > 0
        assert "ask about the next in" in refused.content.decode()
        part = client.get("/rooms/power/", asked, headers={"HX-Request": "true"})
        assert part.status_code == 200, "htmx shows no answer with another status"
        assert "ask about the next in" in part.content.decode()
        assert client.get("/rooms/power/").status_code == 200
        other = client.get("/rooms/power/", asked, REMOTE_ADDR="198.51.100.7")
        assert other.status_code == 200
        limits.forget_uses()

    def test_repeated_games_are_asked_for(self, client: Client) -> None:
        asked = {"against": "sauda", "games": "3", "icc": "50"}
        page = client.get("/rooms/power/", asked).content.decode()
        found = answer(Question(against="sauda", games=3, icc=0.5))
        assert f"{found.invite:,}" in page
        assert f"{found.units:,}" in page

    def test_what_cannot_be_is_said_in_words(self, client: Client) -> None:
        asked = {"against": "sauda-network", "measure": "deal", "effect": "40"}
        response = client.get("/rooms/power/", asked)
        assert response.status_code == 200
        closed = float(outcomes("sauda-network").deals.mean())
        assert f"{closed:.0%}"[:-1] in response.content.decode()
