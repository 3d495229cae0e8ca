"""The command line: dispatch a command, and turn every error into one line and an exit code.

The exit code is that of what was judged, whatever happens to the standard streams: a reader that goes away, a full disk
or a closed descriptor loses text, never the verdict.
"""

from __future__ import annotations

import gc
import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

from advisor.errors import ExitCode, Terminated, UserError, describe, os_reason, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; whatever goes wrong is one line, never a traceback."""
    if not __doc__:
        say("python -OO strips the docstrings that document the rules; run without it")
        return ExitCode.ERROR
    gc.disable()  # a lint is over before a collection would pay
    program = arguments is None
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if program and not _open_streams():
        say("standard output is closed")
        return ExitCode.ERROR
    debug = "--debug" in arguments
    arguments = [word for word in arguments if word != "--debug"]
    try:
        code = _run_on_terminal(arguments) if program and sys.stdout.isatty() else run(_own_arguments(arguments))
        sys.stdout.flush()
        return code
    except UserError as error:
        say(_one_line(_without_secrets(str(error))))
        return error.exit_code
    except OSError as error:
        say(f"{error.filename or 'output'}: {os_reason(error)}")
        return ExitCode.ERROR
    except KeyboardInterrupt:
        return _exit_at_once(ExitCode.INTERRUPTED, program)
    except Terminated:
        return _exit_at_once(ExitCode.TERMINATED, program)
    except BaseException as error:
        if debug or (isinstance(error, SystemExit) and not _in_user_module(error)):
            raise
        say(_fault(error))
        return ExitCode.ERROR


def _own_arguments(arguments: list[str]) -> list[str]:
    """The arguments without the options that every command has, which are obeyed."""
    if not any(word.startswith(("--max-size", "--color", "--no-pager", "--follow-links")) for word in arguments):
        return arguments
    from advisor.cli.common_options import take

    return take(arguments)


def _run_on_terminal(arguments: list[str]) -> int:
    """Run a command whose output may be longer than the screen."""
    from advisor.cli.pager import paged
    from advisor.cli.registry import COMMANDS

    arguments = _own_arguments(arguments)
    if not arguments or arguments[0] not in COMMANDS or not COMMANDS[arguments[0]].is_paged:
        return run(arguments)
    with paged(sys.stdout):
        return run(arguments)


def run(arguments: Sequence[str]) -> int:
    """Find the command and run it."""
    from advisor.cli.settings import only_files

    plain = only_files(arguments)
    if plain is not None:
        from advisor.cli.commands.lint import run as lint

        return lint(plain)
    from advisor.cli.parser import parse

    options = parse(arguments)
    code: int = options.command(options)
    return code


def _exit_at_once(code: int, program: bool) -> int:
    """Exit without waiting for threads: a client library would go on waiting for answers."""
    if program:
        os._exit(code)
    return code


def _without_secrets(text: str) -> str:
    from advisor.secrets.masking import mask

    return mask(text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fault(error: BaseException) -> str:
    """Describe an unexpected exception: in a user's own rule module, or in the tool itself."""
    own_rules = _in_user_module(error)
    if own_rules:
        return f"{own_rules}: cannot be loaded: {_one_line(describe(error))}"
    return f"internal error {type(error).__name__}{_where(error)}; please report it (--debug shows more)"


def _in_user_module(error: BaseException) -> str | None:
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


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" in {trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}" if trace else ""


class OutputStream(TextIOWrapper):
    """A stream that goes on into the void once its reader is gone; other errors of `strict` streams are raised.

    Where it is not a terminal, what could steer one is escaped as JSON escapes it; on a terminal, writers do that.
    """

    strict = False
    escapes = True

    def write(self, text: str) -> int:
        """Write; what has no reader any more is dropped."""
        if self.escapes and not text.replace("\n", "").isprintable():
            text = escaped(text)
        try:
            return super().write(text)
        except OSError as error:
            self._drop(error)
            return len(text)

    def flush(self) -> None:
        """Flush; what has no reader any more is dropped."""
        try:
            super().flush()
        except OSError as error:
            self._drop(error)

    def _drop(self, error: OSError) -> None:
        _discard(self)
        if self.strict and not isinstance(error, BrokenPipeError):
            raise error


def escaped(text: str) -> str:
    """The text with control characters and direction marks as \\uXXXX; blanks and ends of lines stay."""
    if "\r" in text:
        return "\r\n".join(escaped(line.replace("\r", "\\u000d")) for line in text.split("\r\n"))
    return "".join(
        char if char.isprintable() or (char.isspace() and char not in SEPARATORS) else f"\\u{ord(char):04x}"
        for char in text
    )


SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
"""What Python calls blanks and terminals do not."""


def _open_streams() -> bool:
    """Replace the process's standard streams; False if standard output is closed.

    Closed descriptors are filled, lest a file be opened as one of them.
    """
    output_is_open = sys.stdout is not None
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = _output_stream(sys.stdout, 1, strict=True)
    sys.stderr = _output_stream(sys.stderr, 2)
    return output_is_open


def _discard(stream: TextIOWrapper) -> None:
    """Send what a stream still holds, and all that follows, nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _output_stream(stream: TextIO | None, descriptor: int, strict: bool = False) -> OutputStream:
    if not isinstance(stream, TextIOWrapper):
        stream = TextIOWrapper(BufferedWriter(FileIO(descriptor, "w", closefd=False)))
    encoding, line_buffering, write_through = stream.encoding, stream.line_buffering, stream.write_through
    buffer = stream.detach()
    output = OutputStream(buffer, encoding, "backslashreplace", None, line_buffering, write_through)
    output.strict, output.escapes = strict, not output.isatty()
    return output
