"""A picture as it stood earlier: for readers whose browser runs no scripts."""

import re

from django.utils.safestring import SafeString, mark_safe

_TAG = re.compile(r"<([a-z]+)((?:[^<>\"]|\"[^\"]*\")*?) data-seq=\"(\d+)\"")
_CLASS = re.compile(r" class=\"([^\"]*)\"")


def until(picture: SafeString, seq: int) -> SafeString:
    """Mark what a picture shows of later events, as the page's scripts do while scrubbing.

    Args:
        picture: HTML whose parts carry ``data-seq``.
        seq: the last event to show.

    >>> until(SafeString('<g class="a" data-seq="3"></g><g data-seq="2"></g>'), 2)
    '<g class="a is-later" data-seq="3"></g><g data-seq="2"></g>'
    """

    def marked(found: re.Match[str]) -> str:
        name, attributes, number = found.groups()
        if int(number) <= seq:
            return found[0]
        known = _CLASS.search(attributes)
        if known is None:
            attributes += ' class="is-later"'
        else:
            attributes = attributes.replace(known[0], f' class="{known[1]} is-later"')
        return f'<{name}{attributes} data-seq="{number}"'

    # Only a class of our own is added.
    return mark_safe(_TAG.sub(marked, picture))  # noqa: S308
