"""What a question means is learned: from the table that stands there, with an answer to each."""

import pytest

from agents.management.commands.learn_kinds import HELD_OUT
from agents.speech.kind_tables import answers, statements
from agents.speech.kinds import kind_of, puts_a_question
from agents.speech.meant import OF_NO_KIND, kinds_meant, lines_to_learn


def test_the_weights_are_of_the_lines_and_each_kind_has_words() -> None:
    named = {kind for kinds, _ in lines_to_learn() for kind in kinds}
    assert set(kinds_meant()) == named
    there = {*answers().kinds, *statements().kinds}
    assert named - OF_NO_KIND <= there
    assert set(" ".join(answers().alike).split()) <= there


def test_no_held_out_line_is_learned() -> None:
    learned = {text.casefold() for _, text in lines_to_learn()}
    held_out = {text.casefold() for _, text in lines_to_learn(HELD_OUT)}
    assert held_out
    assert learned.isdisjoint(held_out)


@pytest.mark.parametrize(
    ("kinds", "line"),
    [
        ("for_whom", "who gets to sit in it after me"), ("pickup", "so will you come on friday"),
        ("for_whom|her_place", "kya hoga iska aapke yahan"), ("can_you|her_life", "do you dance"),
        ("come_up", "aur kitna upar aa paogi"), ("payment", "rupaye kaise bhejogi"),
        ("have_none|her_place", "kitni seedhiyan hain aapke ghar mein"),
        ("preference", "gol wali pasand hai ya lambi"), ("have_none", "how many cows do you have"),
        ("manner", "why are you such a machine"), ("fair", "is that fair according to you"),
        ("as_you_like", "taar lapet dun ya khula chhod dun"),
    ],
)  # fmt: skip
def test_a_question_without_a_mark_is_known_by_its_meaning(kinds: str, line: str) -> None:
    assert kind_of(line) in kinds.split("|")
    assert puts_a_question(line)


@pytest.mark.parametrize(
    "line",
    ["2,300 and not a rupee less", "it stood in my shop for ten years", "bahut chalaya hai isko",
     "the left wheel is bent a bit", "who would have thought it lasts so long", "इसे पिताजी लाए थे",
     "you drive a hard bargain", "kal hi saaf kiya hai", "why not, let us see", "aap mazedaar ho"],
)  # fmt: skip
def test_a_statement_asks_nothing(line: str) -> None:
    assert kind_of(line) == ""
