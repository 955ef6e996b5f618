"""Jobs as letters in a folder: never half of one, and no bad one ends the worker."""

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Message, Producer, Queue
from kombu.asynchronous import Hub

from bazaar_site.celery import Channel

LETTERS, FEW = 300, 5


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Any]:
    """A channel to a folder of its own."""
    folders = {"data_folder_in": str(tmp_path), "data_folder_out": str(tmp_path)}
    control = {"control_folder": str(tmp_path / "control")}
    (tmp_path / "control").mkdir()
    with Connection("filesystem://", transport_options={**folders, **control}) as connection:
        yield connection.default_channel


def test_our_channel_is_the_one_that_is_used(box: Any) -> None:
    assert isinstance(box, Channel)


def test_every_letter_arrives_whole_though_somebody_reads_all_the_time(box: Any) -> None:
    def write() -> None:
        for number in range(LETTERS):
            box._put("bazaar", {"body": "x" * 5000, "number": number})

    writer = threading.Thread(target=write)
    writer.start()
    read: list[int] = []
    while len(read) < LETTERS:
        try:
            read.append(box._get("bazaar")["number"])
        except queue.Empty:
            assert writer.is_alive() or len(read) == LETTERS or any(_folder(box).glob("*.msg"))
    writer.join()
    assert sorted(read) == list(range(LETTERS))
    assert list(_folder(box).glob(".*")) == []


def test_an_unreadable_letter_is_thrown_away_and_the_next_one_read(
    box: Any, caplog: pytest.LogCaptureFixture
) -> None:
    (_folder(box) / "0_bad.bazaar.msg").write_text("")
    (_folder(box) / "00_bad.bazaar.msg").write_text('{"half')
    box._put("bazaar", {"number": 3})
    assert box._get("bazaar") == {"number": 3}
    assert caplog.text.count("could not be read") == 2
    with pytest.raises(queue.Empty):
        box._get("bazaar")


def test_letters_of_one_queue_are_not_read_by_another(box: Any) -> None:
    box._put("training", {"number": 1})
    with pytest.raises(queue.Empty):
        box._get("bazaar")
    assert box._get("training") == {"number": 1}


def test_a_job_that_is_done_makes_room_for_the_next_letter_at_once(box: Any) -> None:
    hub, done = Hub(), []
    box.connection.polling_interval = 3600.0  # nobody would look again within this test
    box.connection.register_with_event_loop(box.connection, hub)
    jobs = Queue("bazaar", channel=box)
    for number in range(FEW):
        Producer(box).publish(number, routing_key=jobs.name, declare=[jobs])

    def work(number: int, letter: Message) -> None:
        done.append(number)
        hub.call_soon(letter.ack)  # as Celery does, when a child has done it

    with Consumer(box, [jobs], callbacks=[work], prefetch_count=1):
        box.connection.look_soon()
        loop, started = hub.create_loop(), time.monotonic()
        while len(done) < FEW:
            next(loop)
            assert time.monotonic() - started < 60, f"{len(done)} letters were read"
    hub.close()
    assert done == list(range(FEW))


def _folder(box: Any) -> Path:
    return Path(box.data_folder_in)
