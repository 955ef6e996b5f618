"""A study in a room, and who takes part."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from rooms.models import Member, Room, Study
from rooms.plan import Plan
from rooms.study import flow, promises
from rooms.study.files import from_values

DESIGN: dict[str, Any] = {
    "title": "Talk and price",
    "information": "We look at **how people bargain**.",
    "consent": {
        "text": "Taking part is *free*.",
        "contact": "asha@example.org",
        "withdrawal": ["answers", "words"],
    },
    "instructions": "You sell one thing.",
    "questions": {
        "tries": 2,
        "then": "explain",
        "ask": [
            {
                "type": "choice",
                "name": "floor",
                "ask": "What is your floor?",
                "options": ["The least you take", "The price you ask"],
                "right": "The least you take",
                "explain": "Below it you would rather keep the thing.",
            }
        ],
    },
    "before": [
        {"type": "number", "name": "age", "ask": "How old are you?", "least": 18, "most": 120},
        {"type": "short", "name": "city", "ask": "Where do you live?", "required": False},
    ],
    "after": [
        {"type": "likert", "name": "fair", "ask": "It was fair.", "points": 5},
        {"type": "long", "name": "why", "ask": "Why?", "required": False},
    ],
    "arms": [{"name": "chat", "plan": {"chat": True}}, {"name": "prices", "plan": {"chat": False}}],
    "exits": {
        "finished": {
            "code": "DONE1",
            "url": "https://app.prolific.com/submissions/complete?cc={code}",
        },
        "full": {"text": "Come again."},
    },
    "bonus": {"base": 2, "rule": "share", "rate": 0.01, "cap": 3, "waited": 1},
}

MakeStudy = Callable[..., Study]


@pytest.fixture
def host(db: None) -> User:
    return User.objects.create_user("priya", password="priya-priya")


@pytest.fixture
def a_study(host: User) -> MakeStudy:
    """Build a live study; words change fields of its design, ``study`` those of its row."""

    def build(study: dict[str, Any] | None = None, **changes: Any) -> Study:
        plan = Plan(meeting="policy", roles="seller", buyer="rules:linear", starts_itself=True)
        room = Room.objects.create(
            host=host, name="Study", plan=msgspec.to_builtins(plan), state=Room.State.PLAYING
        )
        design = from_values({**DESIGN, **changes})
        fields = {"seed": 7, "is_pilot": False, **(study or {})}
        return Study.objects.create(room=room, design=msgspec.to_builtins(design), **fields)

    return build


class Participant:
    """Somebody with a browser, who came by a link."""

    def __init__(self, study: Study, external_id: str = "") -> None:
        self.study, self.room, self.external_id = study, study.room, external_id
        self.client = Client()

    def at(self, page: str) -> str:
        return f"/rooms/{self.room.code}/{page}/"

    def enter(self) -> Any:
        return self.client.get(self.at("enter"), {"PROLIFIC_PID": self.external_id})

    def post(self, page: str, **data: Any) -> Any:
        return self.client.post(self.at(page), data)

    def consent(self, **data: Any) -> Any:
        # The page of the consent says which texts stand on it.
        design = flow.design_of(Study.objects.get(pk=self.study.pk))
        data.setdefault("read", promises.fingerprint(design))
        return self.post("consent", PROLIFIC_PID=self.external_id, agree="yes", do="agree", **data)

    def understand(self) -> Any:
        return self.post("questions", **{"try": "1", "floor": "The least you take"})

    def to_the_lobby(self) -> "Participant":
        self.enter()
        self.consent()
        self.understand()
        self.post("before", age="30")
        return self

    @property
    def member(self) -> Member:
        return Member.objects.get(room=self.room, session=self.client.session.session_key)


@pytest.fixture
def comes() -> Callable[[Study, str], Participant]:
    return Participant
