"""Goods so dear that nothing but a price, on a page or in a frame, looks like their numbers.

So a search for what is sealed about them finds nothing by chance: an amount of hundreds of millions
of rupees stands there because somebody was told it, or because it is a price that all are told.
"""

from collections.abc import Sequence
from itertools import pairwise

from tests.support.servers import Site

LIST_PRICE = 45_719_046_000
STREET_PRICE = 38_064_137_500
"""In paise."""

LEAST_PRICE = 100_000_000
"""In rupees: a room that deals nothing cheaper deals these."""


def put_on_sale(site: Site) -> int:
    """Put the goods on sale, once; return their number."""
    find = "select id from negotiation_listing where source_key = 'dear'"
    if not site.query(find):
        site.execute(
            "insert into negotiation_listing (title, category, description, condition_label, city,"
            " list_price, street_price, currency, source, source_key, search_text) values"
            " ('Palace', 'Home', 'Stone', 'good', '', %s, %s, 'INR', 'test', 'dear', '')",
            LIST_PRICE, STREET_PRICE,
        )  # fmt: skip
    return int(site.query(find)[0][0])


def may_be_told(secret: int, own: int, offers: Sequence[int] = ()) -> bool:
    """Whether a sealed amount is, by chance, one that a seat is told all the same; in paise.

    That is the own limit, the list price, an offer, or what lies between two of them.
    """
    prices = [LIST_PRICE, *offers]
    steps = list(pairwise(prices))
    told = [own, *prices, *(abs(a - b) for a, b in steps), *((a + b) / 2 for a, b in steps)]
    # Some pages round to whole rupees, others leave out the paise.
    return any(abs(secret - one) <= 100 for one in told)
