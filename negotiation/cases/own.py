"""The cases that can be played: those of the shelf, and what an account has written itself."""

import functools
from typing import Any

import msgspec
import tomli_w
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils import timezone

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, CaseError, Fault, from_values, in_library
from bazaarbatna.marking import gettext_noop
from negotiation.cases.form import LANGUAGES, Draft, case_from
from negotiation.cases.game import language
from negotiation.handwritten import Unreadable, read_toml
from negotiation.models import OwnCase
from negotiation.sentences import sentences

say = sentences(__file__)

EASIER_FIRST = ("scooter", "project", "caterer", "lease", "job", "laptop")
OWN = "own-"
"""Begins the name of a case that somebody wrote; the id of its row follows."""

MOST_KEPT = 100
"""Cases of one account."""

MOST_LETTERS = 60_000
"""Of a case's file."""


class TooMany(Exception):
    """An account keeps as many cases as it may."""


class ChangedMeanwhile(Exception):
    """A case that is kept is not the one that somebody has seen."""


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


def titled(name: str, case: Case) -> str:
    """Return the title of a case in a list: an own one may be called as one of the shelf."""
    title = play.words(case.title, language())
    return say("yours", title=title) if name.startswith(OWN) else title


def own_of(reader: User | AnonymousUser) -> QuerySet[OwnCase]:
    """Return what somebody has written; nobody without an account has anything."""
    return OwnCase.objects.filter(owner=reader.pk) if reader.pk else OwnCase.objects.none()


def keep(owner: User, case: Case, row: OwnCase | None, seen: str = "") -> OwnCase:
    """Keep a case, in place of the one of a row where that is as old as what was ``seen``."""
    told = {"title": next(iter(case.title.values()))[:200], "text": to_file(case)}
    if row is None:
        if own_of(owner).count() >= MOST_KEPT:
            raise TooMany(say("too_many", most=MOST_KEPT))
        return OwnCase.objects.create(owner=owner, **told)
    same = own_of(owner).filter(pk=row.pk, changed_at=row.changed_at)
    # Nothing got updated: another page of the same author was first.
    if seen != row.changed_at.isoformat() or not same.update(**told, changed_at=timezone.now()):
        raise ChangedMeanwhile
    return row


def from_form(draft: Draft) -> Case:
    """Make the case of a draft as its file gives it back, or raise CaseError: kept is readable."""
    return read_file(to_file(case_from(draft)))


def read_file(text: str) -> Case:
    """Read a case that somebody brings, within bounds, or raise CaseError."""
    if len(text) > MOST_LETTERS:
        most = {"most": f"{MOST_LETTERS:,}"}
        raise CaseError([Fault("", gettext_noop("A case has at most %(most)s letters."), most)])
    if "\ufffd" in text:  # letters of another encoding, lost on the way
        raise CaseError([Fault("", gettext_noop("This is no text in UTF-8: save it as such."))])
    try:
        case = from_values(read_toml(text.replace("\r\n", "\n")))
    except Unreadable as wrong:
        told = {"line": wrong.line, "why": wrong.words}
        raise CaseError([Fault("", gettext_noop("line %(line)s: %(why)s"), told)]) from wrong
    if foreign := [one for one in case.languages if one not in LANGUAGES]:
        words = gettext_noop("%(foreign)s: a case here is in %(ours)s")
        named = {"foreign": ", ".join(foreign), "ours": ", ".join(LANGUAGES)}
        raise CaseError([Fault("languages", words, named)])
    return case


def to_file(case: Case) -> str:
    """Write a case as TOML."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(case))
    return tomli_w.dumps(told, multiline_strings=True)
