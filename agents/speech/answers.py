"""Plain answers to what sellers ask and tell most, true whatever is played; phrases find them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random

import msgspec

from agents.speech.bank import ANY_GOODS, BID, ITEM, LAST, Exchange
from agents.speech.meant import LIFE, NO_LIFE, kinds_meant, meant
from agents.speech.nouns import NOUN, named, noun_of
from agents.speech.sides import (
    Seen,
    last_own,
    rivals_lines,
    rivals_words,
    rounds_left,
)
from agents.speech.together import Together, asking
from agents.speech.truths import WHAT_SHE_IS, asked, told
from agents.speech.truths import answers as true_answers
from agents.text.acts.acts import Act, is_question
from agents.text.acts.hear import asks, book_of
from agents.text.languages import Register, nearest_to_other
from agents.text.reading.phrases import Phrasebook
from agents.text.reading.pieces import Text, to_text
from bazaarbatna.lazily import kept, lazily
from bazaarbatna.word_tables import read_table
from negotiation.plans import Plan

ANSWERS = Path(__file__).with_name("answers.toml")
FORMS = Path(__file__).with_name("forms.toml")
READ_AT_MOST = 600
OTHER_LANGUAGE = "other_language"
NUMBERED: frozenset[Act] = frozenset({"question:price", "split", "ultimatum", "refusal"})
"""What is answered with a number even where none is played."""
ALIKE = (
    {"with_or_without", "which_of_two", "keeps_part"}, {"inspect", "checking"},
    {"pickup", "turn_up"}, {"dealer", "for_whom"}, {"no_family", "her_life"},
    {"exchange", "payment"}, {"next_step", "game_rules"}, {"fault_matters", "why_number"},
    {"send_address", "pickup"}, {"fault_ok", "fault_matters", "lost_matters", "papers"},
    {"for_whom", "no_family"}, {"her_place", "no_family"}, {"keep_aside", "payment"},
    {"carrying", "pickup"}, {"come_up", "is_it_last"}, {"in_earnest", "trust_her"},
    LIFE | {NO_LIFE},
    {"preference", "with_or_without", "which_of_two", "as_you_like"},
)  # fmt: skip
"""Kinds whose answers say the same: one of them is enough."""
PERSONAL = frozenset({"where_from", "how_far", "her_name", "her_life", "no_family"})
INSULT = "insult"
AT_HER = re.compile(
    r"\b(?:you|u|your|aap\w*|tum\w*|tu|ter[aei]|tujh\w*)\b|आप|तुम|तू|तेर", re.IGNORECASE
)
ABOUT_HER = "about_her"
"""The kind that answers two questions of her person at once."""
SURE = 2.5
"""Log-odds from which an act counts where its kind names no others."""
OVER_PHRASES = 1.8
"""Log-odds from which what a question means goes before the phrase that was found in it, if the
model knows that kind too."""
MOST_TOGETHER = 25
"""Two answers have so many words at most, for her price follows."""
_SENTENCE = re.compile(r"[^?.!।\n]+[?.!।\n]*")
_BESIDE = re.compile(r"[,;]|\b(?:and|aur)\b|और")
"""What is asked side by side."""


PUT = re.compile(
    r"^ (?:(?:ok|okay|so|but|and|then|acha|are|bhai|bhaiya|ji|madam|sir|hey|hi|also|just|please) )*"
    r"(?:vhats?|vhy|how|vhen|vhere|vhich|vho|vhose|vhom|does|did|can|could|vill|vould|should|shall"
    r"|may|any|vana|kya(?! bat| bhai| yar)|agar|(?:do|is|are|have|has) (?:you|your|i|ve|they|it"
    r"|this|that|these|the|there|my)) "
    r"|^(?=.* (?:ap|ap(?:ka|ki|ko|ke|ne)|tum(?:he|ko|ne|hara|hari)?|ho|you|\w+(?:ogi|oge|engi)"
    r"|sak\w+) )"
    r"(?=.* (?:kya|kyu|kyun|kaise|kab|kahan|kidhar|kaun|kon|kisne|kitn[aei]|ya|na|right) )"
)
"""How a question to her begins, or what of it is there besides her, as `same` spells it."""


class Says(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What she says in each language."""

    english: tuple[str, ...]
    hinglish: tuple[str, ...]
    hindi: tuple[str, ...]

    def of(self, language: Register) -> tuple[str, ...]:
        """Return the sentences of a language."""
        found: tuple[str, ...] = getattr(self, language)
        return found


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
    """All plain answers; ``unknown`` is for questions that nothing else answers."""

    tails: dict[Register, dict[str, tuple[str, ...]]]
    words: dict[str, str]
    topics: dict[str, str]
    kinds: dict[str, Kind]
    unknown: dict[Act, Says]


@lazily
def answers() -> Answers:
    """Read the table, once for each process."""
    return read_table(ANSWERS, Answers)


@lazily
def _book() -> Phrasebook[str]:
    return book_of_kinds(answers().kinds)


@lazily
def _together_book() -> Together[str]:
    table = answers()
    return Together({name: kind.together for name, kind in table.kinds.items()}, table.words)


@lazily
def forms() -> dict[str, Kind]:
    """Read what is said to a question of which only the form is known."""
    return read_table(FORMS, dict[str, Kind])


@lazily
def _forms_together() -> Together[str]:
    lines = {name: form.together for name, form in forms().items()}
    return Together(lines, answers().words)


@lazily
def _topics() -> Together[str]:
    return Together(answers().topics, answers().words)


def book_of_kinds(kinds: Mapping[str, Kind], phrases: str = "asked") -> Phrasebook[str]:
    """Make the phrasebook that finds kinds by name."""
    return book_of(
        (line, name)
        for name, kind in kinds.items()
        for line in getattr(kind, phrases).splitlines()
        if line
    )


@kept(4096)
def kind_of(text: str) -> str:
    """Name the kind of a line; "" where it is of none.

    >>> kind_of("how did u get to 6700 tho?"), kind_of("auto ka kiraya kaun dega")
    ('why_number', 'delivery_paid')
    """
    if nearest_to_other(text[:READ_AT_MOST]):
        return OTHER_LANGUAGE
    cut = to_text(text[:READ_AT_MOST])
    name = _best(text[:READ_AT_MOST])
    if name in PERSONAL and len({topic for topic, _ in _topics().find(cut)}) > 1:
        return ABOUT_HER
    return name


def _best(text: str, *, in_part: bool = False) -> str:
    cut, known = to_text(text), by_phrases(text)
    if not cut.pieces or (known and answers().kinds[known].grave):
        return known
    likely, score = meant(text, asks=_has_marks(cut) and not in_part)
    is_over = score > OVER_PHRASES and known in kinds_meant()
    return likely if is_over else known or likely


@kept(4096)
def by_phrases(text: str) -> str:
    """Name the kind whose phrase a line holds, whoever speaks; "" where there is none."""
    return best_kind(to_text(text), answers().kinds, _book(), _together_book())


@kept(4096)
def puts_a_question(text: str) -> bool:
    """Whether a line asks: by its mark, by its words, or as one of a kind of question does.

    >>> puts_a_question("kahan se ho"), puts_a_question("aap gaadi chalate ho ya sirf mol bhav")
    (True, True)
    >>> puts_a_question("the tyres are new")
    False
    """
    name = kind_of(text)
    is_kind = name in answers().kinds and is_question(answers().kinds[name].act)
    return is_kind or _has_marks(to_text(text[:READ_AT_MOST]))


def _has_marks(cut: Text) -> bool:
    return "?" in cut.plain.text or any(asking(cut))


@kept(4096)
def form_of(text: str) -> str:
    """Name the form in which a line asks something; "" where it asks nothing.

    >>> form_of("do you have a dog?"), form_of("kab tak sochoge"), form_of("it is old")
    ('have', 'when', '')
    """
    there = (f" ^{one}> " for one in asking(to_text(text[:READ_AT_MOST])))
    found = {name for name, _ in _forms_together().of(there)}
    return next((name for name in forms() if name in found), "")


@kept(4096)
def is_put_to_her(text: str) -> bool:
    """Whether a sentence begins as a question does, or asks with "you" in it.

    >>> is_put_to_her("could you send a picture"), is_put_to_her("it was good, so why not")
    (True, False)
    """
    return any(map(PUT.search, asking(to_text(text[:READ_AT_MOST]))))


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


@lru_cache(maxsize=4096)
def asked_together(text: str, first: str) -> tuple[str, ...]:
    """Name the kinds of a line of two questions, as they were asked; () for a line of one.

    ``first`` is the kind of the whole line; "" where a truth is asked for, which has no kind.

    >>> asked_together("why 6700, and who pays delivery?", "delivery_paid")
    ('why_number', 'delivery_paid')
    """
    found, kinds = list[str](), answers().kinds
    for sentence in _SENTENCE.findall(text[:READ_AT_MOST]):
        mark = "?" if "?" in sentence else ""
        for part in _BESIDE.split(sentence):
            name = _best(f"{part}{mark}", in_part=True)
            name = "" if not first and asked(part) else name
            if name and (name == first or kinds[name].if_asking or _asked(kinds[name], mark)):
                found.append(name)
    personal = PERSONAL.intersection(found)
    if len(personal) > 1 or (personal and not first):
        return (ABOUT_HER,)
    found = [name for name in found if first != ABOUT_HER or name not in PERSONAL]
    second = next((name for name in found if not _are_alike(name, first)), "")
    if not second or not first:
        return (second,) if second else ()
    if first in found and not kinds[first].grave:
        return tuple(sorted((first, second), key=found.index))
    return first, second


def _asked(kind: Kind, mark: str) -> bool:
    return is_question(kind.act) or (bool(mark) and not kind.act.startswith("reason:"))


def _are_alike(name: str, other: str) -> bool:
    return name == other or any({name, other} <= kinds for kinds in ALIKE)


def found_for(
    seen: Seen, plan: Plan, language: Register, seed: int, *, by_form: bool = True
) -> Iterator[Exchange]:
    """Return the answers to a line of a known kind, or gentle words after grave ones; else none.

    ``by_form``: a question of which no phrase is known is answered by what it seems to mean, or by
    the form in which it is put.
    """
    words = rivals_words(seen)
    language = nearest_to_other(words) or language
    truths = asked(words)
    name = _kind_for(words, plan)
    if not by_form and name == kind_of(words) and not by_phrases(words[:READ_AT_MOST]):
        return
    together = asked_together(words, "" if truths else name)
    if together:
        true, kinds = true_answers(language), answers().kinds
        pools = [{"self": true.self, "budget": true.budget}[truth] for truth in truths]
        pools += [kinds[one].of(language) for one in together]
        kind = kinds[name if name and not truths else together[0]]
        says = _together(pools, is_program=truths == (WHAT_SHE_IS,))
        yield from exchanges(says, kind.act, seen, plan, language, seed, grave=kind.grave)
    form = _form_for(words, name, plan) if by_form else ""
    if form:
        kind = forms()[form]
        thing = next(filter(None, map(noun_of, asking(to_text(words[:READ_AT_MOST])))), "")
        yield from about(kind, kind.act, thing, seen, plan, language, seed)
    elif name:
        kind = answers().kinds[name]
        yield from exchanges(
            kind.of(language), kind.act, seen, plan, language, seed, grave=kind.grave
        )
    told = next((name for line in rivals_lines(seen) if is_grave(name := kind_of(line))), "")
    if told and not any(map(is_question, plan.speaks_to)):
        act = answers().kinds[told].act
        said = answers().tails[language]["gentle_talk"] if plan.move == "talk" else ("",)
        yield from exchanges(said, act, seen, plan, language, seed, grave=True)


def _kind_for(words: str, plan: Plan) -> str:
    name, kinds = kind_of(words), answers().kinds
    # What speaks of nobody here offends nobody here: "not the cheap ones".
    acts = (act for act in plan.speaks_to if act != INSULT or AT_HER.search(words))
    act = next((act for act in acts if act in kinds), "")
    # What is said of the trade goes before a laugh or a cousin in the same line.
    is_aside = bool(name) and kinds[name].act == "small_talk" and act != "greeting"
    return act or name if is_aside else name or act


def _form_for(words: str, name: str, plan: Plan) -> str:
    """Name the form of a question that a kind found beside it leaves open; "" for none."""
    if plan.move != "talk" or (name and not answers().kinds[name].aside) or asked(words):
        return ""
    is_put = "?" in words or any(map(is_question, plan.speaks_to)) or is_put_to_her(words)
    return form_of(words) if is_put else ""


def _together(pools: Sequence[Sequence[str]], *, is_program: bool) -> Iterator[str]:
    for parts in product(*pools):
        # That she is a program is said once.
        text = parts[-1] if is_program and told(parts[-1], WHAT_SHE_IS) else " ".join(parts)
        if len(text.split()) <= MOST_TOGETHER:
            yield text


def unknown_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to a question that nothing else answers."""
    for act, says in answers().unknown.items():
        if plan.speaks_to[:1] == (act,):
            yield from exchanges(says.of(language), act, seen, plan, language, seed)


def has_plain_answer(seen: Seen) -> bool:
    """Whether the last line has an answer of its own, which no voice need invent."""
    return bool(kind_of(rivals_words(seen))) or any(
        is_grave(kind_of(line)) for line in rivals_lines(seen)
    )


def is_grave(name: str) -> bool:
    """Whether a kind is one of grief or illness."""
    return bool(name) and answers().kinds[name].grave


def about(
    says: Says, act: Act, thing: str, seen: Seen, plan: Plan, language: Register, seed: int
) -> Iterator[Exchange]:
    """Return the sentences that name the thing that was spoken of, then those that name none."""
    there = [
        one
        for one in says.of(language)
        # A number of hers stands once, in the sentence or behind it.
        if LAST not in one or plan.move == "talk"
    ]
    yield from exchanges(named(there, thing, language), act, seen, plan, language, seed)
    plain = [one for one in there if NOUN not in one]
    yield from exchanges(plain, act, seen, plan, language, seed)


def exchanges(
    says: Iterable[str],
    act: Act,
    seen: Seen,
    plan: Plan,
    language: Register,
    seed: int,
    *,
    grave: bool = False,
) -> Iterator[Exchange]:
    """Return sentences with tails that go with the move, in an order of their own."""
    number = len(seen.turns) + len(seen.earlier)
    tails = _tails(act, seen, plan, language, grave=grave)
    Random(f"{seed}:{language}:tails").shuffle(tails)
    said = list(says)
    Random(f"{seed}:{act}:{said}").shuffle(said)
    for place, sentence in enumerate(said):
        for ahead in range(len(tails)):
            tail = tails[(number + place + ahead) % len(tails)]
            if ITEM in sentence and ITEM in tail:
                continue
            yield Exchange(
                language, ANY_GOODS, "", rivals_words(seen), (act,), (act,), plan.move,
                promise=False, final=BID in tail and not rounds_left(seen), needs=(),
                line=f"{sentence} {tail}".strip(),
            )  # fmt: skip


def _tails(act: Act, seen: Seen, plan: Plan, language: Register, *, grave: bool) -> list[str]:
    of = answers().tails[language]
    match plan.move:
        case "open" | "concede" | "hold" if not rounds_left(seen):
            return list(of["last"])
        case "concede":
            return list(of["gentle"] if grave else of["concede"])
        case "hold":
            return list(of["gentle_hold"] if grave else of["hold"])
        case "open":
            return list(of["open"])
        case "talk" if act in NUMBERED and last_own(seen) is not None:
            return list(of["hold"])
        case "talk":
            return [""]
        case _:
            return []
