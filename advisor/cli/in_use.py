"""What the configuration, the baseline and the waivers of a run switch off: one line for each file in use."""

from __future__ import annotations

from advisor.model.finding import OFF, rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.cli.settings import RunSettings
    from advisor.engine.policy import Policy
    from advisor.engine.waivers import Waiver

DEFAULT_PROFILE = "production"
STRICT_PROFILES = {"production", "regulated"}
DEFAULT_FAIL_ON = "high"


def lines_in_use(settings: RunSettings, policy: Policy, waivers: Sequence[Waiver]) -> list[str]:
    """What switches off rules, lowers severities or silences findings in this run."""
    lines = []
    if settings.where:
        silences = ", ".join(_of_configuration(settings, policy, waivers))
        lines.append(f"{settings.where}: {silences or 'switches nothing off'}")
    if settings.baseline and policy.baseline is not None:
        lines.append(f"{settings.baseline}: {counted(len(policy.baseline), 'known finding')}")
    if settings.waiver_file and settings.waiver_file != settings.where:
        lines.append(f"{settings.waiver_file}: {counted(len(waivers), 'waiver')}")
    if settings.no_suppressions:
        lines.append("comments that suppress findings are not heeded")
    return [f"in use: {line}{settings.of_commit}" for line in lines]


def _of_configuration(settings: RunSettings, policy: Policy, waivers: Sequence[Waiver]) -> Iterator[str]:
    if settings.profile != DEFAULT_PROFILE:
        yield f"profile {settings.profile}"
    if settings.target is not None and not settings.target_given:
        yield f"Kafka {settings.target.text} assumed"
    if policy.ignored:
        yield counted(len(policy.ignored), "rule", "ignored")
    if policy.selected is not None:
        yield counted(len(policy.selected), "rule", "selected")
    if lowered := _lowered(settings, policy):
        yield f"{lowered} severit{'y' if lowered == 1 else 'ies'} lowered"
    yield from _of_paths(settings)
    if rank(settings.fail_on) > rank(DEFAULT_FAIL_ON):
        yield f"fails on {settings.fail_on} only"
    if waivers and settings.waiver_file == settings.where:
        yield counted(len(waivers), "waiver")
    elif waivers:
        yield f"waivers of {settings.waiver_file}"


def _lowered(settings: RunSettings, policy: Policy) -> int:
    """How many rules have a severity of the user's below their own."""
    if not settings.severities:
        return 0
    pairs = ((rule.severity(policy.profile), policy.overrides.get(rule.id)) for rule in policy.rules)
    return sum(own != OFF and chosen is not None and rank(chosen) < rank(own) for own, chosen in pairs)


def _of_paths(settings: RunSettings) -> Iterator[str]:
    if releases := sum("kafka-version" in values for values in settings.paths.values()):
        yield f"a release assumed for {counted(releases, 'pattern')} of paths"
    if ignoring := sum(bool(names) for names in settings.ignored_by_pattern.values()):
        yield f"rules ignored for {counted(ignoring, 'pattern')} of paths"
    if kinds := sum("kind" in values for values in settings.paths.values()):
        yield f"kind set for {counted(kinds, 'pattern')} of paths"
    profiles = {values["profile"] for values in settings.paths.values() if "profile" in values}
    for profile in sorted(profiles - STRICT_PROFILES):
        yield f"profile {profile} for some paths"
    by_label = {profile for values in settings.profiles_by_label.values() for profile in values.values()}
    for profile in sorted(by_label - STRICT_PROFILES):
        yield f"profile {profile} for some labels"


def counted(number: int, thing: str, what: str = "") -> str:
    """A number of things, and what is done to them."""
    return f"{number} {thing}{'' if number == 1 else 's'}{' ' if what else ''}{what}"
