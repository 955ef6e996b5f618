"""The cases that can be played: those of the shelf, and what an account has written itself."""

import functools
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils.translation import gettext

from bazaarbatna.cases.case import Case, CaseError, Fault, from_values, in_library
from bazaarbatna.marking import gettext_noop
from negotiation.handwritten import Unreadable, read_toml
from negotiation.models import OwnCase
from negotiation.toml_text import as_toml

EASIER_FIRST = ("scooter", "project", "caterer", "lease", "job", "laptop")
OWN = "own-"
"""Begins the name of a case that somebody wrote; the id of its row follows."""

MOST_KEPT = 100
"""Cases of one account."""

MOST_LETTERS = 60_000
"""Of a case's file."""


class TooMany(Exception):
    """An account keeps as many cases as it may."""


@functools.cache
def cases() -> dict[str, Case]:
    """Return the cases of the shelf, the easier first."""
    found = in_library()
    return {name: found[name] for name in (*EASIER_FIRST, *sorted(set(found) - {*EASIER_FIRST}))}


def playable(reader: User | AnonymousUser) -> dict[str, Case]:
    """Return the cases that somebody may lead, by name: the shelf's, then the own ones."""
    found = dict(cases())
    for row in own_of(reader):
        try:
            found[f"{OWN}{row.pk}"] = read_file(row.text)
        except CaseError:
            continue  # rules have changed since: the own page says what is wrong with it
    return found


def own_of(reader: User | AnonymousUser) -> QuerySet[OwnCase]:
    """Return what somebody has written; nobody without an account has anything."""
    return OwnCase.objects.filter(owner=reader.pk) if reader.pk else OwnCase.objects.none()


def keep(owner: User, case: Case, row: OwnCase | None) -> OwnCase:
    """Keep a case, in place of the one of a row where there is one."""
    if row is None and own_of(owner).count() >= MOST_KEPT:
        raise TooMany(gettext("An account keeps %(most)d cases. Delete one first.") % {"most": 100})
    row = row or OwnCase(owner=owner)
    row.title, row.text = next(iter(case.title.values()))[:200], to_file(case)
    row.save()
    return row


def read_file(text: str) -> Case:
    """Read a case that somebody brings, within bounds, or raise CaseError."""
    if len(text) > MOST_LETTERS:
        raise CaseError([Fault("", gettext_noop("A case has at most 60,000 letters."))])
    try:
        return from_values(read_toml(text.replace("\r\n", "\n")))
    except Unreadable as wrong:
        told = {"line": wrong.line, "why": wrong.words}
        raise CaseError([Fault("", gettext_noop("line %(line)s: %(why)s"), told)]) from wrong


def to_file(case: Case) -> str:
    """Write a case as TOML."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(case))
    return as_toml(told)
