"""The answer of the small model: one action as JSON, in the short names of its position."""

import math

import msgspec

from arena.gpu_market.dialect.books import books
from arena.gpu_market.dialect.names import Names
from arena.gpu_market.dialect.vocabulary import ONE, SEVERAL, WORDS
from arena.gpu_market.engine.actions import Malformed, MarketAction, read_action
from arena.gpu_market.engine.observe import Observation

_SLOTS = {words: slot for slot, words in WORDS.items()}


class Answer(msgspec.Struct, frozen=True):
    """What a model said: an action, or why its text is none."""

    action: MarketAction | Malformed

    @property
    def strict(self) -> bool:
        """It is an action that the engine reads; whether the rules allow it is another matter."""
        return isinstance(self.action, MarketAction)


def write(seen: Observation, action: MarketAction) -> str | None:
    """Write an action as the model would: what a teacher's deed teaches.

    Payments are rounded up to whole credits, as far as the budget goes.

    Returns:
        JSON; None for an action about something that has no name in this position.
    """
    names = Names.of(seen, books(seen))
    told: dict[str, object] = {"action": action.action}
    for field, shorts in zip(ONE, (names.labs, names.offers, names.pools, names.jobs), strict=True):
        if id_ := getattr(action, field):
            if id_ not in shorts:
                return None
            told[field] = shorts[id_]
    for field in SEVERAL[:2]:
        if ids := getattr(action, field):
            if any(id_ not in names.blocks for id_ in ids):
                return None
            told[field] = names.known(ids)
    if action.payment > 0:
        told["payment"] = min(math.ceil(action.payment / 100), seen.budget // 100)
    if action.message:
        told["message"] = _SLOTS.get(action.message, action.message)
    if action.conditions:
        told["conditions"] = list(action.conditions)
    fields = (f'"{name}": {_json(value)}' for name, value in told.items())
    return f"{{{', '.join(fields)}}}"


def read(seen: Observation, text: str) -> Answer:
    """Read the model's own text, all of it and strictly; names become ids, slots become words."""
    try:
        told = msgspec.json.decode(text, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        return Answer(Malformed(str(wrong)[:200]))
    ids = Names.of(seen, books(seen)).ids
    meant: dict[str, object] = {}
    try:
        for field in ONE:
            if field in told:
                meant[field] = ids[str(told[field])]
        for field in SEVERAL[:2]:
            named = told.get(field)
            if isinstance(named, list):
                meant[field] = tuple([ids[str(name)] for name in named])
    except KeyError as unknown:
        return Answer(Malformed(f"Nothing is called {str(unknown)[:40]} here."))
    message = told.get("message")
    if isinstance(message, str) and message in WORDS:
        told["message"] = WORDS[message]
    action = read_action(told)
    # Only now: an id may be anything, also what no answer could say.
    whole = isinstance(action, MarketAction)
    return Answer(msgspec.structs.replace(action, **meant) if whole else action)


def _json(value: object) -> str:
    """Write a value with the spaces that the model's tokens have."""
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return msgspec.json.encode(value).decode()
