"""Which kind of thing a title names, from a table of words."""

KINDS = ("parcel", "bicycle")


def kind_of(title: str, category: str = "") -> str:
    """Return the kind of picture that fits; ``parcel`` where no word is known."""
    return "bicycle" if "cycle" in title.lower() else "parcel"
