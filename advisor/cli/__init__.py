"""The command line: dispatch a command, and turn every error into one line and an exit code."""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper

from advisor.errors import ExitCode, UserError, os_reason, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; whatever goes wrong is one line, never a traceback."""
    if not __doc__:
        say("python -OO strips the docstrings that document the rules; run without it")
        return ExitCode.ERROR
    gc.disable()  # a lint is over before a collection would pay
    program = arguments is None
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stdout is None:
        say("standard output is closed")
        return ExitCode.ERROR
    debug = "--debug" in arguments
    arguments = [word for word in arguments if word != "--debug"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except UserError as error:
        say(_one_line(error))
        return error.exit_code
    except BrokenPipeError:
        return _quiet_exit()
    except OSError as error:
        say(f"{error.filename or 'output'}: {os_reason(error)}")
        _quiet_exit()
        return ExitCode.ERROR
    except KeyboardInterrupt:
        return _exit_interrupted(program)
    except Exception as error:
        if debug:
            raise
        say(_fault(error))
        return ExitCode.ERROR


def run(arguments: Sequence[str]) -> int:
    """Find the command and run it."""
    from advisor.cli.settings import only_files

    plain = only_files(arguments)
    if plain is not None:
        from advisor.cli.lint import run as lint

        return lint(plain)
    from advisor.cli.parser import parse

    options = parse(arguments)
    code: int = options.command(options)
    return code


def _exit_interrupted(program: bool) -> int:
    """Exit at once after an interrupt: a client library would go on waiting for answers."""
    if program:
        import os

        os._exit(ExitCode.INTERRUPTED)
    return ExitCode.INTERRUPTED


def _quiet_exit() -> int:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ExitCode.CLEAN


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _fault(error: Exception) -> str:
    """Describe an unexpected exception: in a user's own rule module, or in the tool itself."""
    own_rules = _in_user_module(error)
    if own_rules:
        return f"{own_rules}: cannot be loaded: {type(error).__name__}: {_one_line(error)}"
    return f"internal error {type(error).__name__}{_where(error)}; please report it (--debug shows more)"


def _in_user_module(error: Exception) -> str | None:
    """file:line of a user's own rule module that failed, None where the fault is the tool's."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    from advisor.rule.loading import PREFIX

    trace, position = error.__traceback__, None
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith(PREFIX):
            position = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return position


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" in {trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}" if trace else ""
