"""One port in front of several sites: each new connection goes to the next of them."""

import asyncio
import copy
import itertools

from tests.support.front import Front
from tests.support.servers import Site


class OnePort(Front):
    """Passes bytes on, as a load balancer does: ``with OnePort(a, b) as front``.

    ``served`` counts the connections that each site was given.
    """

    def __init__(self, *sites: Site) -> None:
        super().__init__()
        self.served = [0] * len(sites)
        self._sites = sites
        self._turn = itertools.cycle(range(len(sites)))

    @property
    def site(self) -> Site:
        """The site as people see it: at the common port."""
        seen = copy.copy(self._sites[0])
        seen.port = self.port
        return seen

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Return the connection to the next site."""
        number = next(self._turn)
        self.served[number] += 1
        await self.pass_on(reader, writer, self._sites[number].port)
