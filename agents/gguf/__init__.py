"""A Llama checkpoint of transformers as one GGUF file, without transformers."""


class ExportError(ValueError):
    """An export was refused or failed; the message says what to change."""


class NotExportable(ExportError):
    """The checkpoint is no Llama, is quantised, or cuts text or frames chats in an unknown way."""


class BadTarget(ExportError):
    """The file cannot be written: it exists, the folder is closed, or the disk is full."""
