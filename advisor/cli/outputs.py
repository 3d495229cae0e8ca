"""Outputs of a run: none is an input, or another output."""

from __future__ import annotations

import os

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from advisor.cli.settings import LintOptions, RunSettings

STANDARD = ("-", "", None)
"""What stands for a standard stream, or for nothing."""


def check_reports(options: LintOptions, settings: RunSettings, inputs: Sequence[str | None]) -> None:
    """Refuse reports and a new baseline that would overwrite an input or each other. Raises UserError, BadFormat."""
    from advisor.reports.formats import parse_all

    outputs = [(f"--format {name}={path}", path) for name, path in parse_all(options.format)]
    every = [*inputs, settings.where, *settings.rules]
    check(outputs, [*every, settings.baseline])
    if options.write_baseline:
        _check_baseline(options.write_baseline)
        check([*outputs, (f"--write-baseline {options.write_baseline}", options.write_baseline)], every)


def check_inputs(options: Namespace) -> None:
    """Refuse --format NAME=FILE that would overwrite a file which the command reads. Raises UserError."""
    inputs = [value for name, value in vars(options).items() if name not in ("format", "_formats", "write_baseline")]
    paths = [path for value in inputs for path in (value if isinstance(value, list | tuple) else [value])]
    outputs = [(f"--format {text}", text.partition("=")[2]) for text in options.format]
    check(outputs, [path.partition("=")[0] for path in paths if isinstance(path, str) and "\0" not in path])


def check(outputs: Sequence[tuple[str, str]], inputs: Iterable[str | None]) -> None:
    """Refuse outputs, as (option, path), that are an input or another output. Raises UserError."""
    outputs = [(option, path) for option, path in outputs if path not in STANDARD]
    for option, path in outputs:
        if any(_is_same(path, each) for each in inputs if each not in STANDARD and each is not None):
            raise UserError(f"{option}: is an input, which would be overwritten; name another file")
    for number, (option, path) in enumerate(outputs):
        first = next((other for other, earlier in outputs[:number] if _is_same(path, earlier)), None)
        if first:
            raise UserError(f"{option}: {first} goes there, too; name another file")


def _check_baseline(path: str) -> None:
    """Refuse to write a baseline over a file that is none: a shell's pattern may have named a configuration file."""
    from advisor.engine.baseline import read

    if os.path.isfile(path) and os.path.getsize(path):
        try:
            read(path)
        except UserError:
            raise UserError(f"--write-baseline {path}: is there and no baseline; name another file") from None


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return os.path.realpath(path) == os.path.realpath(other)
