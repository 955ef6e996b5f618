"""Photographs of own items: what is kept is a picture and nothing but one."""

import io
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, ImageChops, ImageOps, ImageStat
from PIL.JpegImagePlugin import JpegImageFile
from PIL.TiffImagePlugin import IFDRational

from negotiation.bargain import photo_decoder, photos
from negotiation.errors import BadSale
from negotiation.models import Game

pytestmark = pytest.mark.django_db

OWN = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}
GPS, ORIENTATION = 0x8825, 0x0112


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.PHOTOS_DIR = tmp_path / "photos"
    return tmp_path / "photos"


@pytest.fixture
def asha() -> Client:
    client = Client()
    client.get("/sell/")
    return client


def picture(size: tuple[int, int] = (64, 48), kind: str = "JPEG", **more: Any) -> bytes:
    image = Image.linear_gradient("L").resize(size).convert("RGB")
    written = io.BytesIO()
    image.save(written, kind, **more)
    return written.getvalue()


def post(client: Client, body: bytes, name: str = "lamp.jpg", **changes: str) -> Any:
    upload = SimpleUploadedFile(name, body, "image/jpeg")
    return client.post("/sell/new/", OWN | changes | {"photo": upload})


def kept(body: bytes) -> Image.Image:
    return loaded(photos.redrawn(io.BytesIO(body)))


def kept_here(body: bytes) -> Image.Image:
    """The same without a process of its own, so that a test can look inside."""
    return loaded(photo_decoder.redrawn(body))


def loaded(body: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(body))
    image.load()
    return image


def test_a_photo_is_kept_under_a_name_of_its_own_and_served_as_nothing_but_a_picture(
    asha: Client, folder: Path
) -> None:
    answer = post(asha, picture(), name="../../asha-at-home.jpg")
    assert answer.status_code == 302
    game = Game.objects.get()
    assert photos.is_name(game.photo)
    assert [one.name for one in folder.iterdir()] == [f"{game.photo}.jpg"]
    sent = asha.get(f"/sell/photos/{game.photo}.jpg")
    assert sent["Content-Type"] == "image/jpeg"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert Image.open(io.BytesIO(sent.content)).format == "JPEG"


def test_no_photo_is_fine(asha: Client, folder: Path) -> None:
    assert asha.post("/sell/new/", OWN).status_code == 302
    assert Game.objects.get().photo == ""
    assert not folder.exists()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_three_kinds_become_one(kind: str) -> None:
    assert kept(picture(kind=kind)).format == "JPEG"


def test_where_and_when_it_was_taken_is_left_out() -> None:
    exif = Image.Exif()
    exif[GPS] = {1: "N", 2: (IFDRational(9), IFDRational(55), IFDRational(12)), 3: "E"}
    exif[0x010F], exif[0x0132] = "AshasPhone", "2025:10:20 18:00:00"
    body = picture(exif=exif, comment=b"my house", icc_profile=b"profile of asha")
    assert b"AshasPhone" in body
    assert b"my house" in body
    safe = photos.redrawn(io.BytesIO(body))
    for private in (b"AshasPhone", b"my house", b"2025:10:20", b"profile of asha", b"Exif"):
        assert private not in safe
    assert not Image.open(io.BytesIO(safe)).getexif()


def test_a_picture_that_lies_on_its_side_is_turned_up() -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    assert kept(picture((64, 48), exif=exif)).size == (48, 64)


def test_a_large_picture_is_made_small() -> None:
    assert kept(picture((4000, 3000))).size == (1280, 960)


def test_holes_are_white() -> None:
    written = io.BytesIO()
    Image.new("RGBA", (20, 20), (255, 0, 0, 0)).save(written, "PNG")
    assert kept(written.getvalue()).getpixel((5, 5)) == (255, 255, 255)


def huge() -> bytes:
    """A PNG of a few kilobytes whose header tells of 144 million pixels."""
    written = io.BytesIO()
    Image.new("1", (12_000, 12_000)).save(written, "PNG")
    return written.getvalue()


def vast() -> bytes:
    """The same with a header of 30,000 x 30,000: beyond what the library opens."""
    body = bytearray(picture(kind="PNG"))
    body[16:24] = (30_000).to_bytes(4, "big") * 2
    return bytes(body)


def overflowing() -> bytes:
    """A JPEG on its side whose EXIF holds a number that fits no field when it is written again."""
    entries = struct.pack("<HHII", ORIENTATION, 3, 1, 6)  # a short: lies on its side
    entries += struct.pack("<HHII", 0x9999, 16, 1, 8 + 2 + 24 + 4)  # 8 bytes, behind the entries
    tiff = b"II*\0" + struct.pack("<IH", 8, 2) + entries + struct.pack("<IQ", 0, 2**40)
    return picture(exif=b"Exif\0\0" + tiff)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
HOSTILE = {
    "words": b"not a picture at all",
    "nothing but a header": b"\xff\xd8\xff\xe0",
    "svg": SVG,
    "html": b"<html><script>alert(1)</script>",
    "gif": picture(kind="GIF"),
    "tiff": picture(kind="TIFF"),
    "bmp": picture(kind="BMP"),
    "truncated jpeg": picture((400, 300))[:2000],
    "truncated png": picture((400, 300), "PNG")[:300],
    "truncated webp": picture((400, 300), "WEBP")[:200],
    "huge": huge(),
    "vast": vast(),
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n",
    "too many bytes": picture() + b"\0" * photos.MOST_BYTES,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_bad_file_gets_a_calm_sentence_and_nothing_typed_is_lost(
    name: str, asha: Client, folder: Path
) -> None:
    answer = post(asha, HOSTILE[name], description="Polished every Diwali")
    html = answer.content.decode()
    assert answer.status_code == 422
    assert re.search(r'id="id_photo-about" class="problem">That photo ', html)
    assert 'value="Brass lamp"' in html
    assert "Polished every Diwali" in html
    assert 'value="1800"' in html
    assert not Game.objects.exists()
    assert not folder.exists()


def test_an_empty_file_is_said_to_be_empty(asha: Client) -> None:
    html = post(asha, b"").content.decode()
    assert "That file is empty; choose another or none." in html


def test_a_second_file_hidden_in_a_picture_stays_behind() -> None:
    """A JPEG that is a page, an archive and a script as well comes out as a JPEG alone."""
    script = b"<script>alert(document.cookie)</script>"
    body = picture(comment=script) + b"PK\x03\x04" + script
    Image.open(io.BytesIO(body)).load()
    safe = photos.redrawn(io.BytesIO(body))
    assert b"<script" not in safe
    assert b"PK\x03\x04" not in safe
    assert safe.endswith(b"\xff\xd9")


def test_a_photo_whose_form_was_wrong_is_asked_for_once_more(asha: Client) -> None:
    html = post(asha, picture(), asking_price="").content.decode()
    assert "Please choose the photo once more." in html


def test_a_photo_goes_with_its_game(asha: Client, folder: Path) -> None:
    post(asha, picture())
    Game.objects.get().delete()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["x", "2" * 24, "2" * 25, "UPPERCASEUPPERCASEUPPERC"])
def test_a_photo_that_is_not_there_is_not_there(name: str, asha: Client) -> None:
    assert asha.get(f"/sell/photos/{name}.jpg").status_code == 404


def test_many_photos_have_to_wait(asha: Client, settings: Any) -> None:
    from negotiation import limits

    settings.LIMITS = {**settings.LIMITS, "photos": "1/hour"}
    limits.forget_uses()
    assert post(asha, picture()).status_code == 302
    refused = post(asha, picture())
    assert refused.status_code == 429
    assert "You have brought many photos" in refused.content.decode()
    limits.forget_settings()


def test_a_disk_that_refuses_costs_the_photo_and_not_the_game(
    asha: Client, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    settings.PHOTOS_DIR = tmp_path / "file" / "photos"
    assert post(asha, picture()).status_code == 302
    assert Game.objects.get().photo == ""


def test_two_sentences_name_their_limits() -> None:
    with pytest.raises(BadSale, match="8 MB"):
        photos.redrawn(io.BytesIO(b"\0" * (photos.MOST_BYTES + 1)))
    with pytest.raises(BadSale, match="50 million, a PNG or WebP 16 million"):
        photos.redrawn(io.BytesIO(huge()))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_what_is_decoded_whole_may_have_fewer_pixels(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert photo_decoder.MOST_WHOLE_PIXELS == 16_000_000
    monkeypatch.setattr(photo_decoder, "MOST_WHOLE_PIXELS", 64 * 48)
    assert kept_here(picture((64, 48), kind)).size == (64, 48)
    with pytest.raises(photo_decoder.Refusal, match="TOO_WIDE"):
        photo_decoder.redrawn(picture((65, 48), kind))
    assert kept_here(picture((65, 48))).size == (65, 48), "a JPEG is drafted"


def test_a_large_png_that_lies_on_its_side_is_turned_when_it_is_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turned: list[tuple[int, int]] = []
    turn = Image.Image.transpose

    def seen(image: Image.Image, method: Any) -> Image.Image:
        turned.append(image.size)
        return turn(image, method)

    monkeypatch.setattr(Image.Image, "transpose", seen)
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    assert kept_here(picture((2600, 1300), "PNG", exif=exif)).size == (640, 1280)
    assert turned == [(1280, 640)]


def test_a_long_jpeg_is_decoded_small(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[tuple[int, int]] = []
    load = JpegImageFile.load

    def seen(image: Any) -> Any:
        decoded.append(image.size)
        return load(image)

    monkeypatch.setattr(JpegImageFile, "load", seen)
    assert kept_here(picture((12_000, 600))).size == (1280, 64)
    assert decoded[0] == (1500, 75)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_every_way_to_lie_is_turned_up(kind: str, turn: int) -> None:
    """As the library turns them that reads EXIF whole."""
    image = Image.linear_gradient("L").resize((64, 48)).convert("RGB")
    image.paste("red", (0, 0, 20, 10))
    exif = Image.Exif()
    exif[ORIENTATION] = turn
    written = io.BytesIO()
    image.save(written, kind, exif=exif, quality=95)
    with Image.open(io.BytesIO(written.getvalue())) as opened:
        right = ImageOps.exif_transpose(opened).convert("RGB")
    ours = kept_here(written.getvalue())
    assert ours.size == right.size
    assert max(ImageStat.Stat(ImageChops.difference(ours, right)).mean) < 4


def test_what_else_exif_holds_is_not_read() -> None:
    """A library that wrote it anew would stumble over it."""
    assert kept(overflowing()).size == (48, 64)


@pytest.mark.parametrize("kind", ["WEBP", "PNG"])
def test_of_an_animation_its_first_picture_is_kept(kind: str) -> None:
    written = io.BytesIO()
    frames = [Image.new("RGBA", (60, 50), colour) for colour in ("red", "blue", "#0f08")]
    frames[0].save(written, kind, save_all=True, append_images=frames[1:], lossless=True)
    red, green, blue = kept(written.getvalue()).getpixel((30, 25))
    assert red > 200
    assert max(green, blue) < 60
