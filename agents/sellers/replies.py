"""What a buyer's line asks and tells, sentence by sentence, and a seller's plain words to it."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

import msgspec

from agents.speech import kind_tables
from agents.speech.answers import AT_HER, grief_of
from agents.speech.facts import (
    PARTS,
    Told,
    answers_to,
    asked_in,
    names_a_property,
    together,
    told_of,
)
from agents.speech.kind_tables import Kind, Says, best_kind, book_of_kinds, by_phrases, has_marks
from agents.speech.kinds import (
    LIFE,
    PERSONAL,
    SENTENCE,
    is_grave,
    is_ruled_out,
    kind_of,
    likely,
)
from agents.speech.listing import (
    BY_SUBJECT,
    ONE_WORD,
    READ_AT_MOST,
    TWO_WORDS,
    facts_of,
    found_in,
    tellings,
)
from agents.speech.nouns import NOUN, VAGUE, named, nouns, nouns_of
from agents.speech.sides import own_words, rivals_lines
from agents.speech.statements import MARKS
from agents.speech.together import sentences as spelt_sentences
from agents.speech.truths import asked
from agents.text.acts.acts import Act, is_question
from agents.text.languages import Register
from agents.text.reading.phrases import Phrasebook
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table
from negotiation.plans import MoveName

PLAIN = Path(__file__).with_name("answers.toml")
"""What a seller says to what buyers ask most, as in the buyer's table, which finds some of it."""
GOODS: Act = "question:goods"
FACT, WHAT = "<fact>", "<what>"
"""Slots: what stands in the listing, in quotation marks, and a property that does not."""
TOLD, TOLD_NEAR, TOLD_BUT, TOLD_AGAIN = "told", "told_near", "told_but", "told_again"
"""Words to what the listing tells: of what was asked, near it, all but a property, once more."""
LAUGH = "laugh"
OF_HER, COLD, AND_NO_MORE = "of_her", "cold_answer", "and_no_more"
MIXED_UP, UNDERSTOOD, OCCASION = "mixed_up", "understood", "occasion"
NOT_TOLD, TRY_IT, TRY_TOLD = "not_told", "try_it", "try_told"
NEVER_MOVED, SO_SLOW, ANSWER_ME = "never_moved", "so_slow", "answer_me"
ACHES = frozenset({"aches", "distress", "heartbreak"})
"""Of these who laughs makes fun."""
LIGHT = frozenset({LAUGH, "teased", "small_purse", "tight", "slow_animal"})
"""Kinds whose words are not said to who told of a grief."""
HOME = frozenset({"home_peace", "bad_joke"})
"""Kinds in which a quarrel or a hurt is only spoken of: no grief is told there."""
ALIKE = 0.6
"""So many of the words of a question, said before, make it the same one."""
MOST_TOGETHER, MOST_BEFORE_A_PRICE = 30, 14
"""Words of two answers together; before a price there is hardly room for two."""
MOST_NAMED = 3
"""So many things that are not told are named at once."""
LOOKS = {
    name: re.compile(found, re.IGNORECASE)
    for name, found in read_table(Path(__file__).with_name("looks.toml"), dict[str, str]).items()
}


@lazily
def kinds() -> dict[str, Kind]:
    """Read the table, once for each process."""
    return read_table(PLAIN, dict[str, Kind])


@lazily
def _book() -> Phrasebook[str]:
    return book_of_kinds(kinds())


def own_kind(text: str) -> str:
    """Name the kind of a buyer's words by a phrase of the seller's own table, else of the other."""
    own, other = best_kind(to_text(text[:READ_AT_MOST]), kinds(), _book()), by_phrases(text)
    if is_grave(other) and own not in HOME and not is_ruled_out(text, other):
        return other
    # What only the other table finds, a word may have told.
    return own or ("" if other in kinds() and is_ruled_out(text, other) else other)


def asks(text: str) -> bool:
    """Whether words ask, with a mark or without.

    >>> asks("do coins come with it"), asks("10,000, it is old")
    (True, False)
    """
    return has_marks(to_text(text[:READ_AT_MOST])) or LOOKS["asks"].search(text) is not None


def parted(text: str) -> tuple[list[str], str]:
    """Part a line in the sentences that ask, and what it tells; a bare price is neither.

    >>> parted("It is for my dad. Does it work? 900?")
    (['Does it work?'], 'It is for my dad.')
    """
    said = (
        one for part in LOOKS["smiles"].split(text[:READ_AT_MOST]) for one in SENTENCE.findall(part)
    )
    parts = [
        one.strip()
        for one in said
        if len(LOOKS["words"].findall(one)) > 1 or ("?" in one and names_a_property(one))
    ]
    questions = list[str]()
    for at, one in enumerate(parts):
        is_beside = at > 0 and parts[at - 1] in questions
        names = names_a_property(one) or any(things_in(one))
        goes_on = names and LOOKS["says_is"].search(one)
        is_beside &= bool(goes_on or LOOKS["goes_on"].search(one))
        if is_beside or asks(one):
            questions.append(one)
    return questions, " ".join(one for one in parts if one not in questions)


class Replies(msgspec.Struct, frozen=True):
    """Plain words to one line of a buyer, in one game: what is asked goes before what is told."""

    seen: SellerObservation
    words: str
    language: Register
    move: MoveName
    luck: Callable[[str], float]

    def to_the_line(self) -> list[str]:
        """Return whole answers, the best first; none where no kind is known."""
        questions, story = parted(self.words)
        every = (*SENTENCE.findall(story), story, *questions)
        missed = next((one for one in every if self._says_missed(one)), "")
        story = "" if missed and missed in story else story
        questions = [one for one in questions if one != missed]
        told = self._to_a_story(story) if story else []
        # Who complains of an answer names the thing beside it.
        beside = (story, missed) if missed else ()
        named_beside = [one for one in beside if not LOOKS["not_asked"].search(one)]
        put = [*filter(names_a_property, named_beside), *questions]
        there = {part: one for part in put if (one := self._of_the_thing(part)) is not None}
        told_of_it = [*there.values()]
        found = [self._told(told_of_it, self.words)] if there else []
        others = [part for part in questions if part not in there]
        found += [lines for part in others if (lines := self._to_a_question(part))]
        complaint = self._complaint(story) if self.move == "talk" else ""
        if complaint:
            found.append(self._said(self._of(complaint)))
        # What was told before is no news beside what was not.
        again = self._of(TOLD_AGAIN)
        found = [one for at, one in enumerate(found) if one and one not in found[:at]]
        new = [one for one in found if one[0] not in again]
        if missed:
            return self._sorry(missed, new or [one for one in (told,) if one])
        found = new or found
        if questions and not found and self.move == "talk":
            found = [self._unknown()]
        ends = self._of(AND_NO_MORE)
        found.sort(key=lambda one: (not self._is_grave(one), one[0].endswith(ends)))
        pools = [[*one[:FEW], *one[FEW:][-1:]] for one in found[:2]]
        if told and (not pools or LOOKS["warm"].fullmatch(self._kind(story))):
            pools.insert(0, told[:FEW])
        alone = [*sorted(found, key=self._is_of_her), told]
        return [*self._together(pools), *(line for one in alone for line in one)]

    def beside(self) -> list[str]:
        """Return what the listing tells of what is asked beside a question of herself."""
        parts = [part for part in PARTS.split(self.words) if not asked(part) and asks(part)]
        told = [one for part in parts if (one := told_of(self.seen.item, part, self.language))]
        return (
            self._told(told, self.words) if any(one.clauses or one.missing for one in told) else []
        )

    def _says_missed(self, text: str) -> bool:
        """Whether a sentence says that an answer missed, or asks for a thing once more."""
        again = LOOKS["asked_for"].search(text) and names_a_property(text)
        return own_kind(text) in (MIXED_UP, UNDERSTOOD) or bool(again)

    def _complaint(self, story: str) -> str:
        """Name what a sentence complains of her, beside what the whole story is."""
        kinds_told = (own_kind(one) for one in SENTENCE.findall(story))
        there = (one for one in kinds_told if LOOKS["complaint"].fullmatch(one))
        return next((one for one in there if one != self._kind(story)), "")

    def _is_grave(self, lines: Sequence[str]) -> bool:
        return any(
            line in self._of(name)
            for name in kind_tables.answers().kinds
            if is_grave(name)
            for line in lines[:1]
        )

    def _is_of_her(self, lines: Sequence[str]) -> bool:
        return any(line in self._of(name) for name in LIFE | PERSONAL for line in lines[:1])

    def _sorry(self, missed: str, found: list[list[str]]) -> list[str]:
        """Own up to an answer that missed, with another one or with what is not told."""
        sorry = self._said(self._of(MIXED_UP))[:FEW]
        grief = grief_of(self.seen) if LOOKS["kin"].search(missed) else ""
        if grief:
            return self._together([sorry, self._said(self._of(grief))])
        parts = [one for one in _CLAUSES.split(missed) if not LOOKS["not_asked"].search(one)]
        rest = "" if names_a_property(missed) else ", ".join(parts)
        again = (self._listed(rest) or self._unlisted(rest)) if rest else []
        plain = [self._said(self._of(NOT_TOLD))] if self.move == "talk" else []
        then = [one[:FEW] for one in (again, *found, *plain) if one][:1]
        return self._together([sorry, *then])

    def _together(self, pools: Sequence[Sequence[str]]) -> list[str]:
        """Return answers one after the other, where they are short; none to a single one."""
        most = MOST_TOGETHER if self.move == "talk" else MOST_BEFORE_A_PRICE
        sets = list(product(*pools)) if len(pools) > 1 else []
        # Two things that are not listed are told in two ways.
        sets.sort(key=lambda parts: len({tuple(one.split()[-3:]) for one in parts}), reverse=True)
        # That no more is told stands at the end, once.
        ends = f" (?:{'|'.join(map(re.escape, self._of(AND_NO_MORE)))})$"
        sets = [(*(re.sub(ends, "", one) for one in parts[:-1]), parts[-1]) for parts in sets]
        # One answer may hold the other.
        whole = [
            " ".join(one for at, one in enumerate(parts) if not _is_in_another(at, parts))
            for parts in sets
        ]
        return [one for one in whole if len(one.split()) <= most]

    def echo(self) -> list[str]:
        """Return what fits wherever somebody tells."""
        if self.move != "talk":
            taken = self._of("took_up") if self.move in ("hold", "concede") else ()
            things = (one for one in things_in(self.words) if one not in VAGUE | MARKS)
            is_whole = set(things_in(self.seen.item.title))
            thing = next((one for one in things if one not in is_whole), "")
            return self._said(named(taken, thing, self.language))
        return self._said(self._of("gentle" if grief_of(self.seen) else "listening"))

    def _kind(self, text: str, *, is_put: bool = False) -> str:
        name, hers = own_kind(text), LIFE | PERSONAL
        if name == OCCASION and not LOOKS["own_occasion"].search(text):
            return ""
        is_hers = AT_HER.search(text) is not None
        if name in kinds() and (is_hers or name not in hers):
            return name
        near = [one for one in (kind_of(text), *likely(text)) if LOOKS["shared"].fullmatch(one)]
        if is_put:
            # What only tells is no question, and "how is it" is asked of the goods.
            asking = kind_tables.answers().kinds
            near = [
                one for one in near if one in asking and (is_hers or is_question(asking[one].act))
            ]
        return next((one for one in near if is_hers or one not in hers), "")

    def _of(self, name: str) -> tuple[str, ...]:
        if name == NEVER_MOVED and self.seen.standing_bid is None:
            name = "lower_it"
        elif name == NEVER_MOVED and self.seen.standing_ask != self.seen.asks[0]:
            name = SO_SLOW
        if name == ANSWER_ME and self.seen.standing_bid is None:
            return ()
        tables: tuple[dict[str, Kind], ...] = (kinds(), kind_tables.answers().kinds)
        says: dict[str, Says] = {**kind_tables.statements().kinds, **tables[1], **tables[0]}
        return says[name].of(self.language) if name in says else ()

    def _said(self, lines: Sequence[str], *, fact: str = "", what: str = "") -> list[str]:
        filled = (one.replace(FACT, f"“{fact}”").replace(WHAT, what) for one in lines)
        return sorted((one[:1].upper() + one[1:] for one in filled), key=self.luck)

    def _by_name(self, name: str) -> list[str]:
        """Return what is said to a kind; the listing is told in the language of who asks."""
        told, *_ = tellings(self.seen.item, self.language)
        return self._said(self._of(name), fact=told.condition)

    def _to_a_question(self, part: str) -> list[str]:
        name = self._kind(part, is_put=True)
        if self.move != "talk" and LOOKS["of_talk"].fullmatch(name):
            name = ""
        is_own = name in kinds() and not kinds()[name].aside
        is_of_her = name in LIFE | PERSONAL
        found = found_in(self.seen.item, part, self.language)
        if name == TRY_IT:
            return self._to_a_trial(part)
        is_along = LOOKS["along"].search(part) and found.by <= ONE_WORD
        if (
            (is_own and not LOOKS["after_the_listing"].fullmatch(name)) or is_of_her
        ) and not is_along:
            return self._by_name(name)
        is_hers = AT_HER.search(part) and not LOOKS["of_it"].search(part)
        is_vague = found.by > TWO_WORDS if is_hers else found.by > BY_SUBJECT
        if is_hers and not LOOKS["of_selling"].search(part):
            is_vague &= not answers_to(self.seen.item, part, self.language)
        listed = [] if is_vague and (is_hers or self.move != "talk") else self._listed(part)
        if found.by >= ONE_WORD or not listed:
            # What is named and not listed was asked for, not what lies beside it.
            listed = self._unlisted(part) or listed
        return listed or ([] if name in kinds() and not is_own else self._said(self._of(name)))

    def _to_a_trial(self, part: str) -> list[str]:
        """Say what the listing tells of trying the thing, and that none is played."""
        known = answers_to(self.seen.item, part, self.language) or ()
        told = [one for one in known if LOOKS["trial"].search(one)]
        if not told:
            return self._said(self._of(TRY_IT))
        return [f"{told[0]} {one}" for one in self._said(self._of(TRY_TOLD))]

    def _unlisted(self, part: str) -> list[str]:
        things = self._things(part)
        says = [self._said(named(self._of("unlisted"), one, self.language)) for one in things[:2]]
        return [*self._together([one[:FEW] for one in says]), *(says[0] if says else ())]

    def _listed(self, part: str) -> list[str]:
        """Say what the listing does to a question, and what of it is left open."""
        asked = (self.seen.item, part, self.language)
        told = told_of(*asked)
        if told and (told.clauses or told.missing or told.is_silent):
            return self._told([told], part)
        found, said = found_in(*asked), " ".join(own_words(self.seen))
        facts = (LOOKS["joins"].sub("", one) for one in facts_of(*asked))
        fact = "”, “".join(one for one in facts if one not in said)
        # Whose facts are all written is quoted only for what was clearly meant.
        is_meant = told is None or (found.by <= TWO_WORDS and not found.is_near)
        if fact and is_meant:
            frame = TOLD_BUT if found.missing else TOLD_NEAR if found.is_near else TOLD
            return self._said(self._of(frame), fact=fact, what=found.missing)
        # What was quoted was asked again, or else something that the listing does not tell.
        if found.missing:
            return self._said(self._of("unwritten"), what=found.missing)
        return self._once_more(part) if found.is_whole else []

    def _of_the_thing(self, part: str) -> Told | None:
        """Return what is told of the properties that a question names; None where it names none."""
        name = "" if self._says_missed(part) else self._kind(part, is_put=True)
        is_question_of_hers = name in kinds() and is_question(kinds()[name].act)
        is_answered = is_question_of_hers and not kinds()[name].aside
        is_left = is_answered and not LOOKS["after_the_listing"].fullmatch(name)
        told = told_of(self.seen.item, part, self.language)
        if told is None or is_left or name in LIFE | PERSONAL:
            return None
        pieces = [one for one in PARTS.split(part) if not asked_in(one)]
        others = [
            _uncapped(
                named(
                    [f"the {NOUN}" if self.language == "english" else NOUN], thing, self.language
                )[0]
            )
            for one in pieces
            if (there := told_of(self.seen.item, one, self.language)) and not there.clauses
            for thing in self._things(one)
        ]
        is_hers = AT_HER.search(part) and not LOOKS["of_it"].search(part)
        if not asked_in(part) and not others and (is_hers or not told.clauses):
            return None
        return together([told, Told(missing=tuple(others))])

    def _told(self, every: Sequence[Told], part: str) -> list[str]:
        """Tell what is told, and name what is not; nothing is told a second time."""
        said, told = " ".join(own_words(self.seen)), together(every)
        new = [one for one in told.clauses if one.rstrip(".।") not in said]
        if told.missing:
            *first, last = {one.casefold(): one for one in told.missing[:MOST_NAMED]}.values()
            what = f"{', '.join(first)} {self._of('and')[0]} {last}" if first else last
            open_ones = self._said(self._of("unwritten"), what=what)
            near = [(*new[:2], "<>", *told.near), (*new[:2], "<>"), (*new[:1], "<>"), ("<>",)]
            return [
                " ".join(one).replace("<>", text)
                for one in dict.fromkeys(near)
                for text in open_ones
            ]
        if not new:
            return self._once_more(part)
        if self.move == "accept" or not told.is_partial or LOOKS["says_open"].search(" ".join(new)):
            return [" ".join(new[:many]) for many in (2, 1)]
        return [f"{' '.join(new[:2])} {end}" for end in self._said(self._of(AND_NO_MORE))]

    def _once_more(self, part: str) -> list[str]:
        """Say to the same question that it was answered, to another that it is not told."""
        if self.move == "accept":
            return []
        if self._was_asked(part):
            return self._said(self._of(TOLD_AGAIN))
        return self._unlisted(part) or self._said(self._of(NOT_TOLD))

    def _was_asked(self, part: str) -> bool:
        words = set(LOOKS["words"].findall(part.casefold()))
        before = [
            set(LOOKS["words"].findall(one.casefold())) for one in rivals_lines(self.seen)[:-1]
        ]
        return any(len(words & one) >= ALIKE * len(words) for one in before)

    def _to_a_story(self, story: str) -> list[str]:
        name = self._kind(story)
        if not name and LOOKS["laughs"].search(self.words):
            name = LAUGH
        if name in ACHES and LOOKS["laughs"].search(self.words):
            name = "teased"
        if self.move != "talk" and LOOKS["of_talk"].fullmatch(name):
            return []
        if name and not (name in kinds() and kinds()[name].if_asking):
            is_light = name in LIGHT and grief_of(self.seen)
            return (
                []
                if is_light and self.move != "talk"
                else self._by_name("gentle" if is_light else name)
            )
        return []

    def _unknown(self) -> list[str]:
        """Return how she says that what is asked, of her or of the thing, is not known to her."""
        is_of_it = LOOKS["of_it"].search(self.words)
        is_hers = LOOKS["to_her"].search(self.words) or (
            LOOKS["you_will"].search(self.words) and not is_of_it
        )
        name = NOT_TOLD if not is_hers else COLD if grief_of(self.seen) else OF_HER
        return self._said(self._of(name))

    def _things(self, part: str) -> list[str]:
        """Name the things that are asked for and that the listing does not tell of."""
        asked_for = (one for one in things_in(part) if one not in VAGUE | MARKS)
        # No listing need tell of what lines name beside the goods, or of the goods themselves; of
        # one that is called otherwise ("mirror", a glass) the name would say something else.
        fits = (one for one in asked_for if self.language != "english" or one in part.casefold())
        told = tellings(self.seen.item, self.language)
        own = {one for item in told for one in things_in(f"{item.title}. {item.condition}")}
        return [one for one in dict.fromkeys(fits) if one not in own and self._is_untold(one)]

    def _is_untold(self, thing: str) -> bool:
        is_beside = LOOKS["beside"].search(thing)
        names = (thing, *nouns()[thing][:2])
        is_told = any(found_in(self.seen.item, one).text for one in names)
        return not (is_beside or is_told or answers_to(self.seen.item, thing, self.language))


_CLAUSES = re.compile(r"[,;.!?।]+\s+|!+")
FEW = 4
"""Wordings of an answer that are put together with those of another."""


def things_in(text: str) -> Iterator[str]:
    """Name the things of a text."""
    for words, _ in spelt_sentences(to_text(text[:READ_AT_MOST])):
        yield from nouns_of(words)


def _uncapped(name: str) -> str:
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _is_in_another(at: int, parts: Sequence[str]) -> bool:
    """Whether a longer answer holds one, or an earlier one is the same."""
    return any(
        parts[at] in one and (parts[at] != one or place < at)
        for place, one in enumerate(parts)
        if place != at
    )
