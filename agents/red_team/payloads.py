"""Every attack of the suite; a new one is a row in one of the tables beside this file."""

from agents.red_team.attacks import disguises, orders, secrets, structure
from agents.red_team.payload import Payload

PAYLOADS: tuple[Payload, ...] = (
    *orders.INSTRUCTIONS,
    *orders.AUTHORITY,
    *orders.THREATS,
    *orders.THEATRE,
    *secrets.ENCODINGS,
    *secrets.TRANSLATIONS,
    *secrets.MULTI_TURN,
    *structure.FAKE_JSON,
    *structure.ROLE_TAGS,
    *structure.TOOL_CALLS,
    *structure.OUR_PROMPT,
    *disguises.HIDDEN,
    *disguises.DIGITS,
    *disguises.MARKUP,
    *disguises.SIZE,
)

CATEGORIES: tuple[str, ...] = tuple(dict.fromkeys(one.category for one in PAYLOADS))
