"""Addresses of the market's environment."""

from arena.gpu_market.openenv.house import market_shelf
from arena.gpu_market.openenv.market import MARKET, PREFIX
from negotiation.openenv.views import Endpoints

urlpatterns = Endpoints(MARKET, market_shelf).under(PREFIX.lstrip("/"))
