"""Plain answers to what sellers ask and tell most, true whatever is played; phrases find them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random

from agents.speech.bank import ANY_GOODS, BID, ITEM, LAST, Exchange, is_said, look
from agents.speech.facts import answers_to
from agents.speech.kind_tables import (
    READ_AT_MOST,
    Says,
    answers,
    by_phrases,
    cut,
    form_of,
    forms,
    is_put_to_her,
)
from agents.speech.kinds import SENTENCE, asked_together, is_grave, kind_of
from agents.speech.nouns import NOUN, named, noun_of
from agents.speech.sides import (
    Seen,
    last_own,
    own_words,
    rivals_lines,
    rivals_words,
    rounds_left,
)
from agents.speech.together import asking
from agents.speech.truths import WHAT_SHE_IS, asked, told
from agents.speech.truths import answers as true_answers
from agents.text.acts.acts import Act, is_question
from agents.text.languages import Register, nearest_to_other
from negotiation.plans import Plan

LISTED: Act = "question:goods"
OF_LISTING = frozenset({"read_listing", "how_far", "condition_asked", "made_by", "knows"})
"""Kinds of question that the listing may answer itself."""
LOOSE = frozenset({"other", "hers", "where", "will", "have", "which"})
"""Forms whose answers fit hardly any line that only passes through a question."""
INSULT, LOSS = "insult", "loss"
NEEDS: Act = "reason:hardship"
AT_HER = re.compile(
    r"\b(?:you|u|your|aap\w*|tum\w*|tu|ter[aei]|tujh\w*)\b|आप|तुम|तू|तेर", re.IGNORECASE
)
TOLD = ("small_talk", "reason:")
"""Acts that tell: beside a yes questions wait for nothing."""
MOST_TOGETHER = 25
"""Two answers have so many words at most, for her price follows."""
NUMBERED: frozenset[Act] = frozenset({"question:price", "split", "ultimatum", "refusal"})
"""What is answered with a number even where none is played."""


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
    if plan.move == "accept" and not (name and answers().kinds[name].act.startswith(TOLD)):
        return
    if plan.move == "talk" and not truths and (not name or name in OF_LISTING):
        is_put = "?" in words or any(map(is_question, plan.speaks_to))
        # Who wrote the listing is told of it only where they ask whether she read it.
        is_put &= look("reads").search(words) is not None
        known = answers_to(seen.item, words, language) if is_put else ()
        lines = [" ".join(known), *known] if known else []
        yield from exchanges(lines, LISTED, seen, plan, language, seed)
    if truths and not by_phrases(words[:READ_AT_MOST]):
        name = ""  # the truth alone was asked for
    if not by_form and name == kind_of(words) and not by_phrases(words[:READ_AT_MOST]):
        return
    # What a part alone asks, in a line that is of no kind, is mostly misheard.
    together = asked_together(words, "" if truths else name) if name or truths else ()
    if together:
        true, kinds = true_answers(language), answers().kinds
        pools = [{"self": true.self, "budget": true.budget}[truth] for truth in truths]
        pools += [kinds[one].of(language) for one in together]
        kind = kinds[name if name and not truths else together[0]]
        # Where one of the two asks for her number, it is said.
        kind = next((kinds[one] for one in together if kinds[one].act in NUMBERED), kind)
        says = _together(pools, is_program=truths == (WHAT_SHE_IS,))
        yield from exchanges(says, kind.act, seen, plan, language, seed, grave=kind.grave)
    form = _form_for(words, name, plan) if by_form else ""
    if form:
        kind = forms()[form]
        thing = next(filter(None, map(noun_of, asking(cut(words)))), "")
        yield from about(kind, kind.act, thing, seen, plan, language, seed)
    elif name:
        kind = answers().kinds[name]
        yield from exchanges(
            kind.of(language), kind.act, seen, plan, language, seed, grave=kind.grave
        )
    told = grief_of(seen)
    if told and plan.move != "accept" and not ends_asking(words):
        act = answers().kinds[told].act
        said = answers().tails[language]["gentle_talk"] if plan.move == "talk" else ("",)
        yield from exchanges(said, act, seen, plan, language, seed, grave=True)


def grief_of(seen: Seen) -> str:
    """Name the kind of the first grief that the other side told, or else the listing; "" if none.

    Of a listing only a death is heard: an illness there is mostly one of the goods.
    """
    told = next((name for line in rivals_lines(seen) if is_grave(name := kind_of(line))), "")
    # What was told before all that the position remembers, she has answered.
    told = told or _consoled(tuple(own_words(seen)))
    listed = (LOSS for one in SENTENCE.findall(seen.item.condition) if kind_of(one) == LOSS)
    return told or next(listed, "")


@lru_cache(maxsize=1024)
def _consoled(said: tuple[str, ...]) -> str:
    """Name the grief to which lines of hers were an answer; "" for none."""
    grave = ((name, kind) for name, kind in answers().kinds.items() if kind.grave)
    return next(
        (name for name, kind in grave for one in kind.in_all_languages() if is_said(one, said)), ""
    )


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
    form = form_of(words) if is_put else ""
    # What names nothing of a question answers only one that the line ends with.
    return "" if form in LOOSE and not ends_asking(words) else form


def ends_asking(words: str) -> bool:
    """Whether a line ends with a question that is marked as one, but for a name or a smile."""
    return "?" in words[-12:]


def _together(pools: Sequence[Sequence[str]], *, is_program: bool) -> Iterator[str]:
    for parts in product(*pools):
        # That she is a program is said once.
        text = parts[-1] if is_program and told(parts[-1], WHAT_SHE_IS) else " ".join(parts)
        if len(text.split()) <= MOST_TOGETHER:
            yield text


def unknown_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to a question that nothing else answers; a price has its own words."""
    waits = plan.move == "talk" and ends_asking(rivals_words(seen))
    for act, says in answers().unknown.items():
        if plan.speaks_to[:1] == (act,) and (waits or act != "question:her"):
            yield from exchanges(says.of(language), act, seen, plan, language, seed)


def has_plain_answer(seen: Seen) -> bool:
    """Whether the last line has an answer of its own, which no voice need invent."""
    return bool(kind_of(rivals_words(seen))) or bool(grief_of(seen))


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
    tails: Sequence[str] | None = None,
) -> Iterator[Exchange]:
    """Return sentences with tails, mostly those that go with the move, in an order of their own."""
    number = len(seen.turns) + len(seen.earlier)
    tails = list(_tails(act, seen, plan, language, grave=grave) if tails is None else tails)
    Random(f"{seed}:{language}:tails").shuffle(tails)
    said = list(says)
    Random(f"{seed}:{act}:{said}").shuffle(said)
    # What she is goes first, once in a game; who asks for it hears it each time.
    has_told = any(told(line, WHAT_SHE_IS) for line in own_words(seen))
    said.sort(key=lambda one: told(one, WHAT_SHE_IS) == has_told)
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
        case "accept":
            return list(of["accept"])
        case _:
            return []
