"""What a lint is asked for when nothing but files is named; every option of the command line overrides one of these."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class LintOptions:
    """The options of `lint` with their defaults; the arguments' parser fills in what was said otherwise."""

    kind: str | None = None
    with_: Sequence[str] = ()
    one_cluster = False
    kafka_version: str | None = None
    profile: str | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    rules: Sequence[str] = ()
    config: str | None = None
    no_config = False
    baseline: str | None = None
    write_baseline: str | None = None
    format: Sequence[str] = ("text",)
    verbose = False
    all = False
    fail_on: str | None = None
    fail_on_unknown = False
    exit_zero = False
    allow_nothing = False
    debug = False

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.files = files


def only_files(arguments: Sequence[str]) -> LintOptions | None:
    """The options of `lint FILE…` without any option: such a call needs no parser, whose import costs 7 ms."""
    if len(arguments) < 2 or arguments[0] != "lint":
        return None
    files = arguments[1:]
    return None if any(file.startswith("-") and file != "-" for file in files) else LintOptions(files)
