"""Addresses of the market's environment."""

from arena.gpu_market.openenv.market import MARKET, PREFIX
from negotiation.openenv.views import Endpoints

urlpatterns = Endpoints(MARKET).under(PREFIX.lstrip("/"))
