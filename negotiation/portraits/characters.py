"""Everybody who bargains: a name, one line of temper, a face, and which policies they play."""

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

import msgspec
from django.utils.translation import gettext

from negotiation.policies import title_of
from negotiation.portraits.face import Dye, Face, Mood, face_svg, initial_svg

Room = Literal["", "school", "buyers", "sellers", "tables", "labs", "chairs"]
ROOMS: tuple[Room, ...] = get_args(Room)[1:]


class Character(msgspec.Struct, frozen=True, kw_only=True):
    """A person at the bazaar.

    ``plays`` names policies, personas and labs; an entry that ends in ``*`` stands for all names
    that begin so. ``room`` is where they are met; "" is a face without a person behind it.
    ``written`` and ``manner`` are name and temper as the file has them: stored names are these.
    """

    written: str = msgspec.field(name="name")
    face: Face
    manner: str = msgspec.field(name="temper", default="")
    room: Room = ""
    plays: tuple[str, ...] = ()
    key: str = ""

    @property
    def name(self) -> str:
        """The name, in the language that is spoken now."""
        return gettext(self.written) if self.is_known else self.written

    @property
    def temper(self) -> str:
        """One line about them, in the language that is spoken now."""
        return gettext(self.manner) if self.manner else ""

    @property
    def is_known(self) -> bool:
        """Whether the file has this person: strangers are drawn and have no name of their own."""
        return self.key in characters()


_PLACE = Path(__file__).with_name("characters.toml")


@cache
def characters() -> Mapping[str, Character]:
    """Return everybody by key, in the order of the file."""
    rows = tomllib.loads(_PLACE.read_text(encoding="utf-8"))
    return {key: msgspec.convert({**row, "key": key}, Character) for key, row in rows.items()}


def character(who: str) -> Character:
    """Return the person with a key, or who plays a policy; a stranger where nobody is known.

    >>> character("sauda").name, character("seller:default").name
    ('Sauda', 'Meena')
    """
    name = who.partition(" ")[0].partition("@")[0] if ":" in who else who.partition("@")[0]
    known = characters()
    if name in known:
        return known[name]
    exact, beginnings = _by_policy()
    key = exact.get(name) or next((who for start, who in beginnings if name.startswith(start)), "")
    return known[key] if key else stranger(name)


def drawn(who: Character | str, mood: Mood = "calm", size: int = 48, title: str = "") -> str:
    """Draw a face of the house as SVG; of a stranger, or ``person:NAME``, the initial."""
    one = who if isinstance(who, Character) else character(who)
    if one.is_known:
        return face_svg(one.face, mood, size, title)
    return initial_svg(one.key.removeprefix("person:"), one.face.back, size, title)


def name_of(policy: str) -> str:
    """Return the name of whoever plays a policy; the policy's title where nobody is known.

    >>> name_of("rules:boulware")
    'Harpreet'
    """
    person = character(policy)
    return person.name if person.is_known else gettext(title_of(policy))


def stranger(seed: str) -> Character:
    """Return somebody whom the file does not know: the same seed, the same colour."""
    dyes: tuple[Dye, ...] = get_args(Dye)
    back = dyes[sha256(seed.encode()).digest()[0] % len(dyes)]
    return Character(key=seed, written=seed, face=Face(back=back))


@cache
def _by_policy() -> tuple[dict[str, str], list[tuple[str, str]]]:
    exact, beginnings = {}, []
    for one in characters().values():
        for policy in one.plays:
            if policy.endswith("*"):
                beginnings.append((policy[:-1], one.key))
            else:
                exact[policy] = one.key
    return exact, sorted(beginnings, key=lambda pair: -len(pair[0]))
