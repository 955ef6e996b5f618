"""What the seller's last words were about, so that the buyer can answer them; words only."""

import re
from collections.abc import Sequence

from bazaarbatna.bargain.episode import Turn

READ_AT_MOST = 600

TOPICS: tuple[tuple[str, str], ...] = (
    (
        "rules",
        r"ignore (?:all|your|previous|the)|system prompt|instructions?|as an ai|pretend|jailbreak"
        r"|developer mode|you must (?:accept|offer|pay)|override|</?\w+>|\{\s*\"",
    ),
    ("bot", r"\b(?:bot|robot|chat ?gpt|a i|ai|machine|human|insaan|program)\b"),
    (
        "budget",
        r"\bbudget|how much (?:can|do|will) (?:you|u)|your (?:max|limit|best)|maximum"
        r"|kitna (?:de|doge|dega|denge|budget)|kitne tak|max kitna",
    ),
    (
        "rude",
        r"\b(?:stupid|idiot|fool|pagal|bewakoof|chor|cheap ?skate|wast(?:e|ing)|bakwaas|bakwas"
        r"|shut up|joke|kanjoos|kanjus|dimag kharab|faltu|insult|rubbish|nonsense|mazaak|mazak)\b"
        r"|!!!",
    ),
    (
        "rivals",
        r"\b(?:other|another|more|teen|do|kai|aur) (?:offers?|buyers?|people|log|party|customers?)"
        r"|\bsomeone else|\bkoi aur\b|\baur bhi (?:log|hai)|\bdusra (?:buyer|party|customer)"
        r"|\boffers? (?:already|aaya|aa gaya)"
        r"|log (?:dekh|aa|pooch|puch)|interested (?:hain|log|people|buyers?)",
    ),
    (
        "hardship",
        r"\b(?:loss|losing (?:money|on)|nuksan|nuksaan|ghata|ghaata|need (?:the )?money"
        r"|paise? ki zaroorat|hospital|emergency|majboori|majburi|fees?|rent due"
        r"|job gayi|lost my job)\b",
    ),
    (
        "hurry",
        r"\b(?:urgent(?:ly)?|jaldi|hurry|today only|aaj hi|moving (?:out|away)|shifting|asap"
        r"|right now|abhi chahiye|leaving)\b",
    ),
    (
        "firm",
        r"\b(?:fixed|firm|final|last price|not negotiable|non[- ]?negotiable|se kam nahi|kam nahi"
        r"|can(?:'?t|not) go (?:below|lower)"
        r"|no less|not (?:a rupee )?less|lowest|aakhri|no bargain\w*|no discount)\b",
    ),
    (
        "praise",
        r"\b(?:brand new|like new|mint|sealed|never (?:used|opened)|hardly used|barely used"
        r"|(?:first|single) (?:owner|hand)|ek ?dum new|edition|condition|warranty|original"
        r"|bill|box|scratch\w*|naya|nayi|kam use"
        r"|well (?:kept|maintained))\b",
    ),
    ("greeting", r"^\W*(?:hi+|hello+|hey+|namaste|namaskar|salaam|ram ram|good \w+)\b"),
)

_TABLE = tuple((topic, re.compile(pattern)) for topic, pattern in TOPICS)
_DENIED = re.compile(
    r"\b(?:no|not|never|koi|nahi|nhi|without|isn't|isnt|don't|dont|bina)\s(?:\S+\s){0,2}$"
)
_DENIED_AFTER = re.compile(r"^\s(?:\S+\s)?(?:nahi|nahin|nhi|nai)\b")
_MAY_BE_DENIED = frozenset({"rivals", "hardship", "hurry"})


def topic_of(text: str) -> str:
    """Name what a line is about; ``talk`` when it is about nothing in the table.

    >>> topic_of("teen aur log dekh rahe hain"), topic_of("koi jaldi nahi hai")
    ('rivals', 'talk')
    """
    plain = text[:READ_AT_MOST].lower()
    for topic, pattern in _TABLE:
        match = pattern.search(plain)
        if match is None:
            continue
        if topic in _MAY_BE_DENIED and _is_denied(plain, match.start(), match.end()):
            continue
        return topic
    return "talk"


def last_words(turns: Sequence[Turn]) -> str:
    """Return the text of the last turn if the seller spoke in it, else nothing."""
    return turns[-1].text if turns and turns[-1].actor == "seller" else ""


def _is_denied(text: str, start: int, end: int) -> bool:
    before = text[max(start - 30, 0) : start]
    return _DENIED.search(before) is not None or _DENIED_AFTER.match(text[end:]) is not None
