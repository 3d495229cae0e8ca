"""SIGTERM and Ctrl-C: what was begun is cleaned up, and an exception of the same name by a rule is none of them."""

from __future__ import annotations

import sys

from advisor.errors import Terminated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sys import UnraisableHookArgs

AGAIN = 0.01
"""Seconds after which a signal that was dropped is sent again: the callback has ended by then."""
PR_SET_PDEATHSIG = 1
"""The option of prctl(2) that sends a signal when the parent ends."""
_watched = _received = False


def clean_up_on_sigterm() -> None:
    """Turn SIGTERM into Terminated from now on, so that what is half written is removed on the way out."""
    import signal
    import threading

    def terminate(*_: object) -> None:
        raise Terminated

    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, terminate)
        sys.unraisablehook = _repeating(sys.unraisablehook)


def _repeating(hook: Callable[[UnraisableHookArgs], object]) -> Callable[[UnraisableHookArgs], None]:
    """A hook that sends SIGTERM again where it came inside a callback whose exceptions Python drops (a weak reference's)."""

    def repeat(dropped: UnraisableHookArgs) -> None:
        if not isinstance(dropped.exc_value, Terminated):
            hook(dropped)
            return
        import os
        import signal
        import threading

        threading.Timer(AGAIN, os.kill, (os.getpid(), signal.SIGTERM)).start()

    return repeat


def end_with_parent() -> None:
    """Let the system (Linux) kill this process when its parent ends, however that happens."""
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def watch_interrupts() -> None:
    """Remember from now on whether the process received an interrupt: code of others may raise KeyboardInterrupt."""
    global _watched
    import signal
    import threading

    def interrupt(*_: object) -> None:
        note_interrupt()
        raise KeyboardInterrupt

    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is threading.main_thread() and is_default:
        signal.signal(signal.SIGINT, interrupt)
        _watched = True


def note_interrupt() -> None:
    """Remember that the process received an interrupt."""
    global _received
    _received = True


def interrupted() -> bool:
    """Whether a KeyboardInterrupt is one that the process received; taken for one where it cannot be known."""
    return _received or not _watched
