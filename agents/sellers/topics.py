"""What the buyer's last words were about, so that the seller can answer them.

Only a choice of words hangs on this; no price does.
"""

import re
from collections.abc import Sequence

from agents.lines.topics import READ_AT_MOST
from negotiation.engine.episode import Turn

TOPICS: tuple[tuple[str, str], ...] = (
    (
        "rules",
        r"ignore (?:all|your|previous|the)|system prompt|instructions?|as an ai|pretend|jailbreak"
        r"|developer mode|you must (?:accept|sell|give)|override|</?\w+>|\{\s*\"",
    ),
    ("bot", r"\b(?:bot|robot|chat ?gpt|a i|ai|machine|human|insaan|program)\b"),
    (
        "secret",
        r"\b(?:lowest|minimum|reservation|reserve price|bottom line|your (?:limit|floor|cost))\b"
        r"|how low|kitna kam|kam se kam kitn|least (?:you|price)|kitne (?:tak|ka pad)",
    ),
    (
        "rude",
        r"\b(?:stupid|idiot|fool|pagal|bewakoof|chor|thief|scam\w*|cheat\w*|bakwaas|bakwas"
        r"|shut up|rubbish|nonsense|loot|loot rahe|dimag kharab)\b|!!!",
    ),
    (
        "cheaper",
        r"\b(?:cheaper|elsewhere|olx|amazon|flipkart|online|other (?:shop|seller)s?|sast[aei]"
        r"|meh[a]?ng[aei]|expensive|too (?:much|high)|zyada hai|doosri dukaan|dusri dukan)\b",
    ),
    (
        "poor",
        r"\b(?:budget|student|afford|paise? nahi|no money|salary|gareeb|garib|mushkil|fees?)\b",
    ),
    (
        "condition",
        r"\b(?:condition|scratch\w*|work(?:s|ing)?|problem|original|bill|warranty|used|old|dent"
        r"|kharab|kaisa|kaisi|chalta|chalti|toot[aei]|box)\b",
    ),
    (
        "pickup",
        r"\b(?:deliver\w*|pick ?up|collect|shipping|where|when|kahan|kab|address|meet)\b",
    ),
    ("greeting", r"^\W*(?:hi+|hello+|hey+|namaste|namaskar|salaam|ram ram|good \w+)\b"),
)
"""Topic -> pattern, in the order of precedence."""

_TABLE = tuple((topic, re.compile(pattern)) for topic, pattern in TOPICS)


def topic_of(text: str) -> str:
    """Name what a buyer's line is about; ``talk`` when it is about nothing in the table.

    >>> topic_of("kitna kam karoge?"), topic_of("it is cheaper on OLX")
    ('secret', 'cheaper')
    """
    plain = text[:READ_AT_MOST].lower()
    return next((topic for topic, pattern in _TABLE if pattern.search(plain)), "talk")


def last_words(turns: Sequence[Turn]) -> str:
    """Give the text of the last turn if the buyer spoke in it, else nothing."""
    return turns[-1].text if turns and turns[-1].actor == "buyer" else ""
