"""A block: the settings of one entity as a file of any syntax holds them, before they become an entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from advisor import limits
from advisor.catalog import NEWEST
from advisor.catalog.target import release_of, vendor_of
from advisor.errors import UnreadableInput
from advisor.model import DEPLOYMENT, STATIC_BROKER, Origin, Setting, Spelling, Target
from advisor.secrets import is_plain
from advisor.secrets.disclosure import setting_of
from advisor.secrets.masking import mask
from advisor.secrets.placeholders import shown_key
from collectors.files import ThreadLocal
from collectors.files.syntax.properties_file import earlier_with
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode

MOST_SETTINGS = 5_000
WORKER = "the file is a connector's: the worker decides what it leaves out"


class SettingsOfFile(ThreadLocal):
    """Counts the settings of the file that is read: what anchors, profiles and pools share counts wherever it stands."""

    def __init__(self) -> None:
        self.file, self.count, self.variables = "", 0, 0

    @contextmanager
    def reading(self, shown: str) -> Iterator[None]:
        """Count for a file; one that is read in between, because it lies beside, has a count of its own."""
        before = self.file, self.count, self.variables
        self.file, self.count, self.variables = shown, 0, 0
        try:
            yield
        finally:
            self.file, self.count, self.variables = before

    def add(self) -> None:
        """One more setting. Raises UnreadableInput beyond the limit."""
        self.count += 1
        if self.file and self.count > limits.SETTINGS_OF_FILE:
            raise self._too_many(f"{limits.SETTINGS_OF_FILE:,} settings", "anchors, profiles or pools")

    def add_variables(self, number: int) -> None:
        """So many more variables of a container. Raises UnreadableInput beyond the limit."""
        self.variables += number
        if self.file and self.variables > limits.VARIABLES_OF_FILE:
            raise self._too_many(f"{limits.VARIABLES_OF_FILE:,} variables of containers", "maps, files or anchors")

    def _too_many(self, most: str, shared_by: str) -> UnreadableInput:
        return UnreadableInput(f"{self.file}: over {most} in one file, with those that {shared_by} share; split it")


settings_of_file = SettingsOfFile()


class Block:
    """The settings of one entity. `kind` is None where its keys say it.

    `written` is what their full spelling in the file begins with; `cluster` names the cluster that the file counts it
    among, `scope` the folder whose files name the same one (none: the file alone), `brokers` is how many that one has, `servers` where the tool connects that declares it;
    `removal`, `known_as`, `resource`, `guards` and `root` are those of the entity; `described` are defaults that the `platform` documents, `fragment` says who decides what is left out. `family` is the
    client library where the format says it, `random_id` the image of a deployment that makes a cluster id of its own, `joint` what the file writes between a key and its value.
    """

    def __init__(self, kind: str | None, name: str, format: str, file: str, written: str = "") -> None:
        self.kind = kind
        self.name = mask(name) if "=" in name else name
        self.format = format
        self.file = file
        self.written = written
        self.settings: dict[str, Setting] = {}
        self.spelling: Spelling | None = Spelling(written) if written else None
        self.cluster: str | None = None
        self.servers = ""
        self.scope = ""
        self.brokers: int | None = None
        self.replicas: int | None = None
        self.described: dict[str, str | None] | None = None
        self.places: dict[str, Origin] | None = None
        self.joint = ": "
        self.platform = ""
        self.removal = ""
        self.known_as: str | None = None
        self.resource: str | None = None
        self.root = ""
        self.instances_unknown = False
        self.replaced: str | None = None
        self.guards: tuple[str, ...] = ()
        self.family = ""
        self.fragment = ""
        self.changed_by = ""
        self.mounts: tuple[tuple[str, str], ...] | None = None
        self.target: Target | None = None
        self.random_id: TreeNode | None = None

    def set(
        self, key: str, value: str, key_node: TreeNode, value_node: TreeNode | None = None, written: str | None = None
    ) -> Setting:
        """Add a setting; one that was there is shadowed."""
        written = written if written is not None else self.written + key_node.text
        own_key = key if is_plain(key) else shown_key(key)
        setting = make_setting(own_key, value, self.file, key_node, value_node)
        setting.lead = (key_node.text if own_key == key else own_key) + self.joint
        setting.written = written.replace(key, own_key)
        return self.put(setting)

    def put(self, setting: Setting) -> Setting:
        """Add a setting that is made; one that was there is shadowed."""
        settings_of_file.add()
        before = self.settings.pop(setting.key, None)
        if before is not None:
            setting.shadowed = earlier_with(before)
        self.settings[setting.key] = setting
        return setting

    def translate(self, key: str, value: str, source: TreeNode, written: str) -> Setting:
        """Add a setting that an operator or a service writes, at the field that it is made of."""
        return self.set(key, value, source, None, written)

    def derive(self, key: str, value: str, source: TreeNode, written: str) -> Setting:
        """Add a setting that is made of a field in other words, as voters are of a number of replicas."""
        setting = self.translate(key, value, source, written)
        setting.derived = written
        return setting

    def take(self, holder: TreeNode | None, written: str | None = None) -> None:
        """Add the settings of a mapping whose names are Kafka's keys; one that stands there twice is shadowed."""
        if holder is None or holder.kind != MAPPING:
            return
        prefix = self.written if written is None else written
        for key, pair in holder.pairs().items():
            for key_node, value_node in (*holder.earlier(key), pair):
                if not value_node.is_null:
                    self.set(key, text_of(value_node), key_node, value_node, prefix + key)

    def create_with(self, node: TreeNode, factor: str, partitions: str, written: str) -> None:
        """Add what a topic is created with: the fields of its replication factor and of its partitions."""
        for key, field in (("replication.factor", factor), ("partitions", partitions)):
            place, text = node.key(field), node.string(field)
            if place is not None and text not in ("", "-1"):
                self.translate(key, text, place, written + field)

    def take_settings(self, settings: Iterable[Setting], written: str = "") -> None:
        """Add settings that were read of a text inside the file."""
        for setting in settings:
            setting.written = (written or self.written) + setting.key
            self.put(setting)


def deployment(name: str, format: str, file: str) -> Block:
    """A block for what is not a setting: the image, the storage, the number of brokers."""
    return Block(DEPLOYMENT, name, format, file)


def make_setting(key: str, value: str, file: str, key_node: TreeNode, value_node: TreeNode | None) -> Setting:
    """A setting at the place of its key; line 0 is one that is not known."""
    origin = Origin(key_node.file or file, key_node.line or None, key_node.column or None)
    setting = setting_of(key, value, STATIC_BROKER, origin)
    setting.lead = f"{key_node.text}: "
    if value_node is not None and value_node.line:
        setting.span = (value_node.line, value_node.column, *value_node.end)
    return setting


def stated_target(release: str, said: str, key: TreeNode, file: str, written: str) -> Target | None:
    """The target of a release that a field says, at that field; None where it names none.

    `release` is what --kafka-version takes, `said` what the file says.
    """
    stated = make_setting("kafka-version", said, file, key, None)
    stated.written = written
    try:
        version, note = release_of(release)
        vendor = vendor_of(release)
    except ValueError:
        return None
    reason = f"{written} {said}" + (f" ({note.rstrip('.')})" if note else "")
    return Target(version, reason, given=True, vendor=vendor, stated=stated)


def latest_target(said: str, key: TreeNode, file: str, written: str) -> Target:
    """The target of an image that is said to be the newest one, at the field that says so."""
    stated = make_setting("kafka-version", said, file, key, None)
    stated.written = written
    return Target(NEWEST, f"{written} {said}, taken for the newest release", given=True, stated=stated)


def text_of(node: TreeNode) -> str:
    """A value as text: a sequence of scalars is a list with commas."""
    if node.kind == SEQUENCE:
        return ",".join(text_of(child) for child in node.children)
    return "" if node.is_null else node.text
