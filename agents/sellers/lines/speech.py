"""The shape of a language: what each language file has to fill in."""

import msgspec


class Speech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all sellers say alike in one language.

    A counter is an opener (``remarks`` quote the listing, ``praises`` name the item, ``answers``
    take up a topic) and a line with the price: a persona's own, or one of ``holds`` where the ask
    does not move. ``lowball``, ``accept``, ``walk`` and the lines without a number stand alone; a
    reply is an answer and one of ``questions``. ``item`` stands in for a title that cannot be
    said. Slots: price, item, detail (words of the listing).
    """

    item: str
    remarks: tuple[str, ...]
    praises: tuple[str, ...]
    holds: tuple[str, ...]
    lowball: tuple[str, ...]
    accept: tuple[str, ...]
    accept_unpriced: tuple[str, ...]
    walk: tuple[str, ...]
    unpriced: tuple[str, ...]
    answers: dict[str, tuple[str, ...]]
    questions: tuple[str, ...]
