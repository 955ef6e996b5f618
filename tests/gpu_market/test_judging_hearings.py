"""A hearing: who speaks, who wins, and what nobody learns from it."""

import msgspec
import pytest

from bazaarbatna.market import TASK_NAMES, MarketAction, State, make_market
from bazaarbatna.market.archetypes import MANNERS
from bazaarbatna.market.judging import (
    Hearing,
    Statement,
    facts_of,
    hear,
    honest_pitch,
    judge_words,
    scripted_pitch,
    seen,
    transcript,
)
from bazaarbatna.market.judging.hearing import NOTHING_NEW, Known, nothing_known, statements_at
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.scenario import Archetype
from tests.support.gpu_market import a_job, a_world, begun, do
from tests.support.hearings import the_facts

TRUTHFUL: tuple[Archetype, ...] = ("cooperative", "selfish", "deadline_panicked", "retaliatory")


def held(
    state: State, text: str, known: Known | None = None, silent: tuple[int, ...] = ()
) -> tuple[Hearing, Known]:
    """A hearing that lab 0 calls with these words."""
    before = known or nothing_known(len(state.budgets))
    own = {0: Statement(text, facts_of(state, 0), own=True)}
    return hear(state, statements_at(state, before, own, silent), before)


@pytest.mark.parametrize("archetype", TRUTHFUL)
def test_truthful_archetypes_say_nothing_false_in_any_world(archetype: Archetype) -> None:
    for number in range(45):
        state = begun(make_market(TASK_NAMES[number % 3], number))
        for lab in range(len(state.budgets)):
            facts, known, heard = facts_of(state, lab), frozenset[str](), 0
            for _ in range(5):
                checked, card = judge_words(scripted_pitch(archetype, facts, known), facts, known)
                assert card.lies == 0, (number, lab)
                known |= {one.fact for one in checked if one.fact}
                heard += card.proved
            assert heard >= len(facts.jobs)
            assert scripted_pitch(archetype, facts, known) == NOTHING_NEW


def test_a_deceptive_lab_overclaims_and_never_wins() -> None:
    for number in range(45):
        state = begun(make_market(TASK_NAMES[number % 3], number))
        for lab in range(len(state.budgets)):
            facts = facts_of(state, lab)
            _, card = judge_words(scripted_pitch("deceptive", facts), facts)
            assert card.lies == 3, (number, lab)
            assert (card.proved, card.deadline, card.reliability) == (1, 0, 0)
    hearing, _ = held(begun(a_world(archetypes=["selfish", "deceptive"])), "Please help us a bit.")
    assert hearing.winner == ""
    assert hearing.margin("lab_0") < 0


def test_every_archetype_has_its_words_and_the_same_facts_give_the_same() -> None:
    said = {name: scripted_pitch(name, the_facts()) for name in MANNERS}
    assert len(set(said.values())) == len(MANNERS)
    assert said == {name: scripted_pitch(name, the_facts()) for name in MANNERS}
    assert scripted_pitch("cooperative", the_facts()) == honest_pitch(the_facts())


def test_a_pitch_makes_the_others_pitch_and_the_best_true_case_wins() -> None:
    jobs = [[a_job(deadline=3)], [a_job(1, deadline=6)], [a_job(2)]]
    world = a_world(jobs=jobs, labs=3, archetypes=["selfish", "cooperative", "selfish"])
    state = begun(world)
    hearing, _ = held(state, honest_pitch(facts_of(state, 0)))
    assert [one.lab for one in hearing.labs] == ["lab_0", "lab_1", "lab_2"]
    assert [one.own for one in hearing.labs] == [True, False, False]
    assert all(one.text for one in hearing.labs)
    assert hearing.winner == "lab_0"
    assert hearing.margin("lab_0") > 0 > hearing.margin("lab_1")
    assert hearing.reason.startswith("Lab 0 made the case")
    vague, _ = held(state, "This is really urgent for everybody here.")
    assert vague.winner == "lab_1"
    assert vague.margin("lab_0") < 0


def test_equal_cases_have_no_winner() -> None:
    state = begun(a_world(archetypes=["selfish", "cooperative"]))
    hearing, _ = held(state, honest_pitch(facts_of(state, 0)))
    assert (hearing.winner, hearing.margin("lab_0")) == ("", 0)
    assert "same" in hearing.reason


def test_who_is_played_from_outside_and_silent_is_not_given_words() -> None:
    state = begun(a_world(labs=3))
    hearing, _ = held(state, "We need 4 GPU-hours.", silent=(2,))
    assert [bool(one.text) for one in hearing.labs] == [True, True, False]
    assert hearing.labs[2].card.score == 0
    gone = msgspec.structs.replace(state, left=(False, True, False))
    assert held(gone, "We need 4 GPU-hours.")[0].labs[1].text == ""


def test_what_was_proved_before_is_nothing_new() -> None:
    state = begun(a_world())
    words = honest_pitch(facts_of(state, 0))
    first, known = held(state, words)
    second, after = held(state, words, known)
    assert first.labs[0].card.score > second.labs[0].card.score == 0
    assert after == known
    assert second.labs[1].text == NOTHING_NEW


def test_the_reason_and_the_public_view_tell_nothing_that_was_not_said() -> None:
    """Change everything hidden that does not change who wins: the words of the verdict stay."""
    jobs = [[a_job(deadline=3)], [a_job(1, hours=8, deadline=6, min_reliability=0.73)]]
    state = begun(a_world(jobs=jobs, archetypes=["selfish", "deceptive"]))
    text = "We need 4 GPU-hours due in round 3. Lab 1 needs 8 GPU-hours. Their deadline is round 6."
    hearing, _ = held(state, text)
    public = seen(hearing)
    assert public.reason == hearing.reason
    assert not any(digit in public.reason.replace("Lab 0", "") for digit in "0123456789")
    shown = msgspec.json.encode(public).decode()
    for hidden in ("false", "deceptive", "proved", "lies", "unverifiable", "job_1_0", "budget"):
        assert hidden not in shown
    others = [[a_job(deadline=3)], [a_job(1, hours=2, deadline=5, min_reliability=0.88)]]
    changed = begun(
        a_world(jobs=others, archetypes=["selfish", "deceptive"], budgets=[10_000, 7_100])
    )
    again, _ = held(changed, text)
    assert again.labs[0] == hearing.labs[0]
    assert (again.winner, again.reason) == (hearing.winner, hearing.reason)


def test_a_lab_sees_what_was_found_in_its_own_words_only() -> None:
    hearing, _ = held(begun(a_world()), "We need 4 GPU-hours.")
    mine = seen(hearing, "lab_0")
    assert mine.labs[0].claims
    assert mine.labs[0].card == hearing.labs[0].card
    assert (mine.labs[1].claims, mine.labs[1].card) == ((), None)
    assert mine.labs[1].score == hearing.labs[1].card.score


def test_pitching_moves_nothing_in_the_market() -> None:
    state = begun(a_world())
    after = do(state, MarketAction("make_pitch", message="We need 4 GPU-hours."))
    assert after.tallies[0].utility == state.tallies[0].utility
    assert (after.budgets, after.blocks) == (state.budgets, state.blocks)


def test_hearings_keep_their_place_in_the_rules_of_names() -> None:
    hearing, _ = held(begun(a_world(labs=5)), "We need 4 GPU-hours.")
    assert tuple(one.lab for one in hearing.labs) == LAB_IDS
    assert transcript(()) == "\n"
