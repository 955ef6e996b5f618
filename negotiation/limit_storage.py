"""Where limits count when there is no Redis: in the site's database, for all processes together."""

import time

from django.db import DatabaseError, transaction
from limits.storage import Storage
from limits.storage.base import MovingWindowSupport

from negotiation.models import LimitWindow


class DatabaseStorage(Storage, MovingWindowSupport):
    """Moving windows for the library ``limits``: one row per key with the times of its uses.

    A row is locked while it is read and written, so a limit is never exceeded by one; windows are
    short (at most a few hundred uses), so a row stays small.
    """

    STORAGE_SCHEME: list[str] | None = ["bazaar-database"]
    """The library knows storages by such names; ours is made without one."""

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        """What can go wrong below."""
        return DatabaseError

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count ``amount`` uses if they fit into the window of ``expiry`` seconds."""
        now = time.time()
        with transaction.atomic():
            row = LimitWindow.objects.select_for_update().filter(key=key).first()
            if row is None:
                LimitWindow.objects.filter(ends_at__lt=now).delete()
                row, _ = LimitWindow.objects.select_for_update().get_or_create(key=key)
            uses = [used for used in row.uses if used > now - expiry]
            if len(uses) + amount > limit:
                return False
            row.uses = [*uses, *[now] * amount]
            row.ends_at = now + expiry
            row.save(update_fields=["uses", "ends_at"])
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Give the first moment of the window and how many uses it holds."""
        now = time.time()
        row = LimitWindow.objects.filter(key=key).first()
        uses = [used for used in (row.uses if row else []) if used > now - expiry]
        return (min(uses) if uses else now), len(uses)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Refuse: fixed windows are not counted here."""
        raise NotImplementedError("Only moving windows are kept in the database.")

    def get(self, key: str) -> int:
        """Refuse, as ``incr`` does."""
        raise NotImplementedError("Only moving windows are kept in the database.")

    def get_expiry(self, key: str) -> float:
        """Give the moment at which a key is forgotten."""
        row = LimitWindow.objects.filter(key=key).first()
        return row.ends_at if row else time.time()

    def check(self) -> bool:
        """Tell whether the database answers."""
        return LimitWindow.objects.exists() or True

    def reset(self) -> int | None:
        """Forget all uses; give how many keys there were."""
        return LimitWindow.objects.all().delete()[0]

    def clear(self, key: str) -> None:
        """Forget the uses of a key."""
        LimitWindow.objects.filter(key=key).delete()
