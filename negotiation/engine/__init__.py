"""The bazaar game: pure rules, no Django, no network, no clock.

>>> from negotiation.engine import Offer, apply, make_scenario, observe_buyer, start
>>> state, events = start(make_scenario("single_deal@fixed-1", seed=7))
>>> observe_buyer(state).standing_ask
6000
>>> state, events = apply(state, "buyer", Offer(4000, "Forty, bhaiya."))
>>> state.to_move
'seller'
"""

from negotiation.engine.career import Career, is_capitulation, remember
from negotiation.engine.episode import (
    State,
    Turn,
    advance,
    apply,
    fold,
    follow,
    highest_ask,
    legal_moves,
    say,
    show_tells,
    start,
)
from negotiation.engine.errors import (
    BrokenLog,
    GameError,
    GameOver,
    IllegalMove,
    NotYourTurn,
    UnknownSeller,
    UnknownSuite,
)
from negotiation.engine.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    Opened,
    TellsShown,
    Termination,
    WalkedAway,
)
from negotiation.engine.goods import ListingPrices
from negotiation.engine.graders import grade, is_solved
from negotiation.engine.log import Imported, Log, from_text, to_text
from negotiation.engine.match import Buyer, Seller, play_episode, play_suite_game
from negotiation.engine.moves import Accept, Move, MoveKind, Offer, Walk
from negotiation.engine.observe import (
    BuyerObservation,
    CareerSummary,
    SellerObservation,
    observe_buyer,
    observe_seller,
)
from negotiation.engine.proposals import repair
from negotiation.engine.quantities import InvalidPrice, Paise, Side, to_paise, to_rupees
from negotiation.engine.rewards import Reward, normalised_surplus, reward, time_discount
from negotiation.engine.scenario import Item, Scenario, SealedValues, SellerRules
from negotiation.engine.scoring import ReportCard, Score, report_card, score
from negotiation.engine.sealed import commitment, committed_text, is_kept
from negotiation.engine.sellers import VERSIONS, make_seller, persona_of
from negotiation.engine.suites import SUITES, GameType, Suite
from negotiation.engine.tasks import make_scenario, suite, suite_ids
from negotiation.engine.tells import Tells, TellSpan
from negotiation.engine.theory import reference_lines
from negotiation.statistics import Interval

__all__ = [
    "SUITES",
    "VERSIONS",
    "Accept",
    "BrokenLog",
    "Buyer",
    "BuyerObservation",
    "Career",
    "CareerSummary",
    "Ended",
    "Event",
    "GameError",
    "GameOver",
    "GameType",
    "IllegalMove",
    "Imported",
    "Interval",
    "InvalidPrice",
    "Item",
    "ListingPrices",
    "Log",
    "MessageSent",
    "Move",
    "MoveKind",
    "NotYourTurn",
    "Offer",
    "OfferAccepted",
    "OfferMade",
    "Opened",
    "Paise",
    "ReportCard",
    "Reward",
    "Scenario",
    "Score",
    "SealedValues",
    "Seller",
    "SellerObservation",
    "SellerRules",
    "Side",
    "State",
    "Suite",
    "TellSpan",
    "Tells",
    "TellsShown",
    "Termination",
    "Turn",
    "UnknownSeller",
    "UnknownSuite",
    "Walk",
    "WalkedAway",
    "advance",
    "apply",
    "commitment",
    "committed_text",
    "fold",
    "follow",
    "from_text",
    "grade",
    "highest_ask",
    "is_capitulation",
    "is_kept",
    "is_solved",
    "legal_moves",
    "make_scenario",
    "make_seller",
    "normalised_surplus",
    "observe_buyer",
    "observe_seller",
    "persona_of",
    "play_episode",
    "play_suite_game",
    "reference_lines",
    "remember",
    "repair",
    "report_card",
    "reward",
    "say",
    "score",
    "show_tells",
    "start",
    "suite",
    "suite_ids",
    "time_discount",
    "to_paise",
    "to_rupees",
    "to_text",
]
