"""Sentences that code chooses, by name, in the reader's language: ``words.toml`` beside the module.

Words that stand still on a page belong into its template; here are those that depend on a game, a
rule or a fault. ``manage.py messages`` collects every ``words.toml``.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from bazaarbatna.word_tables import texts_of


class Sentences:
    """The sentences of one module; an unknown name raises ``KeyError``."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self._texts = texts

    def __call__(self, name: str, /, **holes: object) -> str:
        """Return a sentence, its holes filled if any are given."""
        text = gettext(self._texts[name])
        if not holes:
            return text
        return text % holes if "%(" in text else text.format(**holes)

    def of(self, table: str, name: str, /, **holes: object) -> str:
        """Return a sentence of a table within, like ``verbs`` of a chart."""
        return Sentences(self._texts[table])(name, **holes)

    def lazy(self, name: str) -> Any:
        """Return a sentence that is translated when it is shown, for forms and models."""
        return gettext_lazy(self._texts[name])

    def lazies(self, table: str) -> dict[Any, Any]:
        """Return a table of sentences that are translated when they are shown."""
        return {name: gettext_lazy(text) for name, text in self._texts[table].items()}

    def text(self, name: str) -> str:
        """Return a sentence as it stands in the file, to be translated where it is shown."""
        text: str = self._texts[name]
        return text

    def texts(self, table: str) -> dict[Any, str]:
        """Return a table of sentences as they stand in the file."""
        return dict(self._texts[table])


def sentences(module: str) -> Sentences:
    """Return the sentences of the module at a path: its table of ``words.toml`` beside it."""
    return Sentences(texts_of(module))
