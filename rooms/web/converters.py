"""Codes in addresses."""


class Code:
    """Six letters, small ones too: people type them."""

    regex = "[A-Za-z]{6}"

    def to_python(self, value: str) -> str:
        """Read a code."""
        return value.upper()

    def to_url(self, value: str) -> str:
        """Write a code."""
        return value
