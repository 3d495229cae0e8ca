"""What the user chose: the command line over the nearest configuration file over the defaults."""

from __future__ import annotations

import os

from advisor.model import KINDS
from advisor.model.finding import SEVERITIES
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.cli.options import LintOptions
    from advisor.model import Target

    Values = dict[str, object]

YAML, TOML = "kafka-advisor.yaml", "pyproject.toml"
SECTION = "[tool.kafka-advisor"
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
}
"""Everything a configuration file may say, and what it takes."""
PATH_KEYS = {"kind": KINDS, "kafka-version": "text", "profile": PROFILES}


class Choices:
    """What a run goes by."""

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
        self.paths: dict[str, dict[str, str]] = {}
        self.profiles: dict[str, str] = {}
        self.where = ""
        self.said_in_file: set[str] = set()
        self.kind_given = self.target_given = self.profile_given = False

    def for_path(self, path: str) -> tuple[str | None, Target | None]:
        """(kind, target version) of a file: the command line's, else that of the pattern that matches its path."""
        kind, target = self.kind, self.target
        for pattern, said in self.paths.items():
            if _matches(path, pattern, os.path.dirname(self.where)):
                kind = kind if self.kind_given else said.get("kind", kind)
                if "kafka-version" in said and not self.target_given:
                    target = _target(said["kafka-version"], f"{self.where}: paths: {pattern}: kafka-version")
                if "profile" in said and not self.profile_given:
                    self.profiles[path] = said["profile"]
        return kind, target


def choices(options: LintOptions) -> Choices:
    """Everything chosen for a run; raises Refused for what makes no sense."""
    chosen = Choices()
    found = None if options.no_config else _find(options.config)
    if found is not None:
        path, values = found
        chosen.where = path
        _take(chosen, path, values)
    _override(chosen, options)
    return chosen


def _override(chosen: Choices, options: LintOptions) -> None:
    if options.kind:
        chosen.kind, chosen.kind_given = options.kind, True
    if options.kafka_version:
        chosen.target, chosen.target_given = _target(options.kafka_version, "--kafka-version"), True
    if options.profile:
        chosen.profile, chosen.profile_given = options.profile, True
    if options.select and not _split(options.select):
        raise _refuse("--select: names no rule; name ids, names, families or prefixes, or leave it out for all rules")
    chosen.select = _split(options.select) or chosen.select
    chosen.ignore += _split(options.ignore)
    chosen.fail_on = options.fail_on or chosen.fail_on
    chosen.fail_on_unknown = chosen.fail_on_unknown or options.fail_on_unknown
    chosen.baseline = options.baseline or chosen.baseline
    chosen.rules += options.rules


def _split(words: Sequence[str]) -> list[str]:
    return [name.strip() for word in words for name in word.split(",") if name.strip()]


def _target(text: str, where: str) -> Target:
    from advisor.cli.lint import target

    return target(text, where)


def _refuse(text: str) -> Exception:
    from advisor.cli.lint import Refused

    return Refused(f"kafka-advisor: {text}")


def _matches(path: str, pattern: str, base: str) -> bool:
    from fnmatch import fnmatch

    relative = os.path.relpath(path, base or ".") if path != "-" else path
    return fnmatch(relative, pattern) or fnmatch(os.path.basename(path), pattern)


def _find(named: str | None) -> tuple[str, Values] | None:
    if named:
        return named, _load(named)
    folder = os.getcwd()
    while True:
        for name in (YAML, TOML):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and (name == YAML or _mentions_us(path)):
                return path, _load(path)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _mentions_us(path: str) -> bool:
    with open(path, encoding="utf-8", errors="replace") as handle:
        return SECTION in handle.read()


def _load(path: str) -> Values:
    try:
        with open(path, "rb") as handle:
            data = handle.read()
    except OSError as error:
        raise _refuse(f"{path}: {(error.strerror or str(error)).lower()}") from None
    values = _toml(path, data) if path.endswith(".toml") else _yaml(path, data)
    if not isinstance(values, dict):
        raise _refuse(f"{path}: must be a mapping of {', '.join(KEYS)}")
    return {str(key): value for key, value in values.items()}


def _toml(path: str, data: bytes) -> object:
    import tomllib

    try:
        tool = tomllib.loads(data.decode("utf-8")).get("tool", {})
    except ValueError as error:
        raise _refuse(f"{path}: not TOML: {error}") from None
    return tool.get("kafka-advisor", {})


def _yaml(path: str, data: bytes) -> object:
    import yaml

    try:
        return yaml.safe_load(data) or {}
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
        raise _refuse(f"{place}: not YAML: {error.problem}") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise _refuse(f"{path}: not YAML: {error}") from None


def _take(chosen: Choices, path: str, values: Values) -> None:
    values = {key.replace("_", "-"): value for key, value in values.items()}
    _check(path, "", values, KEYS)
    chosen.profile = str(values.get("profile", chosen.profile))
    chosen.fail_on = str(values.get("fail-on", chosen.fail_on))
    chosen.fail_on_unknown = bool(values.get("fail-on-unknown", False))
    chosen.select = _texts(values.get("select"))
    chosen.ignore = _texts(values.get("ignore"))
    chosen.said_in_file = {*chosen.select, *chosen.ignore, *map(str, _map(values.get("severity")))}
    chosen.severities = {str(name): str(value) for name, value in _map(values.get("severity")).items()}
    beside = os.path.dirname(path)
    chosen.rules = [os.path.join(beside, rule) for rule in _texts(values.get("rules"))]
    if values.get("baseline"):
        chosen.baseline = os.path.join(beside, str(values["baseline"]))
    if "kafka-version" in values:
        chosen.target = _target(str(values["kafka-version"]), f"{path}: kafka-version")
    for pattern, said in _map(values.get("paths")).items():
        if not isinstance(said, dict):
            raise _refuse(f"{path}: paths: {pattern}: must be a mapping of {', '.join(PATH_KEYS)}")
        said = {str(key).replace("_", "-"): value for key, value in said.items()}
        _check(path, f"paths: {pattern}: ", said, PATH_KEYS)
        chosen.paths[str(pattern)] = {key: str(value) for key, value in said.items()}
        if "kafka-version" in said:
            _target(str(said["kafka-version"]), f"{path}: paths: {pattern}: kafka-version")


def _check(path: str, where: str, values: Values, known: Mapping[str, object]) -> None:
    for key, value in values.items():
        if key not in known:
            from difflib import get_close_matches

            close = get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            raise _refuse(f"{path}: {where}{key}: no such key; {hint}")
        complaint = _complaint(value, known[key])
        if complaint:
            raise _refuse(f"{path}: {where}{key}: {complaint}")


def _complaint(value: object, kind: object) -> str | None:
    if isinstance(kind, tuple):
        return None if value in kind else f"{value} is none of {', '.join(kind)}"
    if kind == "list":
        good = isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))
        return None if good else "must be a list of names"
    if kind == "map":
        return None if isinstance(value, dict) else "must be a mapping"
    if kind == "flag":
        return None if isinstance(value, bool) else "must be true or false"
    return None if isinstance(value, str | int | float) and not isinstance(value, bool) else "must be text"


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [name.strip() for name in value.split(",") if name.strip()]
    return [str(item) for item in value] if isinstance(value, list) else []


def _map(value: object) -> Values:
    return value if isinstance(value, dict) else {}
