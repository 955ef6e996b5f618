"""How many sessions there are: in all, and per client."""

from collections import Counter
from threading import Lock

from negotiation.openenv.errors import Full, FullForClient


class Room:
    """Counts the sessions of this process. Sockets and HTTP sessions share the room."""

    def __init__(self, most: int, most_per_client: int) -> None:
        self.most = most
        self.most_per_client = most_per_client
        self._held: Counter[str] = Counter()
        self._lock = Lock()

    @property
    def active(self) -> int:
        """Sessions that are held now."""
        return self._held.total()

    def enter(self, client: str) -> None:
        """Take a place.

        Raises:
            Full: there is none left.
            FullForClient: the client has as many as one may have.
        """
        with self._lock:
            active = self._held.total()
            if active >= self.most:
                raise Full(Full.__doc__ or "", active, self.most)
            if self._held[client] >= self.most_per_client:
                told = FullForClient.__doc__ or ""
                raise FullForClient(told, self._held[client], self.most_per_client)
            self._held[client] += 1

    def leave(self, client: str) -> None:
        """Give a place back."""
        with self._lock:
            self._held[client] -= 1
            if self._held[client] <= 0:
                del self._held[client]
