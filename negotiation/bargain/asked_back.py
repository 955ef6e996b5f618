"""A price that was asked back: one word confirms it, where only one was asked about."""

from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Paise
from negotiation.errors import TwoPrices
from negotiation.readers import reader


def confirmed(text: str, asked: tuple[Paise, ...], currency: str) -> Paise | None:
    """Return the price that a line says yes to; None where it says something else.

    Raises TwoPrices where several were asked about: a bare yes chooses none of them.
    """
    if not asked or not reader().confirms(text):
        return None
    if len(asked) > 1:
        raise TwoPrices(gettext("Which one? Choose a price."), asked, currency)
    return asked[0]
