"""All voices of buyers in a match; a new one is one file and one row here."""

from arena.auction.web.lines import aggressive, base, sauda, smart
from arena.auction.web.lines.kinds import Lines

VOICES: dict[str, Lines] = {
    "aggressive": aggressive.LINES,
    "smart": smart.LINES,
    "base": base.LINES,
    "sauda": sauda.LINES,
}
