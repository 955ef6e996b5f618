"""What was promised before the first move can be checked after the last."""

import hashlib

import msgspec

from bazaarbatna.bargain import commitment, committed_text, is_kept
from tests.support.players import a_scenario


def test_the_promise_is_the_sha256_of_the_committed_text() -> None:
    sealed = a_scenario().sealed
    text = committed_text(sealed, "5a17")
    assert text == (
        '5a17:{"budget":10000,"cost":3000,"deadline":null,"persona":"default",'
        '"reservation":3150,"seed":7}'
    )
    assert commitment(sealed, "5a17") == hashlib.sha256(text.encode()).hexdigest()


def test_any_other_value_or_salt_breaks_the_promise() -> None:
    sealed = a_scenario().sealed
    promise = commitment(sealed, "5a17")
    assert is_kept(promise, sealed, "5a17")
    assert not is_kept(promise, sealed, "5a18")
    others = {"reservation": 1, "cost": 1, "budget": 1, "seed": 1, "persona": "x", "deadline": 1}
    assert set(others) == set(sealed.__struct_fields__)
    for name, value in others.items():
        assert not is_kept(promise, msgspec.structs.replace(sealed, **{name: value}), "5a17")


def test_sealed_values_do_not_print() -> None:
    scenario = a_scenario()
    for secret in ("3150", "10000", "3000"):
        assert secret not in repr(scenario)
        assert secret not in f"{scenario.sealed}"
