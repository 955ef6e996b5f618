"""Cutting a stream of bytes into lines, and lines into server-sent events."""


class Lines:
    """Collects bytes and gives the lines that are complete, without their ends."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        r"""Take the next bytes.

        >>> lines = Lines()
        >>> lines.feed(b"one\r\ntw"), lines.feed(b"o\n"), lines.rest()
        ([b'one'], [b'two'], b'')
        """
        if b"\n" not in data:
            self._rest += data
            return []
        *complete, rest = (bytes(self._rest) + data).split(b"\n")
        self._rest = bytearray(rest)
        return [line.removesuffix(b"\r") for line in complete]

    def rest(self) -> bytes:
        """Give what came after the last line end."""
        return bytes(self._rest)


class Events:
    """Collects bytes and gives the data of each complete event.

    **Source**: WHATWG HTML, section 9.2.6 (event streams); names, ids and retry times of events
    do not matter here, and a lone carriage return ends no line.
    """

    def __init__(self) -> None:
        self._lines = Lines()
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        r"""Take the next bytes.

        >>> Events().feed(b": hello\ndata: one\ndata:two\n\ndata: three\n")
        [b'one\ntwo']
        """
        found: list[bytes] = []
        for line in self._lines.feed(data):
            field, _, value = line.partition(b":")
            if field == b"data":
                self._data.append(value.removeprefix(b" "))
            elif not line and self._data:
                found.append(b"\n".join(self._data))
                self._data = []
        return found
