"""The kinds of what sellers ask and tell, with her plain words to each, and what finds them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from agents.speech.nouns import noun_of
from agents.speech.together import PARDON, PUT, Together, asking, either, same, sentences
from agents.text.acts.acts import Act
from agents.text.acts.hear import asks, book_of
from agents.text.languages import Register
from agents.text.reading.phrases import Phrasebook
from agents.text.reading.pieces import Text, to_text
from bazaarbatna.lazily import kept, lazily
from bazaarbatna.word_tables import read_table

ANSWERS = Path(__file__).with_name("answers.toml")
FORMS = Path(__file__).with_name("forms.toml")
STATEMENTS = Path(__file__).with_name("statements.toml")
READ_AT_MOST = 600
NO_FLAW = "noflaw"
THIRD = "third_person"
WEAK = frozenset({"go_on", "ask_told", "laugh", "available", "floated", THIRD})
"""Kinds that tell little of what a line is about: any other goes before."""
SURE = 2.5
"""Log-odds from which an act counts where its kind names no others."""


class Says(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What she says in each language."""

    english: tuple[str, ...]
    hinglish: tuple[str, ...]
    hindi: tuple[str, ...]

    def of(self, language: Register) -> tuple[str, ...]:
        """Return the sentences of a language."""
        found: tuple[str, ...] = getattr(self, language)
        return found

    def in_all_languages(self) -> tuple[str, ...]:
        """Return all sentences."""
        return (*self.english, *self.hinglish, *self.hindi)


class Kind(Says, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What sellers say, by phrases and by words that stand together, and her answers.

    ``if_asking``: only where the clause asks; ``grave``: no joke from then on. Found by the act
    alone, it is said from ``least`` log-odds on, and only where a phrase of ``needs`` is there.
    ``aside``: it answers no question, so that one in the same line goes before.
    """

    act: Act
    asked: str = ""
    together: str = ""
    if_asking: bool = False
    grave: bool = False
    needs: str = ""
    least: float = SURE
    aside: bool = False


class Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All plain answers; ``unknown`` is for questions that nothing else answers.

    Kinds that are ``alike`` have answers that say the same: one of them is enough, and what is
    likely for one speaks for the other.
    """

    tails: dict[Register, dict[str, tuple[str, ...]]]
    words: dict[str, str]
    topics: dict[str, str]
    alike: tuple[str, ...]
    kinds: dict[str, Kind]
    unknown: dict[Act, Says]


class Statement(Says, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One kind: how it is told, and her sentences, those with a noun among them.

    ``talk_only``: only where no price is played; ``first_only``: only as a game begins;
    ``asked``: also in a question that is put to her; ``gentle``: goes before, however it is told;
    """

    act: Act
    says: str
    talk_only: bool = False
    first_only: bool = False
    asked: bool = False
    gentle: bool = False
    maybe: float = 1.0


class Statements(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All kinds, and what is said to a bare price and to talk of no kind.

    ``claims``: what is said against the listing; ``stand``: why she stands, a kind for each round;
    ``ages``: numbers, and spans of time in days below 0; ``signs`` and ``looks``: how claims are
    found, in the spelling of `same` and as they are written.
    ``echo``: matters that a line names by the way; ``back``: her own word, thrown back at her;
    ``answered``: to what she asked; ``stays``: after a warning; ``beside``: words beside a price;
    A matter with ``maybe`` below 1 goes behind what a line means.
    ``score``: that the other side gave way more often, that nobody did, that she did; no count,
    for she says no number but prices.
    """

    denies: str
    denied: str
    words: dict[str, str]
    kinds: dict[str, Statement]
    prices: dict[str, Says]
    listening: dict[str, Says]
    claims: dict[str, Says]
    stand: dict[str, Says]
    echo: dict[str, Statement]
    back: dict[str, Says]
    answered: Says
    stays: Says
    beside: dict[str, Says]
    ages: dict[str, float]
    signs: dict[str, str]
    looks: dict[str, str]
    score: Says


@lazily
def answers() -> Answers:
    """Read the table, once for each process."""
    return read_table(ANSWERS, Answers)


@lazily
def statements() -> Statements:
    """Read the table, once for each process."""
    return read_table(STATEMENTS, Statements)


@lazily
def forms() -> dict[str, Kind]:
    """Read what is said to a question of which only the form is known."""
    return read_table(FORMS, dict[str, Kind])


@lazily
def _book() -> Phrasebook[str]:
    return book_of_kinds(answers().kinds)


@lazily
def _together_book() -> Together[str]:
    table = answers()
    return Together({name: kind.together for name, kind in table.kinds.items()}, table.words)


@lazily
def _forms_together() -> Together[str]:
    lines = {name: form.together for name, form in forms().items()}
    return Together(lines, answers().words)


@lazily
def _topics() -> Together[str]:
    return Together(answers().topics, answers().words)


@lazily
def _told_book() -> Together[str]:
    table = statements()
    return Together({name: kind.says for name, kind in table.kinds.items()}, table.words)


@lazily
def _echo_book() -> Together[str]:
    table = statements()
    return Together({name: kind.says for name, kind in table.echo.items()}, table.words)


@kept(4096)
def echo_of(text: str) -> str:
    """Name what a line speaks of by the way; "" for nothing that is known.

    >>> echo_of("for that price i only get two momos"), echo_of("5500 final")
    ('snack', '')
    """
    told = [f" ^{sentence}> " for sentence, _ in sentences(cut(text))]
    found = {name for name, _ in _echo_book().of(told)}
    return next((name for name in statements().echo if name in found), "")


@lazily
def _denied() -> re.Pattern[str]:
    table = statements()

    def words(group: str) -> str:
        return either("|".join(group.split()), table.words).pattern

    flaw = either("@flaw", table.words).pattern
    before = rf"{words(table.denies)} (?:\w+ ){{0,2}}{flaw}"
    return re.compile(rf"{before}|{flaw} (?:\w+ )?{words(table.denied)}")


def book_of_kinds(kinds: Mapping[str, Kind], phrases: str = "asked") -> Phrasebook[str]:
    """Make the phrasebook that finds kinds by name."""
    return book_of(
        (line, name)
        for name, kind in kinds.items()
        for line in getattr(kind, phrases).splitlines()
        if line
    )


def best_kind(
    cut: Text,
    kinds: Mapping[str, Kind],
    book: Phrasebook[str],
    together: Together[str] | None = None,
) -> str:
    """Name the kind whose phrase says most; grave ones go before; "" where none is found."""
    order = list(kinds)
    found = {
        (kinds[hit.record].grave, hit.weight, -order.index(hit.record)): hit.record
        for hit in book.find(cut.pieces)
        if not kinds[hit.record].if_asking or asks(cut, hit)
    }
    for name, weight in together.find(cut) if together else ():
        found[kinds[name].grave, weight, -order.index(name)] = name
    return found[max(found)] if found else ""


def cut(text: str) -> Text:
    """Cut a line into words as kinds are read in it: its beginning, without begging pardon.

    >>> [piece.text for piece in cut("agar bura na lage to kis area se hain aap").pieces]
    ['kis', 'area', 'se', 'hai', 'aap']
    """
    text = text[:READ_AT_MOST]
    rest = PARDON.sub(" ", text)
    return to_text(rest if len(rest.split()) > 1 else text)


@kept(4096)
def by_phrases(text: str) -> str:
    """Name the kind whose phrase a line holds, whoever speaks; "" where there is none."""
    return best_kind(cut(text), answers().kinds, _book(), _together_book())


@kept(4096)
def told_by_words(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return the kinds of statement that the tables find, each with its thing, and the first thing.

    >>> told_by_words("the rear tyre is worn")
    ((('defect', 'rear tyre'),), 'rear tyre')
    """
    found, thing = dict[str, tuple[str, bool]](), ""
    kinds = statements().kinds
    for sentence, asks_it in sentences(cut(text)):
        words = without_denied(f"{' ?' * asks_it} ^{sentence}> ")
        here = noun_of(words)
        thing = thing or here
        is_put = asks_it and PUT.search(sentence) is not None
        for clause in (*words.split(" , "), words):
            near = noun_of(f" {clause} ") or here
            for name, _ in _told_book().of([f"{' ?' * asks_it} {clause} "]):
                # What is only told of in a question was not told.
                if not is_put or kinds[name].asked:
                    found.setdefault(name, (near, clause == words and " , " in words))
    order = list(kinds)
    # What one clause holds goes before what is put together from several.
    names = sorted(
        found,
        key=lambda name: (
            name in WEAK or (found[name][1] and not kinds[name].gentle), order.index(name)
        ),
    )  # fmt: skip
    return tuple((name, found[name][0]) for name in names), thing


def without_denied(words: str) -> str:
    """Write a fault that is denied as none."""
    return _denied().sub(same(NO_FLAW), words)


@kept(4096)
def form_of(text: str) -> str:
    """Name the form in which a line asks something; "" where it asks nothing.

    >>> form_of("do you have a dog?"), form_of("kab tak sochoge"), form_of("it is old")
    ('have', 'when', '')
    """
    there = (f" ^{one}> " for one in asking(cut(text)))
    found = {name for name, _ in _forms_together().of(there)}
    return next((name for name in forms() if name in found), "")


@kept(4096)
def is_put_to_her(text: str) -> bool:
    """Whether a sentence begins as a question does, or asks with "you" in it.

    >>> is_put_to_her("could you send a picture"), is_put_to_her("it was good, so why not")
    (True, False)
    """
    return any(map(PUT.search, asking(cut(text))))


def has_marks(line: Text) -> bool:
    """Whether a mark or its words show that a line asks."""
    return "?" in line.plain.text or any(asking(line))


def topics(cut: Text) -> frozenset[str]:
    """Name what of a person's life a line asks about."""
    return frozenset(topic for topic, _ in _topics().find(cut))


def hits(text: str) -> Iterator[str]:
    """Name what the tables find in a line, as the model of kinds learns from it."""
    told, _ = told_by_words(text)
    yield from (f"told:{name}" for name, _ in told)
    yield from (f"first:{name}" for name, _ in told[:1])
    phrase = by_phrases(text)
    yield from (f"phrase:{phrase}" for _ in phrase[:1])
    if has_marks(cut(text)):
        yield "asks"
