"""All viewers of matches in this process."""

from arena.auction.web import programme, running
from arena.auction.web.watching import Scene, look
from negotiation.games.viewer_hub import Hubs, Ways
from negotiation.threads import in_thread


async def _keep_alive(match_id: str, scene: Scene) -> None:
    if scene.is_over:
        return
    if not scene.is_waiting and not scene.is_run:
        running.start(match_id)
    await in_thread(programme.watch)()


hubs = Hubs(Ways("match", look, _keep_alive, running.tell))
