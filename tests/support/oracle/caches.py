"""What a cache may keep: an answer that is one person's says so, and one for everybody is."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.test import Client

from tests.support.oracle.asking import IN_HINDI, NOT_ASKED, SLOW, names_in, patterns
from tests.support.oracle.readers import MATRIX, address
from tests.support.oracle.worlds import DICE, plain

CHOSEN: Mapping[str, str] = {"": "a language that was chosen, by its cookie"}
AS_PART: Mapping[str, str] = {"HX-Request": "true"}


def places(things: Mapping[str, str]) -> Iterator[str]:
    """Yield one address of each pattern that answers a GET."""
    for pattern in patterns():
        if pattern.startswith((*NOT_ASKED, *SLOW)):
            continue
        if not names_in(pattern):
            yield f"/{pattern}"
            continue
        for thing, _ in MATRIX.get(pattern, ()):
            if thing == "-" or thing in things:
                yield address(pattern, thing, dict(things))


def cache_faults(people: Mapping[str, Client], things: Mapping[str, str]) -> tuple[int, list[str]]:
    """Say which answers a cache could give to the wrong person, or in the wrong language.

    Returns how many addresses were looked at, too.
    """
    looked_at, faults = 0, []
    for place in places(things):
        first = _asked(people["asha"], place)
        if first.status_code in (404, 405):
            continue
        looked_at += 1
        told = _bytes(first)
        kept = first.headers.get("Cache-Control", "")
        varies = first.headers.get("Vary", "").lower()
        is_kept_by_nobody = "no-store" in kept
        is_own = "private" in kept or is_kept_by_nobody
        others = [_asked(people[who], place) for who in ("bilal", "chetan", "nobody", "meera")]
        is_personal = bool(first.cookies) or any(_bytes(one) != told for one in others)
        if is_personal and not is_own:
            faults.append(f"{place}: one person's, and no cache is told: {kept!r}")
        if is_personal and "cookie" not in varies and not is_kept_by_nobody:
            faults.append(f"{place}: one person's, and does not vary by cookie: {varies!r}")
        if "public" in kept and any(one.cookies for one in (first, *others)):
            faults.append(f"{place}: for everybody, and gives a cookie")
        spoken = _bytes(_asked(people["asha"], place, IN_HINDI))
        if spoken != told and "accept-language" not in varies and not is_kept_by_nobody:
            faults.append(f"{place}: in two languages, and does not vary by them: {varies!r}")
        chosen = _bytes(_asked(people["asha"], place, CHOSEN))
        if chosen != told and "cookie" not in varies and not is_kept_by_nobody:
            faults.append(f"{place}: in a chosen language, and does not vary by cookie: {varies!r}")
        part = _bytes(_asked(people["asha"], place, AS_PART))
        if part != told and "hx-request" not in varies and not is_kept_by_nobody:
            faults.append(f"{place}: a part or a page, and does not vary by that: {varies!r}")
    return looked_at, faults


def _asked(client: Client, place: str, headers: Mapping[str, str] | None = None) -> Any:
    DICE.seed(place)
    if headers is CHOSEN:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "hi"
        try:
            return client.get(place)
        finally:
            del client.cookies[settings.LANGUAGE_COOKIE_NAME]
    return client.get(place, headers=dict(headers or {}))


def _bytes(answer: Any) -> bytes:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return plain(str(answer.status_code).encode() + bytes(content), {})
