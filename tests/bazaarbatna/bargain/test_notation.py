"""A game as text: exact there and back, and a damaged file is a game up to the damage."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.bargain import (
    BrokenLog,
    Log,
    fold,
    from_text,
    make_scenario,
    play_episode,
    suite_ids,
    to_text,
)
from tests.support.players import RandomBuyer, SteadyBuyer

LOG = play_episode(make_scenario("deceptive_seller@fixed-1", 3), SteadyBuyer(1))
TEXT = to_text(LOG)


@pytest.mark.parametrize("suite", suite_ids())
def test_a_log_comes_back_as_it_was(suite: str) -> None:
    for seed in range(20):
        log = play_episode(make_scenario(suite, seed), RandomBuyer(seed))
        again = from_text(to_text(log))
        assert again.problem is None
        assert again.log == log
        assert to_text(again.log) == to_text(log)


def test_a_line_break_inside_the_words_stays_inside() -> None:
    event = msgspec.structs.replace(LOG.events[1], text="one\ntwo\u2028three\r\x85 ₹ 😀")
    log = Log(LOG.scenario, (LOG.events[0], event))
    assert from_text(to_text(log)).log == log


@given(st.integers(0, len(TEXT)))
def test_a_file_cut_anywhere_is_a_game_up_to_there(cut: int) -> None:
    whole_lines = TEXT[:cut].count("\n")
    if whole_lines == 0 and TEXT[:cut] != TEXT.split("\n")[0]:
        with pytest.raises(BrokenLog):
            from_text(TEXT[:cut])
        return
    imported = from_text(TEXT[:cut])
    good = len(imported.log.events)
    assert imported.log.events == LOG.events[:good]
    assert good >= whole_lines - 1
    assert good == len(LOG.events) or imported.problem or TEXT[:cut].endswith(("\n", "}"))
    if good:
        fold(imported.log.scenario, imported.log.events)


def test_a_damaged_line_is_named_and_ends_the_game_there() -> None:
    lines = TEXT.splitlines()
    lines[4] = lines[4].replace('"price":', '"price":"about ')
    imported = from_text("\n".join(lines))
    assert imported.log.events == LOG.events[:3]
    assert imported.problem is not None
    assert imported.problem.startswith("Line 5: ")


def test_a_move_against_the_rules_ends_the_game_before_it() -> None:
    lines = TEXT.splitlines()
    lines.insert(3, lines[2])
    imported = from_text("\n".join(lines))
    assert imported.log.events == LOG.events[:2]
    assert imported.problem == "Line 4: The log breaks a rule: It is the seller's turn."


def test_events_of_another_game_are_refused() -> None:
    other = to_text(play_episode(make_scenario("deceptive_seller@fixed-1", 4), SteadyBuyer()))
    mixed = TEXT.splitlines()[0] + "\n" + "\n".join(other.splitlines()[1:])
    imported = from_text(mixed)
    assert imported.log.events == ()
    assert imported.problem is not None


def test_a_scenario_without_events_is_said_to_have_none() -> None:
    assert from_text(TEXT.splitlines()[0]).problem == "There are no events."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "hello",
        "[]",
        '{"format":"bazaar-log@1"}',
        TEXT.replace("bazaar-log@1", "bazaar-log@9", 1),
        TEXT.replace('"max_rounds":10', '"max_rounds":0', 1),
        '{"format":"bazaar-log@1","scenario":{"anchor":\ud800}}',
    ],
    ids=range(8),
)
def test_without_a_playable_scenario_there_is_no_game(text: str) -> None:
    with pytest.raises(BrokenLog, match="first line is not a scenario"):
        from_text(text)
