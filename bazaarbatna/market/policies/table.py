"""Everything on the table of the planner in one turn: blocks as bits, and what plans are worth."""

from bazaarbatna.market.blocks import Block, Coalition
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.planner.small import Found, Ways, search, sets_of
from bazaarbatna.market.policies.views import (
    memberships,
    open_jobs,
    pool_credit,
    tradeable_blocks,
    usable_blocks,
)

MOST_OWN = 8
"""Of more own blocks only those with the most hours are planned with; nobody needs as many."""


class Table:
    """The own position, and what every foreign block could add to it.

    Attributes:
        pool: the coalition whose pool it may use (None: none).
        credit: how many pooled blocks of others it may still take.
        own, pooled: bits of the own blocks, and of those in the pool, own ones among them.
        foreign: numbers of the blocks that each other lab could give away.
        now: the best plan that may begin in this turn.
        later: the best plan when this turn is spent on something else.
        may_give: bits of the own blocks that others may get, the smallest first.
    """

    def __init__(self, seen: Observation, *, pools: bool) -> None:
        """List the ways to run the own jobs, and find the best plans without anybody's help."""
        self.seen = seen
        own = usable_blocks(seen)
        own.sort(key=lambda block: -block.hours)
        own = own[:MOST_OWN]
        self.pool = _pool_of(seen) if pools else None
        shared = _offered_by(seen, self.pool) if self.pool else []
        self.credit = max(pool_credit(seen, self.pool), 0) if self.pool else 0
        self.foreign: dict[str, list[int]] = {}
        blocks = [*own, *shared]
        for lab in seen.labs:
            if lab.id != seen.lab and not lab.finished:
                theirs = tradeable_blocks(seen, lab.id)
                self.foreign[lab.id] = list(range(len(blocks), len(blocks) + len(theirs)))
                blocks += theirs
        self.blocks: list[Block] = blocks
        self.own = (1 << len(own)) - 1
        self.pooled = ((1 << len(shared)) - 1) << len(own)
        until = [seen.rounds] * len(blocks)
        for place in range(len(own), len(own) + len(shared)):
            if self.pool and blocks[place].owner != seen.lab:
                until[place] = self.pool.expires
        self.ways = Ways(
            open_jobs(seen), blocks, seen.round, seen.rounds, windows=seen.windows, until=until
        )
        mine = range(len(own) + len(shared))
        self.ways.add(sets_of(mine))
        self._add_foreign(len(own))
        self.ways.sort()
        self.now = self.best(self.own, seen.round)
        self.later = self.best(self.own)
        small = sorted(range(len(own)), key=lambda place: blocks[place].hours)
        self.may_give = [1 << place for place in small if blocks[place].is_tradeable]
        self._gains: dict[tuple[int, int], int] = {}

    def best(
        self, bits: int, first: int | None = None, *, more_credit: int = 0, shared: int = 0
    ) -> Found:
        """Find the best plan on some blocks and the pool, from the next round on by default.

        Of the ``shared`` ones and the pool together no more may be used than there is credit.
        """
        return search(
            self.ways,
            bits | self.pooled,
            self.seen.round + 1 if first is None else first,
            shared=self.pooled | shared,
            credit=self.credit + more_credit,
        )

    def gain(self, foreign: int, first: int | None = None) -> int:
        """Return what foreign blocks would add to the plan, in hundredths of a credit."""
        from_ = self.seen.round + 1 if first is None else first
        if (foreign, from_) not in self._gains:
            more = self.best(self.own | foreign, from_).value
            less = self.later if first is None else self.best(self.own, from_)
            self._gains[foreign, from_] = more - less.value
        return self._gains[foreign, from_]

    def gifts(self, wanted: int, most: int) -> list[tuple[int, int]]:
        """Choose the own blocks that are missed least to give away for what is wanted.

        For 0, 1 ... up to ``most`` blocks: their bits, and what the plan is worth then with what
        was wanted and without them, in hundredths of a credit.
        """
        plan, given = self.best(self.own | wanted), 0
        rows = [(0, plan.value)]
        while len(rows) <= most:
            left = [bit for bit in self.may_give if not bit & given]
            if not left:
                break
            idle = [bit for bit in left if not bit & plan.bits]
            if idle:
                given |= idle[0]
            else:
                plans = [(self.best((self.own | wanted) & ~(given | bit)), bit) for bit in left]
                plan, missed = max(plans, key=lambda one: one[0].value)
                given |= missed
            rows.append((given, plan.value))
        return rows

    def names(self, bits: int) -> tuple[str, ...]:
        """Name some blocks."""
        return tuple(block.id for place, block in enumerate(self.blocks) if bits >> place & 1)

    def bits_of(self, names: tuple[str, ...]) -> int:
        """Return the bits of blocks; those that are not on the table have none."""
        return sum(1 << place for place, block in enumerate(self.blocks) if block.id in names)

    def _add_foreign(self, own: int) -> None:
        need = [(job.min_reliability, job.deadline) for job in self.ways.jobs]
        with_one = [(), *sets_of(range(own), 2)]
        with_two = [(), *sets_of(range(own), 1)]
        for places in self.foreign.values():
            useful = [
                place
                for place in places
                if any(
                    self.blocks[place].reliability >= least and self.blocks[place].end <= last
                    for least, last in need
                )
            ]
            self.ways.add((*mine, place) for place in useful for mine in with_one)
            for at, one in enumerate(useful):
                self.ways.add((*mine, one, two) for two in useful[at + 1 :] for mine in with_two)


def _pool_of(seen: Observation) -> Coalition | None:
    return max(
        memberships(seen), key=lambda one: (len(_offered_by(seen, one)), one.expires), default=None
    )


def _offered_by(seen: Observation, coalition: Coalition) -> list[Block]:
    return [
        block for block in seen.blocks if block.pool == coalition.id and block.status == "committed"
    ]
