"""The effective settings of one subject, as answers to a rule's questions and as the evidence behind them."""

from __future__ import annotations

from advisor.catalog import undocumented, values
from advisor.catalog.host_aliases import outline
from advisor.catalog.keys import is_known
from advisor.config.effective_settings import RELEASE, EffectiveSettings
from advisor.model import CLIENT_KINDS, DEFAULT, DYNAMIC_TOPIC, EMPTY, HIDDEN, LITERAL, METADATA, OVERLAY, PLACEHOLDER
from advisor.model.finding import Evidence
from advisor.rule.subject import AT_LEAST, FACTS, Absent, Subject, Unreadable
from advisor.secrets.disclosure import shown_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from advisor.catalog import Definition
    from advisor.model import Entity, Member, Spelling, Version
    from advisor.rule.subject import Question, Reads


LONGEST_NUMBER = 40
"""Digits of a number that is worked with."""
KNOWN_ANYWAY = frozenset(
    ("resolve", "version", AT_LEAST, "version given", "vendor", "family", "kind", "definition", "running", "fragment")
)
"""Questions that need nothing of a subject but its kind and release."""
NO_FACTS: Mapping[str, Hashable] = {}


class Config(EffectiveSettings):
    """One subject's settings and facts; `members` are set where it stands for a subject group."""

    __slots__ = (
        "answers",
        "before",
        "compared",
        "facts",
        "file",
        "frame",
        "items",
        "leaves",
        "members",
        "name",
        "other_role",
    )

    before: Config | None
    """The same subject before a change; None where nothing is known of one."""
    members: tuple[Member, ...]
    other_role: Sequence[Config]
    """The controllers whose files are judged in the same run as a broker's, or the brokers beside a controller."""
    compared: tuple[object, tuple[str | tuple[str, str], ...]] | None
    """The contents of the subject that this one was compared with last, and the parts of settings that differ."""
    frame: tuple[object, int] | None
    """What numbers the subjects that differ in values alone, and this one's number."""

    def __init__(self, entity: Entity, facts: Mapping[str, Hashable] = NO_FACTS) -> None:
        super().__init__(entity)
        self.facts = facts
        self.name = (entity.kind, entity.name)
        self.file = entity.file
        self.answers: dict[Question, Hashable] = {}
        self.items: dict[object, tuple[object, ...]] = {}
        self.leaves: dict[Question, tuple[Question, ...]] = {}
        self.members = ()
        self.other_role = ()
        self.before = None
        self.compared = None
        self.frame = None

    def answer(self, question: Question) -> Hashable:
        """Answer a rule's question from cache: a value, Unreadable or Absent."""
        answers = self.answers
        if question not in answers:
            what, key = question
            missing = self.entity.missing
            if missing is not None and what not in KNOWN_ANYWAY and not (what == "live" and key in self.facts):
                answers[question] = Unreadable(missing)
            else:
                answers[question] = ANSWERS[what](self, str(key)) if what in ANSWERS else self._fact(question)
        return answers[question]

    def _fact(self, question: Question) -> Hashable:
        return FACTS[question[0]].answer(Subject(0, self, []), question[1])

    def default(self, key: str) -> tuple[str | None, int]:
        """As Kafka's; what an overlay leaves out, or no output of a broker shows, has none. Raises LookupError and KeyError."""
        default = super().default(key)
        if self.entity.kind == OVERLAY or (self.entity.fragment and self.entity.cluster is not None):
            raise LookupError(self.entity.fragment)
        return default

    def _value(self, key: str, read: Callable[[Definition, str], Hashable]) -> Hashable:
        if key in undocumented.OF_REPLICAS and not undocumented.OBJECT_STORAGE.isdisjoint(self.settings):
            return Absent("the records are in object storage, and every partition has one replica")
        setting, factor = self.find(key)
        try:
            default, default_factor = ("", 1) if setting is not None else self.default(key)
            definition = self.definition(setting.key if setting else key)
        except KeyError:
            raise
        except LookupError as absent:
            return Absent(str(absent))
        if setting is None:
            return self._unset(key, default, default_factor, definition, read)
        if setting.shape == HIDDEN:
            return self._hidden(setting.key)
        if definition is None:
            return Absent(f"{setting.key} is not a setting of {self.release}")
        if setting.shape == PLACEHOLDER or (setting.secret and setting.shape == LITERAL):
            return Unreadable(
                f"{setting.key} is {'a secret' if setting.secret else 'filled in later: ' + setting.value}"
            )
        try:
            return self._times(read(definition, setting.value), factor)
        except values.Invalid as bad:
            text = setting.value.strip()
            later = text[:1].isalpha() and text.isupper()
            return Unreadable(f"{setting.key} is filled in later: {text}" if later else f"{setting.key}={text}: {bad}")

    def _unset(
        self,
        key: str,
        default: str | None,
        factor: int,
        definition: Definition | None,
        read: Callable[[Definition, str], Hashable],
    ) -> Hashable:
        """What a key is that is not set: the default, unless something that cannot be followed may set it."""
        setter = self._possible_setter(key)
        if setter is not None:
            return setter
        if default is None or definition is None:
            return self._without_default(key, definition)
        return self._default_value(key, default, factor, lambda text: read(definition, text))

    def _possible_setter(self, key: str) -> Unreadable | None:
        """What may set a key that is not written down, and cannot be followed."""
        if self.template:
            return Unreadable(f"{self.template} may become {key}")
        return Unreadable(self.entity.changed_by) if self.entity.changed_by else None

    def _without_default(self, key: str, definition: Definition | None) -> Hashable:
        """No value; a running cluster may have described none where Kafka has one."""
        if not self._described(key):
            return None
        if self.entity.cluster is None and self.entity.fragment:
            return Unreadable(f"{key} is not in the file: {self.entity.fragment}")
        if definition is None:
            return Unreadable(f"the cluster describes {key}, which {self.release} does not have")
        return Unreadable(f"the cluster describes no value of {key}") if definition.default is not None else None

    def _default_value(self, key: str, default: str, factor: int, parse: Callable[[str], Hashable]) -> Hashable:
        """The default's value; a running cluster may have described one that Kafka cannot parse."""
        try:
            return self._times(parse(default), factor)
        except values.Invalid as bad:
            return Unreadable(f"the cluster describes {key}={shown_value(key, default)} as its default: {bad}")

    @staticmethod
    def _hidden(key: str) -> Unreadable:
        return Unreadable(f"{key} is set, but a running broker does not show its value")

    @staticmethod
    def _times(value: Hashable, factor: int) -> Hashable:
        return value * factor if factor != 1 and isinstance(value, int) else value

    def _typed(self, key: str) -> Hashable:
        return self._value(key, values.parse)

    def _int_of_other_role(self, key: str) -> Hashable:
        answers = [node.answer(("int", key)) for node in self.other_role]
        unreadable = next((answer for answer in answers if not isinstance(answer, int)), None)
        return unreadable or min((answer for answer in answers if isinstance(answer, int)), default=None)

    def _str(self, key: str) -> Hashable:
        return self._value(key, lambda _, text: text.strip())

    def _list(self, key: str) -> Hashable:
        return self._value(key, lambda _, text: tuple(item.strip() for item in text.split(",")) if text.strip() else ())

    def _text(self, key: str) -> Hashable:
        setting, _ = self.find(key)
        if setting is not None:
            return self._hidden(key) if setting.shape == HIDDEN else setting.value
        try:
            default = self.default(key)[0]
        except KeyError:
            raise
        except LookupError as absent:
            return Absent(str(absent))
        return self._possible_setter(key) or default

    def _outline(self, key: str) -> Hashable:
        text = self._text(key)
        return outline(key, text) if isinstance(text, str) else text

    def _is_set(self, key: str) -> Hashable:
        if self.find(key)[0] is not None:
            return True
        if self.definition(key) is None and not is_known(self.resolve(key)[1]):
            raise KeyError(f"no catalog knows {key}")
        return False

    def _shape(self, key: str) -> Hashable:
        setting = self.find(key)[0]
        return EMPTY if setting is None else setting.shape

    def _jaas(self, key: str) -> Hashable:
        setting = self.find(key)[0]
        if setting is not None and setting.shape == HIDDEN:
            return self._hidden(key)
        if setting is None or setting.jaas is None:
            return None
        return (setting.jaas.modules, setting.jaas.problem)

    def _login(self, key: str) -> Hashable:
        setting = self.find(key)[0]
        if setting is not None and setting.shape == HIDDEN:
            return self._hidden(key)
        return setting.jaas.login if setting is not None and setting.jaas is not None else None

    def _keys(self, _: str) -> Hashable:
        """Every key that is written down; a running cluster's topic only says those that are its own."""
        own = self.entity.kind == "topic"
        return tuple(key for key, setting in self.settings.items() if not own or setting.source == DYNAMIC_TOPIC)

    def _source(self, key: str) -> Hashable:
        setting = self.find(key)[0]
        return DEFAULT if setting is None else setting.source

    def _live(self, name: str) -> Hashable:
        if name not in self.facts:
            return Absent("only a running cluster shows it")
        return self.facts[name]

    def evidence(self, question: Question) -> list[Evidence]:
        """The evidence for an answer, resolved through this subject's own settings."""
        what, key = question
        if what in FACTS:
            return [row for leaf in self._leaves_of(question) for row in self.evidence(leaf)]
        if not _has_evidence(question):
            return []
        if what == "live" and (key not in self.facts or self.entity.cluster is None):
            return []
        return [self.row(str(key))]

    def _leaves_of(self, question: Question) -> tuple[Question, ...]:
        """The questions with evidence that a fact asks, by way of others too, each once."""
        if question not in self.leaves:
            reads: Reads = []
            FACTS[question[0]].answer(Subject(0, self, reads), question[1])
            asked = dict.fromkeys(read[1] for read in reads)
            leaves = (self._leaves_of(each) if each[0] in FACTS else (each,) for each in asked)
            self.leaves[question] = tuple(
                dict.fromkeys(leaf for group in leaves for leaf in group if _has_evidence(leaf))
            )
        return self.leaves[question]

    def row(self, key: str) -> Evidence:
        """The evidence row of a key's effective value: source, file and line; a default has no line."""
        if key in self.facts:
            return Evidence(self.name, key, fact_text(self.facts[key]), METADATA, None, None)
        setting, _ = self.find(key)
        if setting is not None:
            origin = setting.origin
            return Evidence(self.name, setting.key, setting.shown, setting.source, origin.file, origin.line)
        try:
            text, factor = self.default(key) if key != RELEASE else (self.entity.target.text, 1)
        except LookupError:
            text, factor = None, 1
        if text is not None and factor != 1:
            text = scaled(text, factor)
        if text is not None and key != RELEASE and self.entity.described is not None:
            text = shown_value(key, text)
        return Evidence(self.name, key, text, DEFAULT, None, None)

    def spelling(self, key: str) -> Spelling | None:
        """How this subject's file spells a key that it does not hold, None where it spells it as Kafka does."""
        return None if key in self.facts else self.entity.spelling

    def fact(self, name: str) -> str | None:
        """A fact of a running cluster as text, None where there is none of that name."""
        return fact_text(self.facts[name]) if name in self.facts else None


def is_at_least(version: Version, release: str) -> bool:
    """Whether a version is a release such as 3.9 or a later one."""
    major, _, minor = release.partition(".")
    return version >= (int(major), int(minor))


ANSWERS: dict[str, Callable[[Config, str], Hashable]] = {
    "int": Config._typed,
    "float": Config._typed,
    "bool": Config._typed,
    "str": Config._str,
    "list": Config._list,
    "text": Config._text,
    "outline": Config._outline,
    "set": Config._is_set,
    "shape": Config._shape,
    "secret": lambda config, key: bool(config.setting(key) and config.settings[key].secret),
    "jaas": Config._jaas,
    "login": Config._login,
    "provider": lambda config, key: config.settings[key].provider if key in config.settings else None,
    "earlier": lambda config, key: tuple(other.value for other in config.settings[key].shadowed),
    "resolve": lambda config, key: config.resolve(key),
    "version": lambda config, _: config.version,
    AT_LEAST: lambda config, release: is_at_least(config.version, release),
    "version given": lambda config, _: config.entity.target.given,
    "vendor": lambda config, _: config.entity.target.vendor,
    "family": lambda config, _: config.entity.family,
    "kind": lambda config, _: config.entity.kind,
    "keys": Config._keys,
    "source": Config._source,
    "what goes with it": lambda config, _: config.entity.removal,
    "replaced": lambda config, _: config.entity.replaced,
    "guards": lambda config, _: config.entity.guards,
    "known as": lambda config, _: config.entity.known_as,
    "resource": lambda config, _: config.entity.resource,
    "mounts": lambda config, _: config.entity.mounts,
    "running": lambda config, _: config.entity.cluster is not None,
    "fragment": lambda config, _: bool(config.entity.fragment),
    "live": Config._live,
    "int of other role": Config._int_of_other_role,
    "definition": lambda config, key: config.definition(key),
}
"""How each kind of question is answered."""


def _has_evidence(question: Question) -> bool:
    """Whether an answer rests on one setting or fact of its own."""
    what, key = question
    return (
        what not in ("keys", "version given", "int of other role") and what not in KNOWN_ANYWAY and isinstance(key, str)
    )


def scaled(text: str, factor: int) -> str:
    """A whole number in another unit; as it is where it is none."""
    return str(int(text) * factor) if text.strip().lstrip("-").isdecimal() and len(text) < LONGEST_NUMBER else text


def fact_text(fact: Hashable) -> str:
    """A fact of a running cluster as text."""
    if isinstance(fact, tuple):
        return ", ".join(fact_text(item) for item in fact)
    return getattr(fact, "reason", str(fact))


def client_facts(entity: Entity) -> Mapping[str, Hashable]:
    """How many instances of a client there are with these settings, as far as the file says."""
    return {"instances": entity.replicas or 1} if entity.kind in CLIENT_KINDS else NO_FACTS
