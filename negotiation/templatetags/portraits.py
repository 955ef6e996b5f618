"""Pictures in templates: ``{% face "sauda" mood="pleased" size=48 %}``, ``{% goods listing %}``.

Both are ornaments unless they are given a ``title`` (or ``named=True`` for a face).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from negotiation.portraits.characters import Character, character, drawn
from negotiation.portraits.face import MOODS, Mood
from negotiation.portraits.goods.kinds import KINDS, goods_svg, kind_of
from negotiation.portraits.moods import mood_of

register = template.Library()


@register.simple_tag
def face(
    who: str | Character, mood: str = "calm", size: int = 48, title: str = "", named: bool = False
) -> SafeString:
    """Draw a character, by key or by what it plays; ``named`` titles it with its name and mood."""
    shown: Mood = next((one for one in MOODS if one == mood), "calm")
    if named and not title:
        title = f"{(who if isinstance(who, Character) else character(who)).name}, {shown}"
    # The words are escaped by the drawing.
    return mark_safe(drawn(who, shown, size, title))  # noqa: S308


@register.simple_tag(name="character")
def character_tag(who: str) -> Character:
    """Return the person behind a key or policy: ``{% character policy as who %}{{ who.name }}``."""
    return character(str(who))


@register.simple_tag
def mood(frames: Iterable[Mapping[str, Any]], actor: str) -> Mood:
    """Read a side's mood off a game's wire frames: ``{% mood frames "buyer" as how %}``."""
    return mood_of(frames, actor)


@register.simple_tag
def goods(
    thing: Any, seed: int | str | None = None, size: int = 160, title: str = ""
) -> SafeString:
    """Draw a thing: a kind, a title, or anything with a title and a category, like a listing.

    A game whose item came with a photo shows that.
    """
    if isinstance(thing, str):
        words, category, own = thing, "", thing
    else:
        words, category = str(_of(thing, "title")), str(_of(thing, "category"))
        own = words
    if photo := _of(thing, "photo"):
        return format_html(
            '<img class="goods goods-photo" src="{}" alt="{}" width="{}" height="{}" loading="lazy"'
            ' decoding="async">',
            reverse("photo", args=[photo]), title, size, size,
        )  # fmt: skip
    kind = words if words in KINDS else kind_of(words, category)
    return mark_safe(goods_svg(kind, own if seed is None else seed, size, title))  # noqa: S308


def _of(thing: Any, name: str) -> Any:
    return thing.get(name, "") if isinstance(thing, dict) else getattr(thing, name, "")
