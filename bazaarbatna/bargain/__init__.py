"""The bazaar game: pure rules, no Django, no network, no clock.

>>> from bazaarbatna.bargain import Offer, apply, make_scenario, observe_buyer, start
>>> state, events = start(make_scenario("single_deal@fixed-1", seed=7))
>>> observe_buyer(state).standing_ask
6000
>>> state, events = apply(state, "buyer", Offer(4000, "Forty, bhaiya."))
>>> state.to_move
'seller'
"""

from bazaarbatna.bargain.career import Career as Career
from bazaarbatna.bargain.career import is_capitulation as is_capitulation
from bazaarbatna.bargain.career import remember as remember
from bazaarbatna.bargain.episode import State as State
from bazaarbatna.bargain.episode import Turn as Turn
from bazaarbatna.bargain.episode import advance as advance
from bazaarbatna.bargain.episode import apply as apply
from bazaarbatna.bargain.episode import fold as fold
from bazaarbatna.bargain.episode import follow as follow
from bazaarbatna.bargain.episode import highest_ask as highest_ask
from bazaarbatna.bargain.episode import legal_moves as legal_moves
from bazaarbatna.bargain.episode import say as say
from bazaarbatna.bargain.episode import show_tells as show_tells
from bazaarbatna.bargain.episode import start as start
from bazaarbatna.bargain.episode import withdraw as withdraw
from bazaarbatna.bargain.errors import BrokenLog as BrokenLog
from bazaarbatna.bargain.errors import GameError as GameError
from bazaarbatna.bargain.errors import GameOver as GameOver
from bazaarbatna.bargain.errors import IllegalMove as IllegalMove
from bazaarbatna.bargain.errors import NotYourTurn as NotYourTurn
from bazaarbatna.bargain.errors import UnknownSeller as UnknownSeller
from bazaarbatna.bargain.errors import UnknownSuite as UnknownSuite
from bazaarbatna.bargain.events import Ended as Ended
from bazaarbatna.bargain.events import Event as Event
from bazaarbatna.bargain.events import MessageSent as MessageSent
from bazaarbatna.bargain.events import OfferAccepted as OfferAccepted
from bazaarbatna.bargain.events import OfferMade as OfferMade
from bazaarbatna.bargain.events import OfferWithdrawn as OfferWithdrawn
from bazaarbatna.bargain.events import Opened as Opened
from bazaarbatna.bargain.events import TellsShown as TellsShown
from bazaarbatna.bargain.events import Termination as Termination
from bazaarbatna.bargain.events import WalkedAway as WalkedAway
from bazaarbatna.bargain.events import settled as settled
from bazaarbatna.bargain.goods import ListingPrices as ListingPrices
from bazaarbatna.bargain.graders import grade as grade
from bazaarbatna.bargain.graders import is_solved as is_solved
from bazaarbatna.bargain.log import Imported as Imported
from bazaarbatna.bargain.log import Log as Log
from bazaarbatna.bargain.log import from_text as from_text
from bazaarbatna.bargain.log import to_text as to_text
from bazaarbatna.bargain.match import Buyer as Buyer
from bazaarbatna.bargain.match import Seller as Seller
from bazaarbatna.bargain.match import play_episode as play_episode
from bazaarbatna.bargain.match import play_suite_game as play_suite_game
from bazaarbatna.bargain.moves import Accept as Accept
from bazaarbatna.bargain.moves import Move as Move
from bazaarbatna.bargain.moves import MoveKind as MoveKind
from bazaarbatna.bargain.moves import Offer as Offer
from bazaarbatna.bargain.moves import Walk as Walk
from bazaarbatna.bargain.observe import BuyerObservation as BuyerObservation
from bazaarbatna.bargain.observe import CareerSummary as CareerSummary
from bazaarbatna.bargain.observe import SellerObservation as SellerObservation
from bazaarbatna.bargain.observe import observe_buyer as observe_buyer
from bazaarbatna.bargain.observe import observe_seller as observe_seller
from bazaarbatna.bargain.proposals import repair as repair
from bazaarbatna.bargain.quantities import InvalidPrice as InvalidPrice
from bazaarbatna.bargain.quantities import Paise as Paise
from bazaarbatna.bargain.quantities import Side as Side
from bazaarbatna.bargain.quantities import to_paise as to_paise
from bazaarbatna.bargain.quantities import to_rupees as to_rupees
from bazaarbatna.bargain.rewards import Reward as Reward
from bazaarbatna.bargain.rewards import normalised_surplus as normalised_surplus
from bazaarbatna.bargain.rewards import reward as reward
from bazaarbatna.bargain.rewards import time_discount as time_discount
from bazaarbatna.bargain.scenario import Item as Item
from bazaarbatna.bargain.scenario import Scenario as Scenario
from bazaarbatna.bargain.scenario import SealedValues as SealedValues
from bazaarbatna.bargain.scenario import SellerRules as SellerRules
from bazaarbatna.bargain.scoring import ReportCard as ReportCard
from bazaarbatna.bargain.scoring import Score as Score
from bazaarbatna.bargain.scoring import report_card as report_card
from bazaarbatna.bargain.scoring import score as score
from bazaarbatna.bargain.sealed import commitment as commitment
from bazaarbatna.bargain.sealed import committed_text as committed_text
from bazaarbatna.bargain.sealed import is_kept as is_kept
from bazaarbatna.bargain.sellers import VERSIONS as VERSIONS
from bazaarbatna.bargain.sellers import make_seller as make_seller
from bazaarbatna.bargain.sellers import persona_of as persona_of
from bazaarbatna.bargain.suites import SUITES as SUITES
from bazaarbatna.bargain.suites import GameType as GameType
from bazaarbatna.bargain.suites import Suite as Suite
from bazaarbatna.bargain.tasks import make_scenario as make_scenario
from bazaarbatna.bargain.tasks import suite as suite
from bazaarbatna.bargain.tasks import suite_ids as suite_ids
from bazaarbatna.bargain.tells import Tells as Tells
from bazaarbatna.bargain.tells import TellSpan as TellSpan
from bazaarbatna.bargain.theory import reference_lines as reference_lines
from bazaarbatna.intervals import Interval as Interval
