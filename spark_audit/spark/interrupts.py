"""Handle Ctrl-C while Spark works: one KeyboardInterrupt, no other output, and no Java process left behind."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Iterator

from advisor.errors import Terminated
from advisor.signals import note_interrupt

CUT_OFF = threading.Event()
"""Set by Ctrl-C: errors that Spark reports from then on come from the interruption."""


@contextlib.contextmanager
def silence_interrupts() -> Iterator[None]:
    """Turn Ctrl-C into one KeyboardInterrupt, without messages from Python or Java."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGINT)
    CUT_OFF.clear()
    take_interrupts()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if CUT_OFF.is_set():
            logging.disable(logging.NOTSET)


@contextlib.contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer Ctrl-C until a Java process has started, unless it comes twice: one given up at its start would stay."""

    def wait(*_: object) -> None:
        if CUT_OFF.is_set():
            raise KeyboardInterrupt
        CUT_OFF.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def take_interrupts() -> None:
    """Install our handler of Ctrl-C in place of any other."""

    def cut_off(number: int, _: object) -> None:
        CUT_OFF.set()
        logging.disable()
        if number == signal.SIGTERM:
            raise Terminated
        note_interrupt()
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, cut_off)
        signal.signal(signal.SIGTERM, cut_off)
