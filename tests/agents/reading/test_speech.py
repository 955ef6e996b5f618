"""The reader that the site installs."""

from agents.buyers.steering import believe
from agents.plug import Speech
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import Tells
from negotiation.readers import SaleContext, reader

CONTEXT = SaleContext((Paise(20_000), Paise(18_000)), (Paise(15_000),), ())


def test_the_site_reads_with_this_reader() -> None:
    assert isinstance(reader(), Speech)


def test_prices_are_relative_to_what_stands_now() -> None:
    assert reader().intent("20 kam", CONTEXT).price == 16_000
    assert reader().intent("done", CONTEXT).price == 15_000


def test_the_brief_sentence_moves_what_the_buyer_believes() -> None:
    text = "im sorry 170 and im making a loss, theres 3 other offers that ive got"
    price = reader().intent(text, CONTEXT).price
    assert price == 17_000
    tells = reader().tells(text, CONTEXT, price).tells
    asks = (*CONTEXT.asks, Paise(17_000))
    needy = reader().belief(tells, asks, None)
    calm = reader().belief(Tells(verbal_urgency=0.0, verbal_confidence=0.9), asks, None)
    assert needy.urgency > calm.urgency
    assert needy == believe(tells, None, 1_000, 17_000)


def test_belief_stands_on_the_prior_before_anything_was_said() -> None:
    belief = reader().belief(None, (Paise(20_000),), "deceptive")
    assert (belief.urgency, belief.flexibility) == (0.45, 0.30)


def test_reading_twice_gives_the_same() -> None:
    text = "170 se kam nahi, teen aur log dekh rahe hain"
    assert Speech().tells(text, CONTEXT, Paise(17_000)) == Speech().tells(
        text, CONTEXT, Paise(17_000)
    )
