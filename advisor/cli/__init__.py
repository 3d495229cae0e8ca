"""The command line: what was asked for, and nothing else."""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CLEAN, FINDINGS, USAGE, NOTHING = 0, 1, 2, 3
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; whatever goes wrong is one line, never a traceback."""
    if not __doc__:
        print(
            "kafka-advisor: python -OO strips the docstrings that document the rules; run without it", file=sys.stderr
        )
        return USAGE
    gc.disable()  # a lint is over before a collection would pay
    program = arguments is None
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stdout is None:
        print("kafka-advisor: standard output is closed", file=sys.stderr)
        return USAGE
    debug = "--debug" in arguments
    arguments = [word for word in arguments if word != "--debug"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _quiet_exit()
    except OSError as error:
        print(f"kafka-advisor: {error.filename or 'output'}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        _quiet_exit()
        return USAGE
    except KeyboardInterrupt:
        return _interrupted(program)
    except Exception as error:
        if debug:
            raise
        print(_one_line(error), file=sys.stderr)
        return USAGE


def run(arguments: Sequence[str]) -> int:
    """Find the command and run it."""
    from advisor.cli.options import only_files

    plain = only_files(arguments)
    if plain is not None:
        from advisor.cli.lint import run as lint

        return lint(plain)
    from advisor.cli.parser import parse

    options = parse(arguments)
    code: int = options.command(options)
    return code


def _interrupted(program: bool) -> int:
    """Leave at once: a client library would go on waiting for answers that are on their way."""
    if program:
        import os

        os._exit(INTERRUPTED)
    return INTERRUPTED


def _quiet_exit() -> int:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLEAN


def _one_line(error: Exception) -> str:
    from advisor.cli.lint import Refused

    if isinstance(error, Refused):
        return " ".join(str(error).split())
    theirs = _in_user_module(error)
    if theirs:
        return f"kafka-advisor: {theirs}: cannot be loaded: {type(error).__name__}: {' '.join(str(error).split())}"
    return f"kafka-advisor: internal error {type(error).__name__}{_where(error)}; please report it (--debug shows more)"


def _in_user_module(error: Exception) -> str | None:
    """file:line of a user's own rule module that failed, None where the fault is the tool's."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    from advisor.rule.loading import PREFIX

    trace, found = error.__traceback__, None
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith(PREFIX):
            found = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" in {trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}" if trace else ""
