"""What ``python -m bazaarbatna`` can do, a module for each larger command."""


class Refused(ValueError):
    """What is asked for does not exist; the sentence says what does."""
