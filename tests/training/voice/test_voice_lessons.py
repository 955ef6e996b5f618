"""What the voice learns from: the corpus but for a tenth, prices in slots, drawn anew each time."""

import re

from agents.speech.bank import SLOTS, corpus, is_held_out
from agents.speech.cues import END
from training.stages.voice.lessons import exchanges, lessons, position_of

ENGLISH = ("english",)


def test_nothing_held_out_is_learned_from() -> None:
    held = {one.line for one in corpus() if is_held_out(one)}
    heard = {one.said for one in corpus() if not is_held_out(one)}
    learned = lessons(("english", "hinglish", "hindi"), 2.0, 0)
    assert not held & {one.answer for one in learned}
    only_held = {one.said for one in corpus() if is_held_out(one)} - heard
    # A line as long as these is in no other exchange by chance; a longer one may begin like it.
    turns = {f"\n{said}{END}" for said in only_held if len(said) > 20}
    assert not any(turn in one.prompt for turn in turns for one in learned)


def test_each_reading_draws_anew_and_a_seed_draws_the_same() -> None:
    count = len(exchanges(ENGLISH))
    first, second = (lessons(ENGLISH, 1.0, seed) for seed in (0, 1))
    assert len(first) == len(second) == count
    assert lessons(ENGLISH, 1.0, 0) == first
    assert len(lessons(ENGLISH, 1.5, 0)) == count + round(count / 2)
    assert {one.prompt for one in first} != {one.prompt for one in second}


def test_an_answer_has_no_number_that_was_not_said() -> None:
    for one in lessons(ENGLISH, 1.0, 0):
        assert set(re.findall(r"<[^>]*>", one.answer)) <= set(SLOTS)
        assert set(re.findall(r"\d+", one.answer)) <= set(re.findall(r"\d+", one.prompt))


def test_a_position_is_that_of_its_exchange() -> None:
    for one in exchanges(ENGLISH, held_out=True):
        at = position_of(one)
        assert (at.move is None) == (one.move == "talk")
        assert at.seen.turns[-1].text == one.said
        assert (at.seen.own_last_bid is None) == (one.move == "open")
        assert at.seen.budget > (at.seen.own_last_bid or 0)
