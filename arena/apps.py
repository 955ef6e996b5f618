from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """Several buyers fight over one item; labs trade compute."""

    name = "arena"

    def ready(self) -> None:
        from arena.auction.web.game import AUCTION
        from arena.auction.web.live import AuctionLive
        from arena.gpu_market.trained.seat import plug_in
        from arena.gpu_market.web.game import MARKET
        from arena.gpu_market.web.live import MarketLive
        from negotiation.games.game import register

        register(AUCTION, AuctionLive())
        register(MARKET, MarketLive())
        plug_in()
