"""Behind a what-if's prices stands, faintly, the path that was left."""

from typing import Any

from negotiation.charts.course import course_of
from negotiation.charts.price_path import left_behind, price_path


def a_log(
    *offers: tuple[str, float], deal: bool = False, asked: float = 200.0
) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [
        {"kind": "opened", "price": asked, "item": {"title": "Lamp"}, "max_rounds": 10}
    ]
    for number, (actor, price) in enumerate(offers):
        kind = "accept" if deal and number == len(offers) - 1 else "offer"
        events.append({"kind": kind, "actor": actor, "round": number // 2 + 1, "price": price})
    return [{"seq": seq, "event": event} for seq, event in enumerate(events, start=1)]


BEFORE = (("buyer", 100.0), ("seller", 190.0), ("buyer", 120.0))
LEFT = a_log(*BEFORE, ("seller", 150.0), ("buyer", 150.0), deal=True)
ENDED = {"seq": 9, "event": {"kind": "ended", "outcome": "deal", "price": 100.0, "round": 1}}
TAKEN = a_log(*BEFORE, ("seller", 175.0), ("buyer", 130.0))


def test_only_what_differs_is_drawn_behind_from_where_both_stood() -> None:
    marks = left_behind(course_of(TAKEN), course_of(LEFT))
    assert [(mark.actor, mark.price) for mark in marks] == [
        ("seller", 190.0),
        ("buyer", 120.0),
        ("seller", 150.0),
        ("buyer", 150.0),
    ]


def test_a_game_equal_to_the_other_leaves_nothing_behind() -> None:
    assert left_behind(course_of(LEFT), course_of(LEFT)) == ()
    assert "chart-ghost" not in price_path(LEFT, ghost=LEFT)


def test_the_ghost_stays_while_a_reader_scrubs() -> None:
    drawn = price_path(TAKEN, ghost=LEFT, upto=2)
    ghosts = [part for part in drawn.split("<") if "chart-ghost" in part]
    assert len(ghosts) == 3, "two paths and the deal at their end"
    assert not any("data-seq" in ghost or "is-later" in ghost for ghost in ghosts)


def rounds_on_the_axis(drawn: str) -> list[str]:
    texts = [part.split(">")[1] for part in drawn.split("<text") if "chart-round" in part]
    return [text.removesuffix("</text") for text in texts]


def test_a_longer_ghost_makes_room_for_itself() -> None:
    longer = a_log(*BEFORE, *((side, 150.0) for _ in range(4) for side in ("seller", "buyer")))
    short = [*a_log(*BEFORE[:1], ("seller", 100.0), deal=True), ENDED]
    assert rounds_on_the_axis(price_path(short)) == ["1", "Round"]
    assert rounds_on_the_axis(price_path(short, ghost=longer)) == [*"123456", "Round"]
