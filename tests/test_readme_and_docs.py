"""The docs say what the code says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ROOMS = (
    "bazaarbatna", "negotiation", "agents", "arena", "replays", "training", "rooms",
    "bazaar_site",
)  # fmt: skip


def test_the_settings_page_is_the_one_the_code_prints() -> None:
    from bazaar_site.env import settings_table

    assert settings_table() in (DOCS / "settings.md").read_text(), (
        "docs/settings.md is behind the code: paste the output of `python -m bazaar_site.env`"
    )


def test_every_event_kind_is_explained_in_the_protocol() -> None:
    from typing import get_args

    from bazaarbatna.bargain.events import Event

    page = (DOCS / "protocol.md").read_text()
    kinds = [event.__struct_config__.tag for event in get_args(Event)]
    assert [kind for kind in kinds if f"`{kind}`" not in page] == []


def test_every_error_code_is_explained() -> None:
    # Those that travel stand in the protocol, those of the libraries and rooms on their own pages.
    names = ("protocol.md", "gym.md", "coalition_games.md", "rooms.md")
    page = "".join((DOCS / name).read_text() for name in names)
    codes = set()
    for room in ROOMS:
        for module in (ROOT / room).rglob("*.py"):
            codes |= set(re.findall(r'^\s+code(?:: \w+)? = "([a-z-]+)"', module.read_text(), re.M))
    assert sorted(code for code in codes if f"`{code}`" not in page) == []


def test_every_management_command_is_in_the_docs() -> None:
    text = "".join(page.read_text() for page in [*DOCS.rglob("*.md"), ROOT / "README.md"])
    names = {
        command.stem
        for command in ROOT.glob("*/management/commands/*.py")
        if not command.stem.startswith("_")
    }
    assert names
    assert sorted(name for name in names if name not in text) == []


def test_every_make_target_named_in_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"make ([a-z][a-z-]*)", (ROOT / "README.md").read_text()))
    assert named
    assert named - targets == set()


@pytest.mark.parametrize("page", sorted(p.relative_to(ROOT) for p in ROOT.glob("docs/**/*.md")))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = (ROOT / page).read_text()
    targets = re.findall(r"\]\(((?!https?:|#)[^)#\s]+)", text)
    broken = [target for target in targets if not (ROOT / page).parent.joinpath(target).exists()]
    assert broken == []


# Twins that would split one idea over two words; the glossary names the one we use.
BANNED = re.compile(r"\b(seller_floor|buyer_ceiling|max_budget|min_price_seller|reserve_price)\b")


def test_nobody_uses_a_second_word_for_a_glossary_term() -> None:
    found = [
        f"{module.relative_to(ROOT)}: {match.group(0)}"
        for room in ROOMS
        for module in (ROOT / room).rglob("*.py")
        for match in BANNED.finditer(module.read_text())
    ]
    assert found == []


def test_only_the_environment_module_reads_the_environment() -> None:
    readers = [
        str(module.relative_to(ROOT))
        for room in ROOMS
        for module in (ROOT / room).rglob("*.py")
        if re.search(r"os\.(environ\b(?!\.setdefault)|getenv)", module.read_text())
    ]
    assert readers == []


def test_no_file_is_longer_than_a_room_should_be() -> None:
    lengths = {
        str(module.relative_to(ROOT)): len(module.read_text().splitlines())
        for room in ROOMS
        for module in (ROOT / room).rglob("*.py")
        if "migrations" not in module.parts
    }
    assert {name: n for name, n in lengths.items() if n > 500} == {}


def test_the_code_in_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert block is not None
    exec(compile(block[1], "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_pictures_and_pages_named_in_the_readme_exist() -> None:
    targets = re.findall(r"\]\(((?!https?:|#)[^)#\s]+)", (ROOT / "README.md").read_text())
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_no_folder_holds_more_modules_than_a_reader_can_survey() -> None:
    from tests.house import MOST_IN_A_FOLDER, crowded

    assert crowded(ROOT) == [], f"At most {MOST_IN_A_FOLDER} modules in a folder."


def test_the_house_weighs_no_more_than_it_may() -> None:
    from tests.house import CEILINGS, weights

    heavy = {what: weight for what, weight in weights(ROOT).items() if weight > CEILINGS[what]}
    assert heavy == {}, "Take something out, or raise the ceiling in tests/house.py and say why."


def test_a_call_that_translates_is_counted_under_every_name(tmp_path: Path) -> None:
    from tests.house import gettext_calls

    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms/one.py").write_text(
        "from django.utils import translation\n"
        "from django.utils.translation import gettext as _, ngettext\n"
        'SAID = _("a"), ngettext("b", "c", 2), translation.pgettext_lazy("d", "e"), other("f")\n'
    )
    assert gettext_calls(tmp_path) == {"rooms/one.py": 3}


def test_the_map_shows_the_house_as_it_stands() -> None:
    from tests.house import picture

    page = (DOCS / "index.md").read_text()
    assert picture(ROOT) in page, "Paste the output of `python -m tests.house --picture`."
    walked = re.findall(r"^\d\. `([\w/]+\.py)`", page, re.M)
    assert len(walked) == 16
    assert [path for path in walked if not (ROOT / path).exists()] == []


def test_a_move_passes_few_files_that_hand_it_on() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.house", "--walks"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    counts = [int(found) for found in re.findall(r"backbone of (\d+)", done.stdout)]
    assert len(counts) == 4
    assert max(counts) <= 8, done.stdout
