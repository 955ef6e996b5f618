"""Why a row of a file does not become a listing."""

from enum import StrEnum


class Skip(StrEnum):
    """A reason, in the words of the summary."""

    NOT_A_RECORD = "not a record"
    NO_TITLE = "no title"
    NO_LIST_PRICE = "no list price"
    NO_STREET_PRICE = "no street price"
    UNREADABLE_PRICE = "unreadable price"
    OTHER_CURRENCY = "price in another currency"
    TOO_CHEAP = "price below 1"
    NO_DISCOUNT = "street price not below list price"
    DUPLICATE = "same item twice in this import"


class Skipped(ValueError):
    """A row cannot become a listing."""

    def __init__(self, reason: Skip) -> None:
        super().__init__(reason.value)
        self.reason = reason
