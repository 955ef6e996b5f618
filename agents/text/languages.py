"""Which language the seller writes in, so that the buyer can answer in the same."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table

Register = Literal["english", "hinglish", "hindi"]

MIX: dict[Register, float] = {"english": 0.40, "hinglish": 0.45, "hindi": 0.15}

_HINDI = (
    "hai hain hoon hu hun nahi nahin nhi nai kya ka ki ke ko se mein mai aap aapka aapki "
    "aapke tum bhai bhaiya yaar zyada jyada lo dunga doonga dungi denge loonga lunga chalo "
    "chaliye theek thik accha acha achha sau hazaar hazar hajar wala wale wali bhi toh aur "
    "kar karo karu karenge raha rahe rahi ji paisa paise bolo boliye bola liye dijiye itna "
    "itne bahut bohot abhi haan han mat mera meri mere kam thoda kitna kitne kaise kyun kyu "
    "nuksan ghata jaldi pakka bilkul koi log ek teen paanch pachas chahiye gaya gayi raho jao "
    "lelo dedo deta deti samajh dekho dekhiye arre yeh ye woh wo isse isliye lekin magar par "
    "pe tak hum mujhe batao bataiye kuch bas sirf phir daam bhaav keemat graahak mol bohni "
    "saamaan bazaar dukaan dhanyavaad namaste shukriya"
)
HINDI = frozenset(_HINDI.split())
_ENGLISH = (
    "the is are am was were i you my your it its for and a an not will can could would this "
    "that these have has had in of but with from at please there what other give take want "
    "need sell best im ive i'm i've it's don't dont won't wont can't cant just very good "
    "great only come now how about any more less be been so if or he she we they who when "
    "where why which much many get got make do does did know think say said hello thanks "
    "thank sorry yes"
)
ENGLISH = frozenset(_ENGLISH.split())
_LOANED = (
    "price final last offer deal ok okay done market online sale condition piece rate fixed "
    "buyer seller discount cash payment time problem new second box bill warranty customer "
    "business tension free order please thanks sorry number best"
)
LOANED = frozenset(_LOANED.split())
"""English words at home in Hindi talk: they make Hindi Hinglish, but nothing English."""
_IN_BOTH = "is the do in has so are he or had be am an a me us say come get know hello thank"
_MORE = "every each because though which some then also"
FOREIGN = (ENGLISH | set(_MORE.split())) - LOANED - set(_IN_BOTH.split())
"""English words that nobody mixes into Hindi, and that are no Hindi words spelt alike."""

_WORD = re.compile(r"[a-z']+")
_DEVANAGARI = re.compile(r"[\u0904-\u0939]")
_AT_HOME = re.compile(
    r"“[^”]*”|\b(?:just do it|all the best|thank you|terms and conditions|no problem)\b"
)
"""What is quoted, and English turns that Hindi has borrowed whole."""


def is_mixed(text: str) -> bool:
    """Whether a line in Hindi, in either script, has English in it that nobody mixes in.

    >>> is_mixed("Sale mein naya achhi every festival"), is_mixed("Thank you, sale mein mila tha")
    (True, False)
    """
    return not FOREIGN.isdisjoint(_WORD.findall(_AT_HOME.sub(" ", text.lower())))


def register_of(text: str) -> Register | None:
    """Name the register of a line; None when it has no telling word ("4300 last price").

    >>> register_of("170 se kam nahi"), register_of("my last price is 170")
    ('hindi', 'english')
    """
    if _DEVANAGARI.search(text):
        return "hindi"
    words = _WORD.findall(text.lower())
    hindi = sum(word in HINDI for word in words)
    english = sum(word in ENGLISH for word in words)
    loaned = sum(word in LOANED for word in words)
    if not hindi:
        return "english" if english else None
    if english > 2 * hindi:
        return "english"
    return "hinglish" if english or loaned else "hindi"


def last_telling(turns: Sequence[Turn], *actors: Side) -> tuple[Register | None, str]:
    """Return the register of the latest telling words of the first side that said any, and them."""
    lines = (turn.text for actor in actors for turn in reversed(turns) if turn.actor == actor)
    return next(((found, line) for line in lines if (found := register_of(line))), (None, ""))


def choose_register(turns: Sequence[Turn], seed: int) -> Register:
    """Follow the seller's latest telling words, else the own last line, else the game's seed."""
    found, _ = last_telling(turns, "seller", "buyer")
    return found or Random(f"{seed}:register").choices(list(MIX), list(MIX.values()))[0]


class _Other(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nearest: Register
    words: str


OTHERS = Path(__file__).with_name("other_languages.toml")
_SCRIPTS: tuple[tuple[re.Pattern[str], Register], ...] = (
    # Bengali, Gurmukhi and Gujarati writers read Hindi more often than those of the south.
    (re.compile(r"[\u0980-\u09fe\u0a01-\u0aff]"), "hindi"),
    (re.compile(r"[\u0b01-\u0d7f]"), "english"),
    (re.compile(r"[\u0600-\u06ff]"), "hinglish"),
)
_TOKEN = re.compile(r"[a-z]+|[\u0900-\u097f]+")
FEW_WORDS = 3
"""In a line of so few words a single one tells its language."""


@lazily
def _others() -> dict[str, Register]:
    table = read_table(OTHERS, dict[str, _Other])
    return {word: one.nearest for one in table.values() for word in one.words.split()}


def nearest_to_other(text: str) -> Register | None:
    """Return which of her languages is nearest to one that she does not speak; None: it is hers.

    >>> nearest_to_other("idhu vilai enna, konjam kammi pannunga"), nearest_to_other("kitna doge")
    ('english', None)
    """
    for script, register in _SCRIPTS:
        if script.search(text):
            return register
    words = _TOKEN.findall(text.lower())
    found = [_others()[word] for word in dict.fromkeys(words) if word in _others()]
    if len(found) < (1 if len(words) <= FEW_WORDS else 2):
        return None
    if len(found) <= sum(word in ENGLISH for word in words):
        return None
    nearest = max(found, key=found.count)
    return "hindi" if nearest == "hinglish" and _DEVANAGARI.search(text) else nearest
