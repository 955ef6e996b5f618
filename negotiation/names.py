"""Names that people choose for the board, for themselves and for their bots: what is allowed.

One script a name, nothing invisible, and nothing that reads like a player of the site or like a
name that somebody else has. Two names that look alike have the same ``key``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

import msgspec

from negotiation.errors import SessionError
from negotiation.policies import policies
from negotiation.sentences import sentences

say = sentences(__file__)


SHORTEST, LONGEST = 2, 24
MARKS_IN_A_ROW = 2  # Combining marks on one letter; more of them climb over the lines around
_PUNCTUATION = " -_'."
_EAST = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL"})
_SCRIPTS = frozenset(
    {"LATIN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU"}
    | {"KANNADA", "MALAYALAM", "SINHALA", "ARABIC", "HEBREW", "GREEK", "CYRILLIC", "ARMENIAN"}
    | {"GEORGIAN", "THAI", "ETHIOPIC"}
    | _EAST
)
_PLAIN_LATIN = re.compile(r"[a-zæœøßđłþð]")

# What looks like a Latin letter is compared as one, whoever wrote it in whichever script.
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁԛԝһкмтвнαορντυικεη0134578æœøßđł",
    "aeopcyxisjdqwhkmtbhaopvtuikenoleastbaoosdl",
)
_PAIRS = (("rn", "m"), ("vv", "w"), ("i", "l"))

WORDS_OF_THE_SITE = ("sauda", "bazaarbatna", "admin", "moderator", "official", "verified")
"""A name that contains one of these would speak for the site."""

NAMES_OF_THE_SITE = ("house", "thehouse", "seller", "buyer", "system", "staff", "you", "anonymous")
"""A name that is one of these would be taken for a part of a page."""


class BadName(SessionError):
    """This name cannot be used."""

    code = "bad-name"
    status = 422

    @property
    def more(self) -> dict[str, str]:
        """The field of the form."""
        return {"field": "name"}


class NameTaken(BadName):
    """Somebody else has this name, or one that looks like it; choose another."""

    code = "name-taken"
    status = 409


class Name(msgspec.Struct, frozen=True):
    """A name that may be used: as it is shown, and the key under which lookalikes meet."""

    text: str
    key: str


IsTaken = Callable[[str], bool]
_holders: dict[str, IsTaken] = {}


def register_holder(what: str, is_taken: IsTaken) -> None:
    """Let a table of names take part in the search for doubles."""
    _holders[what] = is_taken


def checked_name(text: str) -> Name:
    """Tidy a name; BadName or NameTaken say what is wrong with it."""
    name = tidy_name(text)
    key = name_key(name)
    _check_form(name, key)
    if any(name_key(word) in key for word in WORDS_OF_THE_SITE) or key in _site_keys():
        raise BadName(say("belongs_to_the_house"))
    if any(is_taken(key) for is_taken in _holders.values()):
        raise NameTaken
    return Name(name, key)


def tidy_name(text: str) -> str:
    """Write a name in one way: composed characters, single spaces, none around it.

    >>> tidy_name("  Asha   ki  dukaan ")
    'Asha ki dukaan'
    """
    return " ".join(unicodedata.normalize("NFKC", text[:200]).replace("’", "'").split())


def name_key(name: str) -> str:
    """Fold a name so that names which look alike become equal.

    >>> name_key("Smart-1") == name_key("SMАRT l")  # the second A is a Cyrillic one
    True
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    bare = "".join(
        c for c in unicodedata.normalize("NFD", folded) if not _is_mark(c) or _is_vowel_sign(c)
    )
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in bare)
    key = "".join(c for c in digits.translate(_LOOKALIKES) if c.isalnum() or _is_vowel_sign(c))
    for pair, alone in _PAIRS:
        key = key.replace(pair, alone)
    return key


def _check_form(name: str, key: str) -> None:
    if not SHORTEST <= len(name) <= LONGEST:
        raise BadName(say("length", least=SHORTEST, most=LONGEST))
    if any(not (c.isalnum() or _is_mark(c) or c in _PUNCTUATION) for c in name):
        raise BadName(say("signs"))
    if not any(c.isalpha() for c in name) or not key:
        raise BadName(say("a_name_needs_a_letter"))
    if not (name[0].isalnum() and (name[-1].isalnum() or _is_mark(name[-1]))):
        raise BadName(say("ends"))
    if re.search(r"\.(?!\d)|(?<!\d)\.|[-_' .]{2}", name):
        raise BadName(say("between_letters"))
    if _marks_in_a_row(name) > MARKS_IN_A_ROW:
        raise BadName(say("too_many_marks"))
    _check_script(name)


def _check_script(name: str) -> None:
    scripts = {_script(c) for c in name if c.isalpha()}
    is_plain = all(_is_plain(c) for c in name if c not in _PUNCTUATION)
    if not scripts <= _SCRIPTS or not is_plain:
        raise BadName(say("hard_to_tell_apart"))
    if len(scripts) > 1 and not scripts <= _EAST:
        raise BadName(say("one_script"))


def _is_plain(character: str) -> bool:
    if _is_mark(character):
        # Selectors and joiners are marks that nobody sees.
        return _script(character) in _SCRIPTS or unicodedata.combining(character) >= 200
    if not character.isalpha():
        return character.isdecimal()
    if "FILLER" in unicodedata.name(character, "FILLER"):
        return False
    if _script(character) != "LATIN":
        return True
    base = unicodedata.normalize("NFD", character)[0].lower()
    return _PLAIN_LATIN.fullmatch(base) is not None


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")


def _is_vowel_sign(character: str) -> bool:
    # The vowels of Indic scripts are marks, and two names may differ in nothing else.
    return _is_mark(character) and unicodedata.combining(character) in (0, 7, 9)


def _marks_in_a_row(name: str) -> int:
    longest = run = 0
    for character in unicodedata.normalize("NFD", name):
        run = run + 1 if _is_mark(character) else 0
        longest = max(longest, run)
    return longest


def _site_keys() -> frozenset[str]:
    return frozenset(name_key(name) for name in _site_names())


def _site_names() -> Iterable[str]:
    yield from NAMES_OF_THE_SITE
    for entry in (*policies("buyer"), *policies("seller")):
        yield from (entry.name, entry.title, entry.name.rpartition(":")[2])
