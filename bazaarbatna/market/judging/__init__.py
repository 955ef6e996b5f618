"""Judge mode: pitches are read, checked against the state, scored, and paid a small bonus.

Pure values and functions beside the engine: the rules of the market know nothing of it.

>>> from bazaarbatna.market import make_market
>>> from bazaarbatna.market.judging import pitch_every_round, play_judged
>>> judged = play_judged(make_market("market_round", 3), pitch_every_round, judge_mode="rule")
>>> len(judged.rounds)
5
"""

from bazaarbatna.market.judging.cards import PARTS as PARTS
from bazaarbatna.market.judging.cards import Card as Card
from bazaarbatna.market.judging.cards import Facts as Facts
from bazaarbatna.market.judging.cards import bonus as bonus
from bazaarbatna.market.judging.cards import check as check
from bazaarbatna.market.judging.cards import facts_of as facts_of
from bazaarbatna.market.judging.cards import facts_seen as facts_seen
from bazaarbatna.market.judging.cards import judge_words as judge_words
from bazaarbatna.market.judging.cards import margin as margin
from bazaarbatna.market.judging.cards import score as score
from bazaarbatna.market.judging.claims import CLAIM_KINDS as CLAIM_KINDS
from bazaarbatna.market.judging.claims import Checked as Checked
from bazaarbatna.market.judging.claims import Claim as Claim
from bazaarbatna.market.judging.claims import ClaimKind as ClaimKind
from bazaarbatna.market.judging.claims import Finding as Finding
from bazaarbatna.market.judging.claims import Speaker as Speaker
from bazaarbatna.market.judging.hearing import Heard as Heard
from bazaarbatna.market.judging.hearing import Hearing as Hearing
from bazaarbatna.market.judging.hearing import Review as Review
from bazaarbatna.market.judging.hearing import Statement as Statement
from bazaarbatna.market.judging.hearing import as_it_is as as_it_is
from bazaarbatna.market.judging.hearing import as_recorded as as_recorded
from bazaarbatna.market.judging.hearing import hear as hear
from bazaarbatna.market.judging.hearing import honest_pitch as honest_pitch
from bazaarbatna.market.judging.hearing import pitch_every_round as pitch_every_round
from bazaarbatna.market.judging.hearing import pitch_when_idle as pitch_when_idle
from bazaarbatna.market.judging.hearing import scripted_pitch as scripted_pitch
from bazaarbatna.market.judging.reading import read_claims as read_claims
from bazaarbatna.market.judging.rounds import JUDGE_MODES as JUDGE_MODES
from bazaarbatna.market.judging.rounds import Bench as Bench
from bazaarbatna.market.judging.rounds import Court as Court
from bazaarbatna.market.judging.rounds import HearingSeen as HearingSeen
from bazaarbatna.market.judging.rounds import Judged as Judged
from bazaarbatna.market.judging.rounds import JudgedRound as JudgedRound
from bazaarbatna.market.judging.rounds import JudgeMode as JudgeMode
from bazaarbatna.market.judging.rounds import judged_rounds as judged_rounds
from bazaarbatna.market.judging.rounds import play_judged as play_judged
from bazaarbatna.market.judging.rounds import round_seen as round_seen
from bazaarbatna.market.judging.rounds import seen as seen
from bazaarbatna.market.judging.rounds import transcript as transcript
