"""A startup verdict, and what it says of a key."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model import Version


class Remark:
    """A message about a key; `rule` is the id of the rule it comes from, if one.

    Of a change `written` is the value in the file, None where it leaves the key out, and `used` the value that Kafka goes
    on with, None where it goes on without one.
    """

    __slots__ = ("key", "message", "rule", "used", "written")

    def __init__(
        self, key: str, message: str, rule: str | None = None, written: str | None = None, used: str | None = None
    ) -> None:
        self.key = key
        self.message = message
        self.rule = rule
        self.written = written
        self.used = used


class StartupVerdict:
    """What one release does with the settings: `refused` is None where the file alone cannot tell.

    `later` are the reasons and unknowns of a worker or an application that come up after its configuration was read.
    """

    __slots__ = ("changed", "ignored", "later", "reasons", "unknown", "version")

    def __init__(self, version: Version) -> None:
        self.version = version
        self.reasons: list[Remark] = []
        self.changed: list[Remark] = []
        self.ignored: list[str] = []
        self.unknown: list[Remark] = []
        self.later: list[Remark] = []

    def of_configuration(self) -> StartupVerdict:
        """The verdict on reading the configuration alone."""
        verdict = StartupVerdict(self.version)
        later = {(remark.key, remark.message) for remark in self.later}
        verdict.reasons = [remark for remark in self.reasons if (remark.key, remark.message) not in later]
        verdict.unknown = [remark for remark in self.unknown if (remark.key, remark.message) not in later]
        verdict.changed, verdict.ignored = self.changed, self.ignored
        return verdict

    @property
    def refused(self) -> bool | None:
        """Whether the release refuses to start; None for unknown."""
        return True if self.reasons else None if self.unknown else False
