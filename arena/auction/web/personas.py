"""The seller's personas as the arena's pages name them; the engine knows them by their names."""

DRAWN = ""
"""The choice of whoever leaves it to chance."""

PERSONAS: tuple[tuple[str, str, str], ...] = (
    (DRAWN, "Whoever comes", "drawn by chance, opened at the end"),
    ("default", "Even-tempered", "comes down steadily"),
    ("deceptive", "Deceptive", "asks more, fakes haste, pulls back"),
    ("impatient", "Impatient", "two big drops, then hardly any"),
    ("collaborative", "Collaborative", "leans to the middle"),
)
"""Value, name and manner."""

_WORDS = {value: name.lower() for value, name, _ in PERSONAS if value}


def persona_word(name: str) -> str:
    """Say within a sentence what a seller was; an unknown persona stands for itself.

    >>> persona_word("default"), persona_word("stern")
    ('even-tempered', 'stern')
    """
    return _WORDS.get(name, name)
