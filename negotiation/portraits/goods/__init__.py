"""Pictures of goods: what kind of thing a title names, and a drawing of it that a seed varies."""

from negotiation.portraits.goods.drawing import goods_svg
from negotiation.portraits.goods.kinds import KINDS, kind_of

__all__ = ["KINDS", "goods_svg", "kind_of"]
