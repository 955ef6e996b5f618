"""A study with some people in it: what they consented to, played and answered."""

from typing import Any

from django.utils import timezone

from rooms.models import Answer, Member, Room, RoomGame, Study
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, takes

DESIGN: dict[str, Any] = {
    "title": "Words or numbers",
    "consent": {
        "keeps": ["external_id", "answers", "prices", "words", "times"],
        "withdrawal": ["answers", "words"],
        "months": 12,
    },
    "questions": {
        "ask": [
            {
                "type": "choice",
                "name": "lowest",
                "ask": "Who knows the seller's lowest price?",
                "options": ["Only the seller", "Everybody"],
                "right": "Only the seller",
                "explain": "It is sealed.",
            }
        ]
    },
    "after": [
        {
            "type": "likert",
            "name": "fair",
            "ask": "Was it fair?",
            "points": 7,
            "low": "not at all",
            "high": "very",
        },
        {"type": "long", "name": "why", "ask": "Why?"},
    ],
    "arms": [{"name": "chat"}, {"name": "silent"}],
}


def a_study(**consent: Any) -> Study:
    """A study without anybody in it; changes are of its consent."""
    room = a_room("Words or numbers")
    design = {**DESIGN, "consent": {**DESIGN["consent"], **consent}}
    return Study.objects.create(room=room, design=design, seed=7, is_pilot=False)


def a_participant(room: Room, nickname: str, arm: str = "chat", **fields: Any) -> Member:
    """Somebody who consented and came with an id of a service."""
    plain = {
        "consented_at": timezone.now(),
        "finished_at": timezone.now(),
        "external_id": f"prolific-{nickname}",
        "arm": arm,
    }
    return a_member(room, nickname, **(plain | fields))


def a_deal(room: Room, seller: Member | str, buyer: Member | str, **more: Any) -> RoomGame:
    """Two rounds, words of both, and a deal at 1,500 rupees."""
    deeds = [
        bid(1100, "=HYPERLINK(1100)\nfor me, bhaiya"),
        ask(1800, "It is nearly new 😀"),
        bid(1500, "1500, cash"),
        takes("seller", "Done."),
    ]
    return a_game(room, seller, buyer, deeds, **more)


def an_answer(member: Member, question: str, value: Any, form: str = "after") -> Answer:
    """One answer of somebody."""
    return Answer.objects.create(member=member, form=form, question=question, value=value)
