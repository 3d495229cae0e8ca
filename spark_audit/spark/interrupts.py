"""Ctrl-C where Spark works: a KeyboardInterrupt and nothing else, and no Java process that stays."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CUT_OFF = threading.Event()
"""Set by Ctrl-C: what Spark says from then on is that it was cut off."""


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Ctrl-C within it is a KeyboardInterrupt and nothing else: neither Python nor Java says how it was cut off."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    CUT_OFF.clear()
    heed()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if CUT_OFF.is_set():
            logging.disable(logging.NOTSET)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Ctrl-C only sets CUT_OFF, unless it comes twice: a Java process that is given up at its start would stay."""

    def wait(*_: object) -> None:
        if CUT_OFF.is_set():
            raise KeyboardInterrupt
        CUT_OFF.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def heed() -> None:
    """Take Ctrl-C from whoever has it."""

    def cut_off(*_: object) -> None:
        CUT_OFF.set()
        logging.disable()
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, cut_off)
