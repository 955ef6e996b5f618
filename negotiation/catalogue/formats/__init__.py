"""The file formats that can be imported."""

from negotiation.catalogue.formats.amazon_history import AMAZON_HISTORY
from negotiation.catalogue.formats.amazon_sales import AMAZON_SALES
from negotiation.catalogue.formats.base import Format
from negotiation.catalogue.formats.craigslist import CRAIGSLIST

FORMATS: dict[str, Format] = {
    known.name: known for known in (AMAZON_SALES, AMAZON_HISTORY, CRAIGSLIST)
}

__all__ = ["FORMATS", "Format"]
