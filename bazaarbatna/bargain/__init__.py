"""The bazaar game: pure rules, no Django, no network, no clock.

>>> from bazaarbatna.bargain import Offer, apply, make_scenario, observe_buyer, start
>>> state, events = start(make_scenario("single_deal@fixed-1", seed=7))
>>> observe_buyer(state).standing_ask
6000
>>> state, events = apply(state, "buyer", Offer(4000, "Forty, bhaiya."))
>>> state.to_move
'seller'
"""

from bazaarbatna.bargain.career import Career, is_capitulation, remember
from bazaarbatna.bargain.episode import (
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
    withdraw,
)
from bazaarbatna.bargain.errors import (
    BrokenLog,
    GameError,
    GameOver,
    IllegalMove,
    NotYourTurn,
    UnknownSeller,
    UnknownSuite,
)
from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    OfferWithdrawn,
    Opened,
    TellsShown,
    Termination,
    WalkedAway,
    settled,
)
from bazaarbatna.bargain.goods import ListingPrices
from bazaarbatna.bargain.graders import grade, is_solved
from bazaarbatna.bargain.log import Imported, Log, from_text, to_text
from bazaarbatna.bargain.match import Buyer, Seller, play_episode, play_suite_game
from bazaarbatna.bargain.moves import Accept, Move, MoveKind, Offer, Walk
from bazaarbatna.bargain.observe import (
    BuyerObservation,
    CareerSummary,
    SellerObservation,
    observe_buyer,
    observe_seller,
)
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import InvalidPrice, Paise, Side, to_paise, to_rupees
from bazaarbatna.bargain.rewards import Reward, normalised_surplus, reward, time_discount
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues, SellerRules
from bazaarbatna.bargain.scoring import ReportCard, Score, report_card, score
from bazaarbatna.bargain.sealed import commitment, committed_text, is_kept
from bazaarbatna.bargain.sellers import VERSIONS, make_seller, persona_of
from bazaarbatna.bargain.suites import SUITES, GameType, Suite
from bazaarbatna.bargain.tasks import make_scenario, suite, suite_ids
from bazaarbatna.bargain.tells import Tells, TellSpan
from bazaarbatna.bargain.theory import reference_lines
from bazaarbatna.intervals import Interval

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
    "OfferWithdrawn",
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
    "settled",
    "show_tells",
    "start",
    "suite",
    "suite_ids",
    "time_discount",
    "to_paise",
    "to_rupees",
    "to_text",
    "withdraw",
]
