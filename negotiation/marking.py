"""Texts that another language may say, for code that also runs without Django."""

import sys


def gettext_noop(text: str) -> str:
    """Mark a constant for the Hindi file and return it as it is.

    Django's own reads the settings; this one can be used before there are any.
    """
    return text


def gettext(text: str) -> str:
    """Return a text in the language of whoever is served; English where no site runs."""
    conf = sys.modules.get("django.conf")
    if conf is None or not conf.settings.configured:
        return text
    from django.utils.translation import gettext as in_language

    return in_language(text)
