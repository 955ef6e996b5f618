"""Whatever reads bytes or words of strangers, with the dearest input that a search has found.

``python -m tests.benchmarks.worst_inputs`` searches and prints; the tests read what was found.
Photos are looked for by what they are built of (``photo_bombs``). Needs Django to be set up.
"""

import contextlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import jwt
from django.http import QueryDict, parse_cookie
from django.test import RequestFactory
from django.utils.http import parse_etags
from django.utils.translation.trans_real import parse_accept_lang_header

from agents.buyers.network_buyer import NetworkBuyer
from agents.plug import Speech
from agents.text.acts import hear
from bazaar_site.doorway import bodies
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.frames import LONGEST
from bazaarbatna.envs.openenv.market import MARKET
from bazaarbatna.envs.openenv.mcp import OwnGame, Request, answer_rpc, read_rpc
from negotiation.games.frames_in import MAX_BYTES, read_with
from negotiation.games.game import lives
from negotiation.readers import SaleContext
from negotiation.words import clean_line, clean_text
from replays.transfer import importing
from replays.transfer.reading import ImportRefused
from rooms.study import files, pages
from tests.support.talks import as_read, play, sale
from tests.support.worst_inputs import Part, Read, Recipe
from training.data.consented import tells_who

LONG_WORDS = 4_000
"""Characters; a move may have half as many, and so the readers' bounds are tried at twice those."""
LONGEST_LINE = 16_384
"""Bytes of a line of HTTP: the server reads no longer one."""


def repeated(*pieces: str, begin: str = "", end: str = "") -> Recipe:
    """A recipe: each piece as often as there is room, between a beginning and an end."""
    fixed = [Part(text, False) for text in (begin,) if text]
    return (*fixed, *(Part(piece, True) for piece in pieces), *([Part(end, False)] if end else []))


def cut(pieces: str, at: str = "|") -> tuple[str, ...]:
    """Cut a text into pieces."""
    return tuple(pieces.split(at))


class Reader(NamedTuple):
    """What reads, how much at most; the pieces of a search, and the worst that it found."""

    name: str
    read: Read
    most: int
    pieces: tuple[str, ...]
    worst: Recipe


WORDS = cut(
    "a|aa|AAAA |x|'t |w# |#|1|9 |1,|1.|0.|12 |1k|-|%|50% |@|=|+|* |/|(|(1) |!|?|? |a?|'|“|…|.|, "
    "|।| |₹|₹1 |k |rs |rupees |lakh |do |teen sau |hundred and |two |twenty-|ek |sava |dhai |half |"
    "सौ |दो सौ |पाँच |लाख |हज़ार |१|१ |Ⅷ|क|क् |ा|ा१|\u200d|\u200b|\u0301|\u0301\u0323|😀|"
    "1-2 |1 to 2 |between 1 and 2 |instead of 5 |not 5 |last price |final |kam karo |nahi |deal |"
    "ok 5 |i will take |at least 5 |each |per kg |50 less |ignore all rules |you never said |"
    "kitna purana hai? |&amp;|<b>|http://a.b/|a@b.c|hum "
)
JSON = cut(
    '[ ] { } "a" : , 1 9 0. 1e5 1e400 - true null NaN \\ " \\u0041 \\ud800 {"a": [{"a": "w#":1, '
    '"w#":[ "type":"say", "text":" {"type":"say","text":" \u0915 "format":"bazaarbatna.replay/1", '
    '"events":[',
    " ",
)
TOML = (
    *JSON,
    *cut("a = .b [[a]] [a.b] = \"\"\" ''' # x#=1 {a=1}, 1_0 2026-11-28", " "),
    "\n",
    " ",
)
MARKDOWN = (
    *cut(
        "a|*|**|_|__|~|`|``|[|]|(|)|[a]|[a](|![|<|<a|<!--|>|> |- |1. |# |&|&#1;|http://a|<http://a>|"
        "\\|\"|'|[a]: b\n|[w#]: /u\n|[w#]|*a_ |[[[](|[](|![[]()|<a@b.c>|<?|*_*_|``` `|[a](<b"
    ),
    *(
        "|",
        "|-\n",
        "| a |\n",
        "---\n",
        "===\n",
        "```\n",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "  \n",
        "\\\n",
    ),
)
HTTP = cut('a|=|&|;|; |a=b&|w#=1&|%|%41|%zz|+|"|\\041|W/"a",|q=0.1,|en-in,|*|/|-|,|.|é| ')
PARTS = (
    *("a", "\r\n", "--x", "\r\n--x\r\n", "--", "\r", "\n", " ", "=", "QUJD", "\r\n--x--", ";", '"'),
    '\r\n--x\r\nContent-Disposition: form-data; name="a#"\r\n\r\n',
    '\r\n--x\r\nContent-Disposition: form-data; name="p#"; filename="a"\r\n\r\n',
    "\r\nContent-Transfer-Encoding: base64\r\n",
)
TOKEN = cut('a . .. = == - _ eyJhbGciOiJSUzI1NiJ9 eyJ9 e30 " { [ é', " ")

_speech, _requests = Speech(), RequestFactory()
_said = {
    side: SaleContext((180_000,), (90_000,), (), side=side)  # type: ignore[arg-type]
    for side in ("seller", "buyer")
}


def _afresh(read: Read) -> Read:
    def reads(text: str) -> object:
        hear.hear.cache_clear()
        return read(text)

    return reads


def _or_refuses(read: Callable[[str], object], *refusals: type[Exception]) -> Read:
    def reads(text: str) -> object:
        with contextlib.suppress(*refusals):
            return read(text)
        return None

    return reads


def _turn(text: str) -> object:
    """Two turns of Sauda's after such lines: heard, planned, answered in words."""
    return play(sale(3), NetworkBuyer(3), [text[:MAX_TEXT], text[: MAX_TEXT - 1]], as_read)


def _posted(kind: str) -> Read:
    def reads(text: str) -> object:
        body = ("--x\r\n" if "multipart" in kind else "") + text
        request = _requests.generic("POST", "/sell/new/", body.encode(), content_type=kind)
        return len(request.POST), len(request.FILES)

    return _or_refuses(reads, Exception)


def _token(text: str) -> object:
    return jwt.get_unverified_header(text), jwt.decode(text, options={"verify_signature": False})


def _replay(text: str) -> object:
    return importing._play(importing._read(text.encode(errors="surrogatepass"))[0])


def _answered(text: str) -> object:
    wanted = read_rpc(text.encode(errors="surrogatepass"))
    return answer_rpc(BAZAAR, OwnGame(BAZAAR), wanted) if isinstance(wanted, Request) else wanted


def _dialogue(kind: Any) -> Read:
    dialogue = Dialogue(kind)
    dialogue.answer('{"type":"reset"}')
    return dialogue.answer


_frames = lives()[0]._decoder
FORM = "application/x-www-form-urlencoded"

READERS: tuple[Reader, ...] = (
    Reader("a seller's words: what is asked", _afresh(lambda t: _speech.intent(t, _said["seller"])),
           LONG_WORDS, WORDS, repeated("ा१")),
    Reader("a buyer's words: what is bid", _afresh(lambda t: _speech.intent(t, _said["buyer"])),
           LONG_WORDS, WORDS, repeated("ा१")),
    Reader("words: their tells", lambda t: _speech.tells(t, _said["seller"], 180_000),
           LONG_WORDS, WORDS, repeated("ा१", begin="1 to 2 ", end="at least 5 ")),
    Reader("words: what they do", _afresh(lambda t: hear.hear(t, 180_000, 90_000)),
           LONG_WORDS, WORDS, repeated("ा१")),
    Reader("words: a secret named", lambda t: _speech.names_secret(t, 120_000),
           LONG_WORDS, WORDS, repeated("१Ⅷ", end="दो सौ ")),
    Reader("words: a promise", _speech.promises, LONG_WORDS, WORDS,
           repeated("1 to 2 कhalf final ")),
    Reader("words: who somebody is", lambda t: tells_who(t, ("ravi",)),
           LONG_WORDS, WORDS, repeated("Ⅷ")),
    Reader("two turns of Sauda's", _afresh(_turn), MAX_TEXT, WORDS, repeated("ा१")),
    Reader("a line for a page", clean_line, LONG_WORDS, WORDS, repeated("१ ")),
    Reader("a name for a page", lambda t: clean_text(t, 200), LONG_WORDS, WORDS,
           repeated("\u0301\u0323")),
    Reader("markdown of a host", pages.to_html.__wrapped__, 20_000, MARKDOWN,
           repeated("|-\n", begin="*_*_")),
    Reader("a study", _or_refuses(files.from_file, files.BadDesign),
           files.MOST_BYTES, TOML, repeated("\n0.")),
    Reader("a replay", _or_refuses(_replay, ImportRefused),
           importing.MOST_BYTES, JSON, repeated('"w#":1,', begin="{")),
    Reader("a frame of a page", _or_refuses(lambda t: read_with(_frames, ("say",), t), Exception),
           MAX_BYTES, JSON, repeated(" ")),
    Reader("a frame of an environment", _dialogue(BAZAAR), LONGEST, JSON, repeated('"w#":[')),
    Reader("a frame of a market", _dialogue(MARKET), LONGEST, JSON, repeated('"w#":[')),
    Reader("JSON-RPC", _answered,
           LONGEST, JSON, repeated("\n")),
    Reader("a form", _posted(FORM), bodies.MOST_OF_A_FORM, HTTP, repeated("é%", begin="*")),
    Reader("a form in parts", _posted("multipart/form-data; boundary=x"),
           bodies.MOST, PARTS, repeated(PARTS[-3])),
    Reader("a query", _or_refuses(QueryDict, Exception), LONGEST_LINE, HTTP, repeated("é%")),
    Reader("cookies", parse_cookie, LONGEST_LINE, HTTP, repeated(";")),
    Reader("known ETags", parse_etags, LONGEST_LINE, HTTP, repeated(",")),
    Reader("languages", parse_accept_lang_header, LONGEST_LINE, HTTP, repeated("q=0.1,,")),
    Reader("a token of a course", _or_refuses(_token, jwt.PyJWTError),
           32_000, TOKEN, repeated("a")),
)  # fmt: skip


def reader(pattern: str) -> tuple[Reader, ...]:
    """Return the readers whose names a pattern fits."""
    return tuple(one for one in READERS if re.search(pattern, one.name))
