"""A mark for texts that are translated where they are shown.

Django's own ``gettext_noop`` reads the settings; this one can be used before there are any.
"""


def gettext_noop(text: str) -> str:
    """Mark a constant for the Hindi file and return it as it is."""
    return text
