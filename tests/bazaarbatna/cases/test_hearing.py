"""What is heard in words about one's own wishes, and what the trader makes of it."""

from random import Random

import msgspec
import numpy as np
import pytest

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Choice, Option, in_library, other
from bazaarbatna.cases.packages import Floats, grid_of
from bazaarbatna.players.hearing import hints
from bazaarbatna.players.package_trials import drawn_case, told
from bazaarbatna.players.packages import Trader, move_for
from bazaarbatna.players.views import view_of
from bazaarbatna.players.wishes import estimated

SAID = [
    ("scooter", "Delivery matters most to me", [("most", "day", None)]),
    ("scooter", "warranty se mujhe farak nahi padta", [("least", "warranty", None)]),
    ("scooter", "warranty is more important to me than price", [("most", "warranty", None)]),
    ("scooter", "Nothing matters more than the warranty.", [("most", "warranty", None)]),
    ("scooter", "My main thing is the price", [("most", "price", None)]),
    ("scooter", "मेरे लिए वारंटी सबसे ज़रूरी है।", [("most", "warranty", None)]),
    ("scooter", "दाम से मुझे फर्क नहीं पड़ता", [("least", "price", None)]),
    ("scooter", "दाम से मुझे फ़र्क नहीं पड़ता", [("least", "price", None)]),
    ("scooter", "मुझे इतवार मंज़ूर नहीं", [("never", "day", "sunday")]),
    ("scooter", "Sunday nahi chalega", [("never", "day", "sunday")]),
    ("scooter", "I can’t accept three months", [("never", "warranty", "quarter")]),
    ("scooter", "I don't care much about the day but price is crucial",
     [("least", "day", None), ("most", "price", None)]),
    ("scooter", "Price is not important, the day is important",
     [("least", "price", None), ("most", "day", None)]),
    ("job", "salary is my main thing", [("most", "salary", None)]),
    ("job", "mere liye tankhwah sabse zaroori hai", [("most", "salary", None)]),
    ("job", "WFH is a must for us", [("most", "home", None)]),
    ("job", "छुट्टी ज़रूरी नहीं", [("least", "leave", None)]),
    ("job", "a diploma is unacceptable", [("never", "training", "diploma")]),
    ("lease", "nine years nahi chalega", [("never", "years", "nine")]),
    ("lease", "I'm flexible on the deposit", [("least", "deposit", None)]),
    ("project", "mujhe report se koi fark nahi padta", [("least", "report", None)]),
]  # fmt: skip

NOTHING = [
    ("scooter", "Is the warranty important to you?"),
    ("scooter", "I know warranty matters most to you"),
    ("scooter", "aapke liye warranty zaroori hai"),
    ("scooter", "warranty is not the most important thing"),
    ("scooter", "45,000 and on Sunday, with the helmet"),
    ("scooter", "I cannot accept your offer"),
    ("scooter", "none of this matters"),
    ("job", "I leave it to you"),
    ("project", "Nadia is out of the question"),  # an option of three issues
]


def heard(case: Case, text: str) -> list[tuple[str, str, str | int | None]]:
    return sorted(
        (hint.sort, (issue := case.issues[hint.issue]).key,
         None if hint.value < 0 else issue.values[hint.value])
        for hint in hints(case, [text])
    )  # fmt: skip


@pytest.mark.parametrize(("name", "text", "meant"), SAID)
def test_what_somebody_says_of_his_wishes_is_heard(
    name: str, text: str, meant: list[tuple[str, str, str | None]]
) -> None:
    assert heard(in_library()[name], text) == sorted(meant)


@pytest.mark.parametrize(("name", "text"), NOTHING)
def test_nothing_is_heard_in_other_words(name: str, text: str) -> None:
    assert hints(in_library()[name], [text]) == ()


def test_names_of_a_case_that_nobody_foresaw_are_heard() -> None:
    text = {"en": "x"}
    options = tuple(Option(key, {"en": f"the {key} one"}, 1, 2) for key in ("red", "green"))
    issues = (
        Choice("roof_colour", {"en": "Roof (colour)"}, options),
        Choice("garden", {"en": "Garden", "de": "Garten"}, options),
    )
    a, b = drawn_case(1).a, drawn_case(1).b
    case = Case("own", text, text, text, a, b, issues)
    assert heard(case, "Garten matters most to me") == [("most", "garden", None)]
    assert heard(case, "I don't mind the roof colour") == [("least", "roof_colour", None)]
    assert heard(case, "the green one is impossible") == []  # of which issue?


def saying(case: Case, role: str, text: str) -> play.State:
    """Return the first position of a role after the other one's words."""
    state, _ = play.start(msgspec.structs.replace(case, begins=other(role)), 1)
    return play.apply(state, other(role), play.Move("say", text=text))[0]


def distance(truth: list[Floats], found: list[Floats]) -> float:
    return sum(abs(float(np.ptp(a) - np.ptp(b))) for a, b in zip(truth, found, strict=True))


def test_true_words_bring_the_estimate_nearer_and_false_ones_take_it_away() -> None:
    off: dict[str, list[float]] = {"true": [], "false": [], "none": []}
    for seed in range(40):
        case = drawn_case(seed)
        truth = [part / 100 for part in grid_of(case).parts["b"]]
        for name in off:
            words = "hello" if name == "none" else told(case, "b", is_true=name == "true")
            off[name].append(distance(truth, estimated(view_of(saying(case, "a", words), "a"))))
    true, false, none = (np.mean(off[name]) for name in ("true", "false", "none"))
    assert true < none - 0.05 < none < false


def test_words_are_weak_and_saying_them_again_adds_nothing() -> None:
    case = drawn_case(7)
    once = saying(case, "a", told(case, "b", is_true=True))
    again = msgspec.structs.replace(once, said=once.said * 30)
    first, second = (estimated(view_of(one, "a")) for one in (once, again))
    assert all(np.array_equal(one, two) for one, two in zip(first, second, strict=True))
    assert max(float(np.ptp(part)) for part in first) < 0.9


def test_a_refused_option_is_thought_to_be_worth_less() -> None:
    case = in_library()["scooter"]
    quiet, loud = (
        estimated(view_of(saying(case, "a", text), "a"))[1]
        for text in ("hello", "Sunday is out of the question for me")
    )
    assert loud[1] / np.ptp(loud) < quiet[1] / np.ptp(quiet) - 0.05


def test_own_words_and_words_in_a_chat_are_told_apart() -> None:
    case = in_library()["scooter"]
    state, _ = play.start(msgspec.structs.replace(case, begins="a"), 1)
    free = msgspec.structs.replace(state, talks_freely=True)
    after, _ = play.apply(free, "b", play.Move("say", text="warranty matters most to me"))
    assert after.turn == "a"
    assert [hint.issue for hint in view_of(after, "a").heard] == [2]
    assert view_of(after, "b").heard == ()
    offered, _ = play.apply(
        state, "a", play.Move("offer", {"price": 50000}, "I don't care about the helmet")
    )
    assert [(hint.sort, hint.issue) for hint in view_of(offered, "b").heard] == [("least", 3)]


def test_the_trader_says_nothing_of_its_own_wishes() -> None:
    state = saying(in_library()["job"], "a", "What matters most to you?")
    assert move_for(Trader(), state, "a", Random(1)).text == ""
