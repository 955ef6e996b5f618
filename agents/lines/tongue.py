"""The shape of a register: what each language file has to fill in."""

import msgspec


class Tongue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All templates of one register.

    ``lines`` maps a strategy to lines that stand alone, ``replies`` a topic to answers without a
    price. An answer is followed by one of ``answers`` (with a price) in an offer, or of
    ``questions`` in mere talk. ``leads`` come before lines that are used a second time, ``item``
    stands in for a title that cannot be said. Slots: price, ask, item.
    """

    item: str
    leads: tuple[str, ...]
    lines: dict[str, tuple[str, ...]]
    replies: dict[str, tuple[str, ...]]
    answers: tuple[str, ...]
    questions: tuple[str, ...]
