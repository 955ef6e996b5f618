"""What is wrong with a whole file."""


class UnreadableFile(ValueError):
    """A file cannot be imported; the message names it and the place."""
