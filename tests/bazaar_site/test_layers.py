"""The layer of a site that is one process."""

import pytest
from channels.layers import InMemoryChannelLayer

from bazaar_site.layers import ProcessLayer

pytestmark = pytest.mark.asyncio


async def test_everybody_of_a_group_hears_and_a_full_mailbox_holds_up_nobody() -> None:
    layer = ProcessLayer(capacity=1)
    for channel in ("specific.asha", "specific.bilal"):
        await layer.group_add("game.lamp", channel)
    await layer.send("specific.asha", {"type": "earlier"})
    await layer.group_send("game.lamp", {"type": "log.grew", "seq": 3})
    assert await layer.receive("specific.asha") == {"type": "earlier"}
    assert await layer.receive("specific.bilal") == {"type": "log.grew", "seq": 3}
    await layer.group_send("game.nobody", {"type": "log.grew"})


async def test_it_looks_through_all_mailboxes_once_in_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = 0

    def look(_: object) -> None:
        nonlocal looks
        looks += 1

    monkeypatch.setattr(InMemoryChannelLayer, "_clean_expired", look)
    layer = ProcessLayer()
    for _ in range(50):
        await layer.group_send("game.lamp", {"type": "log.grew"})
    assert looks == 1
