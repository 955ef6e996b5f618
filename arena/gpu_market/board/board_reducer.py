"""Where a market is put together, frame by frame: the rules' effects, without the rules.

What happened is in the frames; nothing is decided here. A frame that this viewer was not shown
leaves the board as it was.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from arena.gpu_market.board.names import block_names, block_words, job_name, owned
from arena.gpu_market.board.parts import (
    Board,
    Event,
    Judgement,
    LabSeat,
    Line,
    Strike,
    read_block,
    read_contract,
    read_job,
    read_judgement,
    read_offer,
)
from arena.gpu_market.board.titles import lab_name
from arena.words import say
from bazaarbatna.market.blocks import (
    LASTS_ROUNDS,
    Block,
    Coalition,
    Contract,
    Job,
    Offer,
    OfferStatus,
    Pledge,
)
from bazaarbatna.market.quantities import Cents, to_cents
from bazaarbatna.market.scenario import HOUSE

replace = msgspec.structs.replace


class BoardReducer:
    """A market while its frames are read; ``opened`` is told by its first one."""

    def __init__(self, event: Event, sealed: Event | None) -> None:
        self.task: str = event["task"]
        self.rounds: int = event["rounds"]
        self.commitment: str = event["commitment"]
        self.reward: str = event.get("reward", "default")
        self.has_coalitions: bool = event["coalitions"]
        self.round = 0
        self.over = False
        self.labs = {
            card["id"]: _seat(card, place, event, sealed)
            for place, card in enumerate(event["labs"])
        }
        self.blocks: dict[str, Block] = {}
        self._names: dict[str, str] = {}
        self._put(read_block(told) for told in event["blocks"])
        self.offers: dict[str, Offer] = {}
        self.contracts: list[Contract] = []
        self.coalitions: dict[str, Coalition] = {}
        self.shocks: list[Strike] = []
        self.judge: str = event.get("judge", "off")
        self.judgements: list[Judgement] = []
        self.to_act = self._next_from(0)

    def take(self, seq: int, event: Event) -> None:
        """Let one event happen."""
        effect = _EFFECTS.get(event["kind"])
        if effect is not None:
            effect(self, event)
        if event["kind"] == "shock":
            touched = tuple(read_block(told) for told in event["blocks"])
            self.shocks.append(Strike(seq, event["round"], event["shock"], touched))
        if "hearing" in event:
            self.judgements.append(read_judgement(seq, event["hearing"]))

    def name(self, lab: str) -> str:
        """Return the public name of a lab, or of the house."""
        if lab in self.labs:
            return lab_name(self.labs[lab].name)
        return say("the_house_2") if lab == HOUSE else f"the {lab}"

    @property
    def names(self) -> dict[str, str]:
        """Plain names of labs, blocks and the jobs that this viewer may know."""
        if not self._names:
            jobs = [job for lab in self.labs.values() for job in lab.jobs or ()]
            self._names = {
                **block_names(self.blocks.values(), self.task),
                **{lab.id: lab_name(lab.name) for lab in self.labs.values()},
                **{job.id: job_name(job) for job in jobs},
            }
        return self._names

    def is_own(self, lab: str) -> bool:
        """It is the viewer's lab."""
        return lab in self.labs and self.labs[lab].you

    def whom(self, lab: str) -> str:
        """Name a lab to which something is done."""
        return say("you_2") if self.is_own(lab) else self.name(lab)

    def whose(self, lab: str) -> str:
        """Name a lab to which something belongs."""
        return say("your") if self.is_own(lab) else owned(self.name(lab))

    def job(self, lab: str, name: str) -> Job | None:
        """Find a job, where this viewer may know it."""
        jobs = self.labs[lab].jobs or ()
        return next((job for job in jobs if job.id == name), None)

    def board(self, seq: int, lines: tuple[Line, ...]) -> Board:
        """Return the market as it stands after frame ``seq``."""
        return Board(
            task=self.task,
            round=self.round,
            rounds=self.rounds,
            seq=seq,
            to_act=self.to_act,
            labs=tuple(self.labs.values()),
            blocks=tuple(self.blocks.values()),
            offers=tuple(self.offers.values()),
            contracts=tuple(self.contracts),
            coalitions=tuple(self.coalitions.values()),
            shocks=tuple(self.shocks),
            lines=lines,
            commitment=self.commitment,
            reward=self.reward,
            has_coalitions=self.has_coalitions,
            over=self.over,
            judge=self.judge,
            judgements=tuple(self.judgements),
            names=self.names,
        )

    def _turn(self, event: Event) -> None:
        places = list(self.labs)
        self.to_act = self._next_from(places.index(event["lab"]) + 1)

    def _next_from(self, place: int) -> str:
        later = list(self.labs.values())[place:]
        return next((lab.id for lab in later if not lab.finished), "")

    def _round(self, event: Event) -> None:
        self.round = event["round"]
        for lab, reputation in zip(list(self.labs.values()), event["reputations"], strict=True):
            self._change(lab.id, reputation=reputation)
        self.to_act = self._next_from(0)

    def _finished(self, event: Event) -> None:
        self._change(event["lab"], finished=True)
        if self.to_act == event["lab"]:
            self._turn(event)

    def _offer(self, event: Event) -> None:
        offer = read_offer(event["offer"])
        self.offers[offer.id] = offer
        if offer.linked in self.offers:
            self._close(offer.linked, "countered")

    def _offer_closed(self, event: Event) -> None:
        self._close(event["offer"], event["status"])

    def _close(self, name: str, status: OfferStatus) -> None:
        if name in self.offers:
            self.offers[name] = replace(self.offers[name], status=status)

    def _contract(self, event: Event) -> None:
        contract = read_contract(event["contract"])
        self.contracts.append(contract)
        self._close(contract.offer, "accepted")
        for names, owner in (
            (contract.given, contract.target),
            (contract.taken, contract.sender),
        ):
            moved = (self.blocks[name] for name in names)
            self._put(replace(one, owner=owner, terms=contract.conditions) for one in moved)
        if contract.payment:
            self._pay(contract.sender, -contract.payment)
            self._pay(contract.target, contract.payment)

    def _pay(self, lab: str, amount: int) -> None:
        seat = self.labs.get(lab)
        if seat is not None and seat.budget is not None:
            self._change(lab, budget=Cents(seat.budget + amount))

    def _reserved(self, event: Event) -> None:
        self._mark(event["blocks"], status="reserved")

    def _released(self, event: Event) -> None:
        for coalition in self.coalitions.values():
            self._withdraw(coalition, set(event["blocks"]))
        self._mark(event["blocks"], status="available", pool="")

    def _withdraw(self, coalition: Coalition, taken: set[str]) -> None:
        pledges = tuple(
            Pledge(pledge.lab, tuple(name for name in pledge.blocks if name not in taken))
            for pledge in coalition.pledges
        )
        if coalition.open and pledges != coalition.pledges:
            kept = tuple(pledge for pledge in pledges if pledge.blocks)
            self.coalitions[coalition.id] = replace(coalition, pledges=kept, breach="breached")

    def _invited(self, event: Event) -> None:
        found = self.coalitions.get(event["coalition"]) or self._found(event)
        invited = (*found.invited, event["lab"])
        self.coalitions[found.id] = replace(found, invited=invited)

    def _found(self, event: Event) -> Coalition:
        by, now = event["by"], event["round"]
        trust, ends = self.labs[by].reputation, now + LASTS_ROUNDS
        purpose = event["purpose"]
        return Coalition(event["coalition"], by, (by,), (), purpose, (), trust, now, ends)

    def _answered(self, event: Event) -> None:
        coalition, lab = self.coalitions[event["coalition"]], event["lab"]
        invited = tuple(one for one in coalition.invited if one != lab)
        members = (*coalition.members, lab) if event["consents"] else coalition.members
        # As reputations stood when the round began: what they are now is told with the next one.
        trust = round(sum(self.labs[one].reputation for one in members) / len(members), 3)
        self.coalitions[coalition.id] = replace(
            coalition, invited=invited, members=members, trust=trust
        )

    def _committed(self, event: Event) -> None:
        coalition, lab = self.coalitions[event["coalition"]], event["lab"]
        self._mark(event["blocks"], status="committed", pool=coalition.id)
        mine = Pledge(lab, (*coalition.pledged(lab), *event["blocks"]))
        others = tuple(pledge for pledge in coalition.pledges if pledge.lab != lab)
        self.coalitions[coalition.id] = replace(coalition, pledges=(*others, mine))

    def _coalition_ended(self, event: Event) -> None:
        coalition = self.coalitions[event["coalition"]]
        self.coalitions[coalition.id] = replace(
            coalition, open=False, invited=(), breach=event["breach"]
        )
        pooled = [one for one in self.blocks.values() if one.pool == coalition.id]
        self._put(
            replace(one, status="available", pool="") for one in pooled if one.status == "committed"
        )

    def _breach(self, event: Event) -> None:
        coalition = self.coalitions.get(event["coalition"])
        if coalition is None:
            return
        if event["excused"] and coalition.breach == "none":
            self.coalitions[coalition.id] = replace(coalition, breach="excused")
        elif not event["excused"]:
            self.coalitions[coalition.id] = replace(coalition, breach="breached")

    def _job(self, event: Event) -> None:
        lab, name = event["lab"], event["job"]
        self._mark(event["blocks"], status="used", job=name)
        jobs = self.labs[lab].jobs
        if jobs is not None:
            jobs = tuple(replace(one, done=one.done or one.id == name) for one in jobs)
        seat, net = self.labs[lab], event.get("value", 0) - event.get("energy", 0)
        self._change(lab, jobs=jobs, ran=seat.ran + 1, earned=seat.earned + to_cents(net))

    def _shock(self, event: Event) -> None:
        self._put(read_block(told) for told in event["blocks"])

    def _jobs(self, event: Event) -> None:
        known = {job.id: job for job in self.labs[event["lab"]].jobs or ()}
        known |= {told["id"]: read_job(told) for told in event["jobs"]}
        self._change(event["lab"], jobs=tuple(known.values()))

    def _ended(self, event: Event) -> None:
        self.over = True
        self.round = event["round"]
        self.to_act = ""
        for row, archetype in zip(event["results"], event["opened"]["archetypes"], strict=True):
            lab = row["lab"]
            budget, utility = to_cents(row["budget"]), to_cents(row["utility"])
            character = archetype if self.labs[lab].plays == "archetype" else ""
            self._change(lab, budget=budget, utility=int(utility), archetype=character)

    def _put(self, blocks: Any) -> None:
        for block in blocks:
            before = self.blocks.get(block.id)
            # A block that only changes hands is called as before.
            if before is None or block_words(before) != block_words(block):
                self._names = {}
            self.blocks[block.id] = block

    def _mark(self, names: list[str], **changes: str) -> None:
        self._put(replace(self.blocks[name], **changes) for name in names)

    def _change(self, lab: str, **changes: Any) -> None:
        self.labs[lab] = replace(self.labs[lab], **changes)
        if "jobs" in changes:
            self._names = {}


def _seat(card: Event, place: int, event: Event, sealed: Event | None) -> LabSeat:
    you = bool(card.get("you"))
    budget = jobs = None
    if sealed is not None:
        budget, jobs = sealed["budgets"][place], sealed["jobs"][place]
    elif you and "budget" in event:
        budget, jobs = event["budget"], event["jobs"]
    return LabSeat(
        card["id"],
        card["name"],
        card.get("plays", ""),
        card["reputation"],
        you,
        budget=None if budget is None else to_cents(budget),
        jobs=None if jobs is None else tuple(read_job(told) for told in jobs),
    )


_EFFECTS: dict[str, Callable[[BoardReducer, Event], None]] = {
    "turn": BoardReducer._turn,
    "offer": BoardReducer._offer,
    "offer_closed": BoardReducer._offer_closed,
    "contract": BoardReducer._contract,
    "reserved": BoardReducer._reserved,
    "released": BoardReducer._released,
    "invited": BoardReducer._invited,
    "answered": BoardReducer._answered,
    "committed": BoardReducer._committed,
    "coalition_ended": BoardReducer._coalition_ended,
    "breach": BoardReducer._breach,
    "job": BoardReducer._job,
    "shock": BoardReducer._shock,
    "jobs": BoardReducer._jobs,
    "round": BoardReducer._round,
    "finished": BoardReducer._finished,
    "ended": BoardReducer._ended,
}
