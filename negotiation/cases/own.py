"""The cases that can be played: those of the shelf, and what an account has written itself."""

import functools

from django.contrib.auth.models import AnonymousUser, User

from bazaarbatna.cases.case import Case, CaseError, from_toml, in_library
from negotiation.models import OwnCase

EASIER_FIRST = ("scooter", "project", "caterer", "lease", "job", "laptop")
OWN = "own-"
"""Begins the name of a case that somebody wrote; the id of its row follows."""


@functools.cache
def cases() -> dict[str, Case]:
    """Return the cases of the shelf, the easier first."""
    found = in_library()
    return {name: found[name] for name in (*EASIER_FIRST, *sorted(set(found) - {*EASIER_FIRST}))}


def playable(reader: User | AnonymousUser | None) -> dict[str, Case]:
    """Return the cases that somebody may lead, by name: the shelf's, then the own ones."""
    found = dict(cases())
    if isinstance(reader, User):
        for row in OwnCase.objects.filter(owner=reader):
            try:
                found[f"{OWN}{row.pk}"] = from_toml(row.text)
            except CaseError:
                continue  # rules have changed since: the own page says what is wrong with it
    return found
