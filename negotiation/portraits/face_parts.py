"""The shapes a face is put together from: strings of SVG in a square of 96, by the words of Face."""


def _path(kind: str, d: str, more: str = "") -> str:
    return f'<path class="{kind}" d="{d}"{more}/>'


def _dot(kind: str, x: float, y: float, r: float) -> str:
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{r}"/>'


def _oval(kind: str, x: float, y: float, rx: float, ry: float) -> str:
    return f'<ellipse class="{kind}" cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"/>'


STANCE = {"walking": ' transform="translate(15 1)"'}
TILT = {
    "pleased": ' transform="rotate(3 48 76)"',
    "doubtful": ' transform="rotate(-5 48 76)"',
    "walking": ' transform="rotate(4 48 76)"',
}
TURN = {"walking": ' transform="translate(6 1)"', "doubtful": ' transform="translate(1.5 0)"'}

NECK = _path("f-skin-deep", "M39 58h18v15q-9 9-18 0z")
EARS = _oval("f-skin", 27.5, 47, 3.6, 5) + _oval("f-skin", 68.5, 47, 3.6, 5)
NOSE = _path("l-skin", "M48.5 47q-3.5 6-1.5 7.5 1.8.8 3.6-.3")
NOSE_PIN = _dot("f-gold", 51.6, 53.6, 1.1)
LINES = _path("l-skin", "M32.5 52q-1 3 .8 5M63.5 52q1 3-.8 5M41 31q7-1.5 14 0")

SHAPES = {
    "oval": "M28 42C28 27 37 20 48 20s20 7 20 22c0 17-9 28-20 28S28 59 28 42z",
    "round": "M26.5 45C26.5 28 36 20 48 20s21.5 8 21.5 25c0 15-9.5 24-21.5 24S26.5 60 26.5 45z",
    "long": "M29 41C29 25 37 19 48 19s19 6 19 22c0 20-8 32-19 32S29 61 29 41z",
    "square": "M27.5 40C27.5 26 36 20 48 20s20.5 6 20.5 20v14c0 11-9 17-20.5 17S27.5 65 27.5 54z",
}

_BODY = _path("f-cloth", "M8 96c0-15 11-20 26-23l14 7 14-7c15 3 26 8 26 23z")
_OPEN_NECK = _path("f-skin-deep", "M39 71l9 13 9-13-9 4z")

DRESSES = {
    "kurta": _BODY
    + _path("f-cloth-deep", "M44.5 80h7v16h-7z")
    + _dot("f-pale", 48, 86, 1.2)
    + _dot("f-pale", 48, 92, 1.2),
    "sari": _path("f-cloth-deep", "M8 96c0-15 11-20 26-23l14 7 14-7c15 3 26 8 26 23z")
    + _path("f-cloth", "M8 96c0-15 11-21 25-23 9 9 24 16 45 23z")
    + _path("l-gold", "M33 73.5c9 9 24 16 44 22.5"),
    "shirt": _BODY + _path("f-pale", "M37 71l11 10-12 7-4-14zM59 71L48 81l12 7 4-14z"),
    "blazer": _BODY
    + _path("f-pale", "M38 73l10 23 10-23-10 6z")
    + _path("f-cloth-deep", "M36 72l12 24h-8L30 79zM60 72L48 96h8l10-17z"),
    "dupatta": _BODY
    + _path("f-wrap", "M33 72c4 11 26 11 30 0l8 4c-4 17-42 17-46 0z")
    + _path("f-wrap-deep", "M60 82l9-5 5 19H62z"),
    "round": _BODY + _path("l-cloth-deep", "M36 74q12 14 24 0"),
    "waistcoat": _path("f-pale", "M8 96c0-15 11-20 26-23l14 7 14-7c15 3 26 8 26 23z")
    + _path("f-cloth", "M24 76l11-4 11 24H19zM72 76l-11-4-11 24h27z"),
}

_CURTAIN = "M27 46C24 27 34 17 48 17s24 10 21 29c-3-10-10-18-21-23-11 5-18 13-21 23z"
_FRINGE = "M26.5 47C22 26 33 15 48 15s26 11 21.5 32c-1-5-2-8-4-11q-17 4-35 0c-2 3-3 6-4 11z"
_SIDES = "M27 47c-1-5-1-9 0-13h4.5c-2 4-3 8-3 13zM69 47c1-5 1-9 0-13h-4.5c2 4 3 8 3 13z"

HAIRS = {
    "bald": "",
    "crop": _path(
        "f-hair", "M27 45C24 26 34 16 48 16s24 10 21 29c-1-8-3-12-7-15-9 3-19 3-28 0-4 3-6 7-7 15z"
    ),
    "side": _path(
        "f-hair",
        "M27 45C23 26 33 14 50 15c15 1 22 12 19 30-1-8-4-12-8-16-10 1-19 0-25-4-3 6-8 10-9 20z",
    ),
    "wave": _path(
        "f-hair",
        "M26.5 45c-5-18 5-32 23-32 17 0 24 13 20 32-1-7-3-11-6-14-4 2-9 0-12-4-5 6-14 6-19 5-3 3-5 7-6 13z",
    ),
    "curls": "".join(
        _dot("f-hair", x, y, 7)
        for x, y in ((29, 33), (33, 24), (41, 18), (50, 16), (59, 19), (66, 26), (68, 35))
    )
    + _path("f-hair", "M30 32q18-12 36 0v-9H32z"),
    "bun": _path("f-hair", _CURTAIN),
    "bob": _path("f-hair", _CURTAIN),
    "long": _path("f-hair", _CURTAIN),
    "braid": _path("f-hair", _CURTAIN)
    + "".join(_oval("f-hair", x, y, 5.5, 5) for x, y in ((71, 58), (73.5, 67), (74, 76), (73, 85)))
    + _oval("f-wrap", 72.5, 91.5, 4, 2.5),
    "fringe": _path("f-hair", _FRINGE),
    "receding": _path(
        "f-hair",
        "M27 48c-3-9-2-17 4-24 2 6 0 14-1.5 24zM69 48c3-9 2-17-4-24-2 6 0 14 1.5 24z",
    ),
}

_FALL = "M22 44C20 23 32 13 48 13s28 10 26 31v24c0 4-6 6-12 4H34c-6 2-12 0-12-4z"

BEHIND = {
    "bun": _dot("f-hair", 48, 13, 9),
    "bob": _path("f-hair", _FALL),
    "fringe": _path("f-hair", _FALL),
    "long": _path(
        "f-hair", "M22 44C20 23 32 13 48 13s28 10 26 31c0 18 3 30 6 42H16c3-12 6-24 6-42z"
    ),
    "curls": _oval("f-hair", 48, 38, 24, 23),
    "scarf": _path(
        "f-wrap-deep", "M20 46C18 22 32 10 48 10s30 12 28 36c0 16 4 22 9 32H11c5-10 9-16 9-32z"
    ),
    "hijab": _path(
        "f-wrap-deep", "M20 46C18 22 32 9 48 9s30 13 28 37c0 16 4 22 9 34H11c5-12 9-18 9-34z"
    ),
}

OVER_HAIR = ("scarf",)
"""Covers below which the hair at the forehead shows."""

COVERS = {
    "": "",
    "turban": _path(
        "f-wrap",
        "M24 40C18 18 32 5 48 5s30 13 24 35c-7-9-15-13-24-16-9 3-17 7-24 16z",
    )
    + _path("f-wrap-deep", "M42 26l6-9 6 9-6 1.5z")
    + _path("l-wrap-deep", "M27 31C32 20 38 15 48 13M69 31C64 20 58 15 50 9M31 21c4-6 9-9 14-10"),
    "pagri": _path(
        "f-wrap",
        "M20 35C15 17 31 6 49 6s32 11 27 29c-3 4-8 4-12 1-10-6-22-6-32 0-4 3-9 3-12-1z",
    )
    + _path("l-wrap-deep", "M22 29c14-10 36-12 53-3M24 21c12-8 32-9 47-2M21 35c10-5 18-10 30-22"),
    "scarf": _path(
        "f-wrap", "M23 52C17 24 32 11 48 11s31 13 25 41c-1-18-9-29-25-32-16 3-24 14-25 32z"
    ),
    "hijab": _path(
        "f-wrap",
        "M21 46C19 21 33 10 48 10s29 11 27 36c0 20-9 34-27 36-18-2-27-16-27-36zm8-2c0 16 6 26 19 26s19-10 19-26-7-19-19-19-19 3-19 19z",
        ' fill-rule="evenodd"',
    )
    + _path("l-wrap-deep", "M30 66c5 9 12 12 20 12"),
    "topi": _path("f-hair", _SIDES)
    + _path("f-wrap", "M26 33C25 18 34 11 48 11s23 7 22 22q-22-6-44 0z")
    + _path("f-wrap-deep", "M26 37v-6q22-6 44 0v6q-22-6-44 0z"),
    "taqiyah": _path("f-hair", _SIDES)
    + _path("f-wrap", "M28 33c-1-13 7-20 20-20s21 7 20 20q-20-6-40 0z")
    + _path("l-wrap-deep", "M29 28q19-6 38 0"),
    "cap": _path("f-hair", _SIDES)
    + _path("f-wrap", "M26 35C25 20 34 13 48 13s23 7 22 22q-22-5-44 0z")
    + _path("f-wrap-deep", "M30 33q22-6 48 3-2 4-8 2-18-7-38-2z"),
}

_ROUND_MOUTH = _oval("f-skin", 48, 61, 8, 4.5)

BEARDS = {
    "": "",
    "stubble": _path(
        "f-hair is-faint",
        "M28.5 50c1 10 7 20 19.5 20s18.5-10 19.5-20c-3 5-6 7-9 7q-10.5-2-21 0c-3 0-6-2-9-7z",
    )
    + _ROUND_MOUTH,
    "short": _path(
        "f-hair", "M28 47c0 12 6 25 20 25s20-13 20-25c-2 6-5 9-8 10q-12-4-24 0c-3-1-6-4-8-10z"
    )
    + _ROUND_MOUTH,
    "full": _path(
        "f-hair",
        "M27.5 45C26 68 32 84 48 84s22-16 20.5-39c-1 7-4 11-8 12q-12-4-25 0c-4-1-7-5-8-12z",
    )
    + _ROUND_MOUTH,
    "goatee": _path("f-hair", "M42 66q6-2 12 0l-1.5 7q-4.5 3-9 0z"),
}

MOUSTACHES = {
    "": "",
    "thin": _path("l-hair", "M40 58q4-2.5 8-.8 4-1.7 8 .8"),
    "thick": _path(
        "f-hair",
        "M36.5 60c2-5 7.5-6 11.5-3.5 4-2.5 9.5-1.5 11.5 3.5-4 .8-8.5.3-11.5-1.2-3 1.5-7.5 2-11.5 1.2z",
    ),
    "curled": _path(
        "f-hair",
        "M33 57c-2-3-1-6 1.5-6-.5 3 2 4.5 6.5 3.8 3-.6 5-.3 7 .9 2-1.2 4-1.5 7-.9 4.5.7 7-.8 6.5-3.8 2.5 0 3.5 3 1.5 6-3 4.5-10 4-15 1.8C43 61 36 61.5 33 57z",
    ),
}

GLASSES = {
    "": "",
    "round": _path(
        "l-glass",
        "M33 45a7 7 0 1 0 14 0 7 7 0 1 0-14 0zM49 45a7 7 0 1 0 14 0 7 7 0 1 0-14 0zM47 44q1-1 2 0M33 44l-5-1M63 44l5-1",
    ),
    "square": _path(
        "l-glass",
        "M33 40h13.5v8q0 3-3 3H36q-3 0-3-3zM49.5 40H63v8q0 3-3 3h-7.5q-3 0-3-3zM46.5 43h3M33 43l-5-1M63 43l5-1",
    ),
    "half": _path(
        "l-glass",
        "M34 48h12q0 6-6 6t-6-6zM50 48h12q0 6-6 6t-6-6zM46 48q2-1 4 0M34 48l-6-4M62 48l6-4",
    ),
}

JEWELS = {
    "": "",
    "studs": _dot("f-gold", 27, 52, 1.7) + _dot("f-gold", 69, 52, 1.7),
    "jhumka": _dot("f-gold", 27, 52, 1.4)
    + _path("f-gold", "M23.5 58q3.5-6 7 0zM65.5 58q3.5-6 7 0z")
    + _dot("f-gold", 69, 52, 1.4),
    "hoops": _path("l-gold", "M27 51a4 4 0 1 0 .1 0M69 51a4 4 0 1 1-.1 0"),
}

MARKS = {
    "": "",
    "bindi": _dot("f-madder", 48, 35, 1.9),
    "tilak": _path("f-madder", "M47 27h2l.6 8q-1.6 1.4-3.2 0z"),
}

BROWS = {
    "calm": "M35 38.5q5-3 9.5-.8M61 38.5q-5-3-9.5-.8",
    "pleased": "M34.5 37q5-4.5 10-1M61.5 37q-5-4.5-10-1",
    "doubtful": "M35 40q5-1 9.5.5M61.5 34q-5.5-3.5-10 1",
    "annoyed": "M34.5 37l10 4M61.5 37l-10 4",
    "hurried": "M34.5 37.5q5-3.5 9.5-4M61.5 37.5q-5-3.5-9.5-4",
    "walking": "M35 39.5q5-2 9.5 0M61 39.5q-5-2-9.5 0",
}


def _eyes(open_y: float, iris_x: float, iris_y: float, lids: str) -> str:
    return "".join(
        _oval("f-eye", x, 45, 4.6, open_y) + _dot("f-ink", x + iris_x, 45 + iris_y, 2.5)
        for x in (40, 56)
    ) + _path("l-ink", lids)


_OPEN = "M35 44.5q5-5 10 0M51 44.5q5-5 10 0"

EYES = {
    "calm": _eyes(3.2, 0, 0, _OPEN),
    "pleased": _path("l-ink is-strong", "M35.5 46.5q4.5-5.5 9 0M51.5 46.5q4.5-5.5 9 0")
    + _oval("f-blush", 35, 54, 4, 2.6)
    + _oval("f-blush", 61, 54, 4, 2.6),
    "doubtful": _eyes(2.8, 1.8, -0.4, "M35 43.5q5-2 10 .5M51 43.5q5-5.5 10 0"),
    "annoyed": _eyes(2.4, 0, 0.3, "M34.5 42.5l10.5 1.8M61.5 42.5l-10.5 1.8"),
    "hurried": _eyes(4.4, 1.4, 0, "M35 43q5-5.5 10 0M51 43q5-5.5 10 0")
    + _path("f-drop", "M71 27q5 7 0 9.5-5-2.5 0-9.5z"),
    "walking": _path("l-ink is-strong", "M35.5 44.5q4.5 4 9 0M51.5 44.5q4.5 4 9 0"),
}

MOUTHS = {
    "calm": _path("LIP", "M42.5 61q5.5 3.2 11 0"),
    "pleased": _path("f-mouth", "M40 59.5q8 10.5 16 0-8 1.5-16 0z"),
    "doubtful": _path("LIP", "M43 62.5q5 .5 10-2"),
    "annoyed": _path("LIP", "M42.5 63q5.5-3.8 11 0"),
    "hurried": _oval("f-mouth", 48, 62, 3.6, 3.2),
    "walking": _path("LIP", "M43.5 62q5-.8 9 0"),
}
