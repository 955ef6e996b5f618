"""The optimal planner: exact plans on what it sees, and prices from what it has learned."""

import msgspec

from bazaarbatna.market.actions import WAIT, MarketAction
from bazaarbatna.market.archetypes import MONEY, PRICE_OF_BLOCK, WORTH_OF_BLOCK
from bazaarbatna.market.blocks import Block, Coalition, Offer
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.planner.small import Found, Ways, search, sets_of
from bazaarbatna.market.policies.belief import (
    CASTS,
    WORDS,
    Belief,
    believe,
    chance,
    expected_pressure,
    join_chance,
    normal,
    places_of,
    prices,
)
from bazaarbatna.market.policies.views import (
    memberships,
    open_jobs,
    own_lab,
    pool_credit,
    tradeable_blocks,
    usable_blocks,
)
from bazaarbatna.market.quantities import Cents

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


TINY = 1e-6  # More than sums of a few floats are off by
WORTH_A_TRY = 200
"""An offer must promise more than this, in hundredths of a credit: our guesses are no better."""
MOST_GIVEN = 4
MOST_TRIED = 6
"""So many of the most useful foreign blocks (or pairs) are priced exactly."""


class Idea(msgspec.Struct, frozen=True):
    """Something to do in this turn, and what it promises over doing nothing.

    ``gain`` in hundredths of a credit, ``action`` the move itself.
    """

    gain: float
    action: MarketAction


def best_answer(table: Table) -> Idea | None:
    """Accept the offer that adds most to plan and purse, if one adds anything."""
    best: Idea | None = None
    for offer in table.seen.offers_to_me:
        gain = _gain_of(table, offer)
        if gain > (best.gain if best else 0.0):
            best = Idea(gain, MarketAction("accept_offer", offer_id=offer.id))
    return best


def _gain_of(table: Table, offer: Offer) -> float:
    coming, going = table.bits_of(offer.offered), table.bits_of(offer.requested)
    theirs = sum(1 << place for place in table.foreign.get(offer.sender, ()))
    mine = sum(table.may_give)
    kept = (
        coming.bit_count() == len(offer.offered)
        and going.bit_count() == len(offer.requested)
        and not coming & ~theirs
        and not going & ~mine
    )
    if not kept or offer.conditions:
        return -1.0
    after = table.best(table.own & ~going | coming)
    return after.value + offer.payment - table.later.value


def best_offer(table: Table, belief: Belief) -> Idea | None:
    """Find the offer that promises most: what it wins if accepted, times how likely that is."""
    seen = table.seen
    if seen.round + 1 >= seen.rounds:
        return None
    waiting = {one.target for one in seen.offers if one.sender == seen.lab and one.status == "open"}
    wishes = []
    for lab, places in table.foreign.items():
        if lab in waiting:
            continue
        bits = [1 << place for place in places]
        for wanted in [
            *bits,
            *(one | two for at, one in enumerate(bits) for two in bits[at + 1 :]),
        ]:
            gain = table.gain(wanted)
            if gain > WORTH_A_TRY:
                wishes.append((gain, lab, wanted))
    wishes.sort(key=lambda wish: -wish[0])
    ideas = [_priced(table, belief, *wish) for wish in wishes[:MOST_TRIED]]
    return max((idea for idea in ideas if idea), key=lambda idea: idea.gain, default=None)


def _priced(table: Table, belief: Belief, gain: float, lab: str, wanted: int) -> Idea | None:
    seen, number = table.seen, places_of(table.seen)[lab]
    trust = own_lab(seen).reputation
    press = expected_pressure(seen, seen.round)
    gifts = table.gifts(wanted, MOST_GIVEN)
    lost = gain - max(table.gain(wanted, seen.round + 2), 0)
    ladder = []
    for value in prices(seen):
        odds = [chance(cast[number], value, press, trust) for cast in CASTS]
        for count, (given, worth) in enumerate(gifts):
            ask = value + PRICE_OF_BLOCK * wanted.bit_count() - WORTH_OF_BLOCK * count
            payment = max(int(ask * MONEY + 0.999), 0)
            if payment <= seen.budget:
                ladder.append((worth - table.later.value - payment, given, payment, odds))
            if not payment:
                break
    best: Idea | None = None
    most = max((row[0] for row in ladder), default=0.0) - lost
    for wins, given, payment, odds in ladder:
        likely = sum(weight * one for weight, one in zip(belief, odds, strict=True))
        promise, least = likely * wins, best.gain if best else WORTH_A_TRY
        # Asking again wins at most what its best row does: most rows need no second look.
        if lost < gain and promise + (1 - likely) * max(most, 0.0) + TINY > least:
            # Who is turned down may ask once more, knowing better whom it has before it.
            left = normal([w * max(1 - o, 1e-9) for w, o in zip(belief, odds, strict=True)])
            second = max(
                sum(w * o for w, o in zip(left, row[3], strict=True)) * (row[0] - lost)
                for row in ladder
            )
            promise += (1 - likely) * max(second, 0.0)
        if promise > least:
            best = Idea(promise, _offer(table, lab, wanted, given, payment))
    return best


def _offer(table: Table, lab: str, wanted: int, gifts: int, payment: int) -> MarketAction:
    return MarketAction(
        "send_offer",
        target_lab_id=lab,
        block_ids=table.names(gifts),
        requested_block_ids=table.names(wanted),
        payment=Cents(payment),
        message=WORDS,
    )


ALL_LEFT, SMALLEST_LEFT = 1.0, 0.6
"""What counts of the gain: of all that a generous lab has, and of the smallest block of another.
Their own jobs may come first; but a pool often brings more than the one plan that it was for."""

WORTH_A_TURN = 200

MOST_PLEDGED = 3


def optimal_planner(seen: Observation) -> MarketAction:
    """Weigh every kind of action by the exact plan that it leaves, and take the best.

    Running a job now is worth what the plan loses when the turn is spent otherwise. Against that
    stand offers on the table (the plan afterwards, and the money), offers to others (the same,
    times how likely they accept), and pools (what they may bring, for a block that is not needed).
    """
    return _decide(seen, pools=True)


def planner_alone(seen: Observation) -> MarketAction:
    """Play like the optimal planner, but never use a coalition."""
    return _decide(seen, pools=False)


def _decide(seen: Observation, *, pools: bool) -> MarketAction:
    if seen.done:
        return WAIT
    table = Table(seen, pools=pools)
    belief = believe(seen)
    ideas = [best_answer(table)]
    if open_jobs(seen):
        ideas.append(best_offer(table, belief))
        if pools:
            ideas += [best_commitment(table), best_invitation(table, belief)]
    run = _run_now(table)
    if run is not None:
        ideas.append(run)
    best = max((idea for idea in ideas if idea), key=lambda idea: idea.gain, default=None)
    return best.action if best else WAIT


def _run_now(table: Table) -> Idea | None:
    for number, (_, bits, round_) in table.now.chosen:
        if round_ == table.seen.round:
            job = table.ways.jobs[number]
            action = MarketAction("allocate_to_job", job_id=job.id, block_ids=table.names(bits))
            return Idea(float(table.now.value - table.later.value), action)
    return None


def best_invitation(table: Table, belief: Belief) -> Idea | None:
    """Invite the lab from whose pooled blocks most may be expected."""
    seen = table.seen
    if not seen.coalitions_enabled or seen.round + 1 >= seen.rounds:
        return None
    asked = {
        lab
        for one in seen.coalitions
        if one.open and seen.lab in one.members
        for lab in (*one.members, *one.invited)
    }
    running = table.pool if table.pool and table.pool.expires > seen.round + 1 else None
    best: Idea | None = None
    for lab, places in table.foreign.items():
        if lab in asked:
            continue
        free = running is not None and table.credit > 0
        promise, given = _promise(table, belief, lab, places, free)
        if promise > (best.gain if best else WORTH_A_TURN):
            action = MarketAction(
                "form_coalition",
                target_lab_id=lab,
                coalition_id=running.id if running else "",
                block_ids=table.names(given),
                message=WORDS,
            )
            best = Idea(promise, action)
    return best


def _promise(
    table: Table, belief: Belief, lab: str, places: list[int], free: bool
) -> tuple[float, int]:
    number = places_of(table.seen)[lab]
    everything = sum(1 << place for place in places)
    if table.gain(everything) <= WORTH_A_TURN:
        return 0.0, 0
    given, all_of_it = _swapped(table, everything, MOST_PLEDGED, free=free)
    smallest = 1 << min(places, key=lambda place: table.blocks[place].hours)
    one, least_of_it = _swapped(table, smallest, 1, free=free)
    promise = 0.0
    for weight, cast in zip(belief, CASTS, strict=True):
        manner = cast[number]
        if manner.generous:
            promise += weight * ALL_LEFT * all_of_it
        else:
            promise += weight * SMALLEST_LEFT * (1 - manner.betrays) * least_of_it
    likely = join_chance(table.seen, belief, number)
    return promise * likely, given if all_of_it > 0 else one


def _swapped(table: Table, foreign: int, most: int, *, free: bool) -> tuple[int, int]:
    """Choose what to put in so that the plan gains most from what may be taken out."""
    best, most_worth, given = 0, table.later.value, 0
    if free:
        most_worth = max(most_worth, table.best(table.own | foreign, shared=foreign).value)
    for count in range(1, most + 1):
        left = [bit for bit in table.may_give if not bit & given]
        if not left:
            break
        rows = []
        for bit in left:
            bits = (table.own | foreign) & ~(given | bit)
            rows.append((table.best(bits, more_credit=count, shared=foreign).value, bit))
        worth, bit = max(rows, key=lambda row: row[0])
        given |= bit
        if worth > most_worth:
            best, most_worth = given, worth
    return best, most_worth - table.later.value


def best_commitment(table: Table) -> Idea | None:
    """Put spare blocks into the pool, when what may be taken out for them is worth it."""
    if table.pool is None or not table.pooled:
        return None
    for count in (1, 2):
        plan = table.best(table.own, more_credit=count)
        gain = plan.value - table.later.value
        spare = [bit for bit in table.may_give if not bit & plan.bits][:count]
        if gain > WORTH_A_TURN and len(spare) == count:
            action = MarketAction(
                "commit_to_coalition",
                coalition_id=table.pool.id,
                block_ids=table.names(sum(spare)),
            )
            return Idea(float(gain), action)
    return None
