"""How pages, frames, JSON and files write an amount, and whether one stands in some text."""

import re

from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.money import rupees_text


def spellings(paise: int) -> set[str]:
    """Return every way in which anything here writes an amount."""
    rupees = to_rupees(Paise(paise))
    written = {str(paise), f"{rupees:g}", f"{rupees}", f"{rupees:.2f}", f"{rupees:,.2f}"}
    return written | {rupees_text(rupees).lstrip("₹"), f"{int(rupees)}", f"{int(rupees):,}"}


def names(heard: bytes | str, paise: int) -> bool:
    """Whether an amount stands somewhere as a number by itself."""
    return bool(where(heard, paise))


def where(heard: bytes | str, paise: int) -> str:
    """Return what stands around an amount, "" where it stands nowhere as a number by itself."""
    text = heard if isinstance(heard, str) else heard.decode(errors="replace")
    either = "|".join(re.escape(one) for one in sorted(spellings(paise), key=len, reverse=True))
    found = re.search(rf"(?<![\w.,-])(?:{either})(?![\w,]|\.\d)", text)
    return text[max(found.start() - 80, 0) : found.end() + 40] if found else ""
