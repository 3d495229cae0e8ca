"""Settings of a run: the command line over the nearest configuration file over the defaults."""

from __future__ import annotations

import os

from advisor.errors import UserError, say
from advisor.model import KINDS
from advisor.model.finding import SEVERITIES
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO, Any

    from advisor.model import Target

    Values = dict[str, object]

KEYS = {
    "kafka-version": "text",
    "profile": PROFILES,
    "select": "list",
    "ignore": "list",
    "severity": "map",
    "fail-on": SEVERITIES,
    "fail-on-unknown": "flag",
    "baseline": "text",
    "rules": "list",
    "paths": "map",
    "waivers": "waivers",
    "profiles": "map",
}
"""Everything a configuration file may say, and what it takes."""
PATH_KEYS = {"kind": KINDS, "kafka-version": "text", "profile": PROFILES, "ignore": "list"}


class RunSettings:
    """The settings of a run."""

    def __init__(self) -> None:
        self.kind: str | None = None
        self.target: Target | None = None
        self.profile = "production"
        self.select: list[str] = []
        self.ignore: list[str] = []
        self.severities: dict[str, str] = {}
        self.fail_on = "high"
        self.fail_on_unknown = False
        self.baseline: str | None = None
        self.rules: list[str] = []
        self.variables: dict[str, str] = {}
        self.verbose = False
        self.paths: dict[str, dict[str, str]] = {}
        self.ignored_by_pattern: dict[str, list[str]] = {}
        self.profiles: dict[str, str] = {}
        self.ignored_by_file: dict[str, list[str]] = {}
        self.labels: dict[str, str] = {}
        self.profiles_by_label: dict[str, dict[str, str]] = {}
        """The profile for each value of a label."""
        self.waivers: list[object] = []
        self.waiver_file = ""
        self.where = ""
        self.opener: Callable[[str], IO[bytes]] | None = None
        """Opens the configuration, the baseline and the waivers of a commit; None: those of the work tree."""
        self.of_commit = ""
        self.no_suppressions = False
        self.said_in_file: set[str] = set()
        self.kind_given = self.target_given = self.profile_given = False

    def for_path(self, path: str) -> tuple[str | None, Target | None]:
        """(kind, target version) of a file: the command line's, else that of the pattern that matches its path."""
        kind, target = self.kind, self.target
        for pattern, values in self.paths.items():
            if _matches(path, pattern, os.path.dirname(self.where)):
                kind = kind if self.kind_given else values.get("kind", kind)
                if "kafka-version" in values and not self.target_given:
                    target = _release(values["kafka-version"], f"{self.where}: paths: {pattern}: kafka-version")
                if "profile" in values and not self.profile_given:
                    self.profiles[path] = values["profile"]
                self.ignored_by_file.setdefault(path, []).extend(self.ignored_by_pattern.get(pattern, ()))
        return kind, target


def run_settings(options: LintOptions, folder: str | None = None) -> RunSettings:
    """Merge the settings of a run; a configuration file is looked for above a folder (the working directory).

    Raises UserError for invalid ones.
    """
    settings = RunSettings()
    if not options.no_config:
        from advisor.cli.config_file import discover, load

        if options.config_from is not None:
            from advisor.git import Commit

            settings.opener = Commit.named(options.config_from).open
            settings.of_commit = f" (of {options.config_from})"
        settings.where = options.config or discover(settings.opener, folder) or ""
        if settings.where:
            values = load(settings.where, settings.opener)
            _take(settings, settings.where, values, discovered=not options.config)
    settings.no_suppressions = options.no_suppressions
    _override(settings, options)
    return settings


def _override(settings: RunSettings, options: LintOptions) -> None:
    if options.kind:
        settings.kind, settings.kind_given = options.kind, True
    if options.kafka_version:
        settings.target, settings.target_given = _release(options.kafka_version, "--kafka-version"), True
    if options.profile:
        settings.profile, settings.profile_given = options.profile, True
    if options.select and not _split(options.select):
        raise UserError("--select: names no rule; name ids, names, families or prefixes, or leave it out for all rules")
    settings.select = _split(options.select) or settings.select
    settings.ignore += _split(options.ignore)
    settings.fail_on = options.fail_on or settings.fail_on
    settings.fail_on_unknown = settings.fail_on_unknown or options.fail_on_unknown
    settings.baseline = options.baseline or settings.baseline
    settings.rules += options.rules
    if options.waivers:
        settings.waivers, settings.waiver_file = [], options.waivers
    settings.labels |= dict(options.label)
    for name, value in options.label:
        profiles = settings.profiles_by_label
        if profiles and value not in profiles.get(name, {}):
            say(f"--label {name}={value}: {settings.where} has no profile for it")
    if not settings.profile_given:
        from advisor.engine.policy import profile_for

        settings.profile = profile_for(settings.labels, settings.profiles_by_label, settings.profile)


def _split(words: Sequence[str]) -> list[str]:
    return [name.strip() for word in words for name in word.split(",") if name.strip()]


def _release(text: str, where: str) -> Target:
    from advisor.catalog.target import target_of

    return target_of(text, where)


def _matches(path: str, pattern: str, base: str) -> bool:
    from fnmatch import fnmatch

    relative = os.path.relpath(path, base or ".") if path != "-" else path
    return fnmatch(relative, pattern) or fnmatch(os.path.basename(path), pattern)


def _take(settings: RunSettings, path: str, values: Values, discovered: bool) -> None:
    values = {key.replace("_", "-"): value for key, value in values.items()}
    _check(path, "", values, KEYS)
    settings.profile = str(values.get("profile", settings.profile))
    settings.fail_on = str(values.get("fail-on", settings.fail_on))
    settings.fail_on_unknown = bool(values.get("fail-on-unknown", False))
    settings.select = _texts(values.get("select"))
    settings.ignore = _texts(values.get("ignore"))
    settings.said_in_file = {*settings.select, *settings.ignore, *map(str, _map(values.get("severity")))}
    settings.severities = {str(name): str(value) for name, value in _map(values.get("severity")).items()}
    beside = os.path.dirname(path)
    if discovered and values.get("rules"):
        raise UserError(
            f"{path}: rules: name code, which counts only in a file that you name: --config {path}, or --rules PATH"
        )
    settings.rules = [os.path.join(beside, rule) for rule in _texts(values.get("rules"))]
    if values.get("baseline"):
        settings.baseline = os.path.join(beside, str(values["baseline"]))
        if discovered:
            _check_below(settings.baseline, beside, f"{path}: baseline", in_commit=settings.opener is not None)
    settings.waivers, settings.waiver_file = _waivers(
        values.get("waivers"), path, discovered, settings.opener is not None
    )
    settings.profiles_by_label = _profiles_by_label(_map(values.get("profiles")), path)
    if "kafka-version" in values:
        settings.target = _release(str(values["kafka-version"]), f"{path}: kafka-version")
    for pattern, own in _map(values.get("paths")).items():
        if not isinstance(own, dict):
            raise UserError(f"{path}: paths: {pattern}: must be a mapping of {', '.join(PATH_KEYS)}")
        own = {str(key).replace("_", "-"): value for key, value in own.items()}
        _check(path, f"paths: {pattern}: ", own, PATH_KEYS)
        settings.ignored_by_pattern[str(pattern)] = _texts(own.pop("ignore", None))
        settings.said_in_file.update(settings.ignored_by_pattern[str(pattern)])
        settings.paths[str(pattern)] = {key: str(value) for key, value in own.items()}
        if "kafka-version" in own:
            _release(str(own["kafka-version"]), f"{path}: paths: {pattern}: kafka-version")


def _waivers(value: object, path: str, discovered: bool, in_commit: bool) -> tuple[list[object], str]:
    """The waivers of a configuration file, or those of the file that it names; a discovered one names files below it."""
    if not isinstance(value, str):
        return (value, path) if isinstance(value, list) else ([], "")
    file = os.path.join(os.path.dirname(path), value)
    if discovered:
        _check_below(file, os.path.dirname(path), f"{path}: waivers", "--waivers", in_commit)
    return [], file


def waiver_entries(settings: RunSettings) -> list[Any]:
    """The waivers of a run as plain data, read where they stand in a file of their own. Raises BadWaiver."""
    if settings.waivers or not settings.waiver_file:
        return settings.waivers
    from advisor.engine.waivers import read_entries

    return read_entries(settings.waiver_file, settings.opener)


def _profiles_by_label(profiles: Values, path: str) -> dict[str, dict[str, str]]:
    """Which profile the value of a label means. Raises UserError."""
    unknown = [key for key in profiles if key != "label"]
    if unknown:
        raise UserError(
            f"{path}: profiles: {_like(unknown[0], ('label',))}: no such key; there is label (for files, see paths)"
        )
    by_label: dict[str, dict[str, str]] = {}
    for label, values in _map(profiles.get("label")).items():
        for value, profile in _map(values).items():
            complaint = _complaint(profile, PROFILES)
            if complaint:
                raise UserError(f"{path}: profiles: label: {label}: {value}: {complaint}")
            by_label.setdefault(str(label), {})[str(value)] = str(profile)
    return by_label


def _check_below(path: str, folder: str, where: str, option: str = "--baseline", in_commit: bool = False) -> None:
    """A discovered file names regular files below its own folder, and no links out of it. Raises UserError."""
    real, root = os.path.realpath(path), os.path.realpath(folder or ".")
    if not real.startswith(root.rstrip(os.sep) + os.sep) or not (in_commit or os.path.isfile(real)):
        raise UserError(
            f"{where}: {path} is not a file below {root}; name it with {option}, or this file with --config"
        )


def _check(path: str, where: str, values: Values, keys: Mapping[str, object]) -> None:
    for key, value in values.items():
        if key not in keys:
            from advisor.catalog.spelling import closest
            from advisor.secrets.masking import name_like

            close = closest(key, keys)
            hint = f"did you mean {close}?" if close else f"there are {', '.join(keys)}"
            raise UserError(f"{path}: {where}{name_like(key, keys)}: no such key; {hint}")
        complaint = _complaint(value, keys[key])
        if complaint:
            raise UserError(f"{path}: {where}{key}: {complaint}")


def _complaint(value: object, kind: object) -> str | None:
    if isinstance(kind, tuple):
        return (
            None if isinstance(value, str) and value in kind else f"{_like(value, kind)} is none of {', '.join(kind)}"
        )
    if kind == "list":
        good = isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))
        return None if good else "must be a list of names"
    if kind == "waivers":
        return None if isinstance(value, str | list) else "must be a list of waivers, or the path of one"
    if kind == "map":
        return None if isinstance(value, dict) else "must be a mapping"
    if kind == "flag":
        return None if isinstance(value, bool) else "must be true or false"
    return None if isinstance(value, str | int | float) and not isinstance(value, bool) else "must be text"


def _like(value: object, kind: Sequence[str]) -> str:
    from advisor.secrets.masking import name_like

    return name_like(str(value), kind)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [name.strip() for name in value.split(",") if name.strip()]
    return [str(item) for item in value] if isinstance(value, list) else []


def _map(value: object) -> Values:
    return value if isinstance(value, dict) else {}


class LintOptions:
    """The options of `lint` with their defaults; the parser fills in the rest."""

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
    config_from: str | None = None
    no_suppressions = False
    baseline: str | None = None
    waivers: str | None = None
    fix = False
    unsafe_fixes = False
    diff = False
    fix_only = False
    silence: Sequence[str] = ()
    reason: str | None = None
    since: str | None = None
    all_findings = False
    label: Sequence[tuple[str, str]] = ()
    write_baseline: str | None = None
    format: Sequence[str] = ("text",)
    verbose = False
    quiet = False
    min_severity = "info"
    all = False
    group_by = "file"
    fail_on: str | None = None
    fail_on_unknown = False
    exit_zero = False
    allow_nothing = False
    debug = False
    show_values = False
    set_: Sequence[str] = ()
    env_file: Sequence[str] = ()
    environment = False

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.files = files


def only_files(arguments: Sequence[str]) -> LintOptions | None:
    """The options of `lint FILE…` without options: skips the parser, whose import costs 7 ms."""
    if len(arguments) < 2 or arguments[0] != "lint":
        return None
    files = arguments[1:]
    return None if any(file.startswith("-") and file != "-" for file in files) else LintOptions(files)
