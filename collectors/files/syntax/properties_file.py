"""Read properties text into settings: templates, PEM text, suppressions, and the limits of a file."""

from __future__ import annotations

from advisor.catalog.keys import is_known
from advisor.errors import UnreadableInput
from advisor.model import EMPTY, MASK, PEM_TEXT, PLACEHOLDER, STATIC_BROKER, Origin, Setting, Suppression
from advisor.secrets import is_plain
from advisor.secrets.disclosure import setting_of
from collectors.files.syntax.properties import LONGEST_ENTRY, BrokenEscape, Comment, Entry, TooLong, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MB = 1024 * 1024
BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
PEM_LINE = 48
"""Characters from which on a line of nothing else but base64 is a piece of PEM text, and no key."""
DASHES = "----"
BEGIN = ("-----BEGIN", "---- BEGIN")
"""How a key begins: PEM text and PGP, and SSH2."""
PEM_HEADERS = frozenset((
    "Proc-Type", "DEK-Info", "Key-Info", "MIC-Info", "Content-Domain", "Originator-ID-Asymmetric",
    "Version", "Comment", "Hash", "Charset",
))  # fmt: skip
"""What may stand between the first line of PEM text and its base64. Sources: RFC 1421, RFC 4880, RFC 4716."""
JOINTS = " \t\"'`+;,()"
"""What a program writes around the pieces of a text."""
DATE = frozenset("0123456789-")
LONGEST_NAME = 80
TOKEN = 20
"""Characters from which on a word that stands as a key may be a token of its own, whose line was broken."""
TEMPLATES = frozenset(("dist", "example", "in", "orig", "sample", "template", "tmpl", "tpl"))
"""What names of files end with that are copied, and filled in, before they are used."""
LEFT_EMPTY = "<empty>"
MOST_SETTINGS = 5_000
MOST_RULES = 100
"""Rules, names and families that one comment may name."""


def read_settings(
    text: str, shown: str, lines: int = 0, columns: int = 0
) -> tuple[dict[str, Setting], list[Suppression]]:
    """The settings of a properties text, and the comments that suppress findings. Raises UnreadableInput.

    A text inside another file begins `lines` further down, and each of its lines `columns` further to the right.
    """
    try:
        return _settings(text, shown, lines, columns)
    except BrokenEscape as broken:
        where = f"{shown}:{broken.line + lines}:{broken.column + columns}"
        raise UnreadableInput(
            f"{where}: a \\u that four hexadecimal digits do not follow; Java refuses such a file: write \\\\u or \\uXXXX"
        ) from None
    except TooLong as long:
        raise UnreadableInput(f"{shown}:{long.line + lines}: over {LONGEST_ENTRY // MB} MB in one setting") from None


def _settings(text: str, shown: str, lines: int, columns: int) -> tuple[dict[str, Setting], list[Suppression]]:
    settings = FileSettings(shown)
    for item in parse(text):
        if lines or columns:
            _move(item, lines, columns)
        if isinstance(item, Comment):
            settings.comment(item)
        else:
            settings.entry(item)
    settings.mark_conditional()
    if shown.rpartition(".")[2].lower() in TEMPLATES:
        settings.mark_empty()
    return settings.by_key, settings.suppressions + settings.pending


class FileSettings:
    """The settings of a properties text, and the comments that suppress findings, as far as it is read."""

    __slots__ = ("after_secret", "by_key", "depth", "in_pem", "optional", "pending", "shown", "size", "suppressions")

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.by_key: dict[str, Setting] = {}
        self.suppressions: list[Suppression] = []
        self.pending: list[Suppression] = []
        self.optional: dict[str, int] = {}
        """The keys inside blocks of a template, and how deep."""
        self.depth, self.in_pem, self.size = 0, False, 0
        self.after_secret = False

    def comment(self, item: Comment) -> None:
        """A comment, which may suppress what the next setting shows."""
        if "kafka-advisor:" not in item.text:
            return
        self.pending.append(suppression(self.shown, item))
        if len(self.pending) + len(self.suppressions) > MOST_SETTINGS:
            raise UnreadableInput(f"{self.shown}:{item.line}: over {MOST_SETTINGS} comments that suppress findings")

    def entry(self, item: Entry) -> None:
        """A key with its value, or a line that steers a template."""
        step = _template_step(item)
        if step is not None:
            self.depth = max(0, self.depth + step)
            return
        for waiting in self.pending:
            waiting.key = item.key if waiting.key == "" else None
        self.suppressions += self.pending
        self.pending.clear()
        if not is_plain(item.key) or (len(item.key) >= TOKEN and "." not in item.key):
            item.key = _shown_key(item.key)
        if self.after_secret and not item.value.strip("=") and not _is_name(item.key):
            item.key = MASK
        self.in_pem, is_pem_text = _pem_text(item, self.in_pem)
        if not is_pem_text:
            self._add(item)
        elif PEM_TEXT not in self.by_key:
            item.key, item.value = PEM_TEXT, ""
            self._add(item)

    def _add(self, item: Entry) -> None:
        before = self.by_key.pop(item.key, None)
        self._check_size(item)
        if self.depth:
            self.optional[item.key] = self.depth
        self.by_key[item.key] = _setting(item, self.shown, before)
        self.after_secret = self.by_key[item.key].secret or item.key == MASK
        if before and item.key in self.optional:
            _make_undecided(self.by_key[item.key])

    def mark_conditional(self) -> None:
        """Mark the settings that stand deeper in blocks of a template than the file's others."""
        if self.optional:
            least = min(self.optional.get(key, 0) for key in self.by_key)
            for key, depth in self.optional.items():
                self.by_key[key].conditional = depth > least

    def mark_empty(self) -> None:
        """Mark the settings without a value as such that are filled in later."""
        for setting in self.by_key.values():
            if setting.shape == EMPTY:
                setting.shape, setting.value, setting.shown = PLACEHOLDER, LEFT_EMPTY, LEFT_EMPTY

    def _check_size(self, item: Entry) -> None:
        self.size += len(item.raw)
        if self.size > LONGEST_ENTRY:
            raise UnreadableInput(f"{self.shown}:{item.line}: over {LONGEST_ENTRY // MB} MB of settings")
        if len(self.by_key) >= MOST_SETTINGS:
            raise UnreadableInput(
                f"{self.shown}:{item.line}: over {MOST_SETTINGS} settings; a configuration file has some hundred"
            )


def _move(item: Entry | Comment, lines: int, columns: int) -> None:
    item.line += lines
    if isinstance(item, Entry):
        item.column += columns
        item.value_line += lines
        item.value_column += columns
        item.end = (item.end[0] + lines, item.end[1] + columns)


def _pem_text(entry: Entry, in_pem: bool) -> tuple[bool, bool]:
    """(whether lines of PEM text follow, whether this is one): a key of them is a piece of a secret, not a name."""
    raw = _without_quotes(entry.raw) if in_pem or DASHES in entry.raw else entry.raw.strip()
    if DASHES in raw:
        return any(mark in raw for mark in BEGIN) and f"{DASHES}END" not in raw.replace(" ", ""), raw.startswith(DASHES)
    if in_pem and raw.partition(":")[0] in PEM_HEADERS:
        return True, True
    piece = BASE64.issuperset(raw.rstrip("=")) and (in_pem or (len(entry.key) >= PEM_LINE and "." not in raw))
    return in_pem and piece, piece


def _without_quotes(line: str) -> str:
    """A line that stands in the code of a program as a piece of a text: without quotes, escapes and what joins it."""
    line = line.strip(JOINTS)
    while line.endswith(("\\n", "\\r")):
        line = line[:-2].strip(JOINTS)
    return line.removesuffix("\\")


def _shown_key(key: str) -> str:
    from advisor.secrets.placeholders import shown_key

    return shown_key(key)


def _template_step(entry: Entry) -> int | None:
    """By how many blocks a line that may steer a template nests deeper, None for a setting."""
    if not entry.key.startswith(("{", "<")):
        return None
    from collectors.files.syntax import templates

    return templates.steps(entry.raw.strip()) if templates.may_steer(entry.key) else None


def _is_name(key: str) -> bool:
    """Whether a key without a value is a setting or a variable, and not what is left of a secret that a line break cuts."""
    return "." in key or is_known(key) or ("_" in key and key.isupper() and key.isidentifier())


def _make_undecided(setting: Setting) -> None:
    """Turn a setting that a template gives several values into a placeholder that overrides nothing."""
    from collectors.files.syntax.templates import CHOICE

    setting.shadowed = ()
    if not setting.secret:
        setting.shape, setting.value, setting.shown = PLACEHOLDER, CHOICE, CHOICE


def earlier_with(before: Setting) -> Sequence[Setting]:
    """The earlier settings under the same key, with one more; the list may be long and is reused."""
    earlier = before.shadowed if isinstance(before.shadowed, list) else list(before.shadowed)
    before.shadowed = ()
    earlier.append(before)
    return earlier


def _setting(entry: Entry, shown: str, before: Setting | None) -> Setting:
    key, value = entry.key, entry.value
    origin = Origin(shown, entry.line, entry.column)
    shadowed = earlier_with(before) if before else ()
    setting = setting_of(key, value, STATIC_BROKER, origin, shadowed)
    setting.span = (entry.value_line, entry.value_column, *entry.end)
    setting.quoted = entry.raw if "\n" not in entry.raw else entry.raw[: entry.raw.index("\n")]
    return setting


def suppression(shown: str, comment: Comment) -> Suppression:
    """Parse `# kafka-advisor: ignore[KA101,…] reason until=2027-01-31` (or ignore-file[…])."""
    from advisor.secrets.masking import mask_prose

    words = comment.text.split("kafka-advisor:", 1)[1].strip()
    head, _, brackets = words.partition("[")
    inside, closed, reason = brackets.partition("]")
    until = None
    reason_words = []
    for word in reason.split():
        if word.startswith("until="):
            date = word[len("until=") :]
            until = date if DATE.issuperset(date) and len(date) <= len("2027-01-31") else MASK
        else:
            reason_words.append(word)
    is_understood = head.strip() in ("ignore", "ignore-file") and closed and inside.count(",") < MOST_RULES
    rules = tuple(_rule_name(name.strip()) for name in inside.split(",") if name.strip()) if is_understood else ()
    key = None if head.strip() == "ignore-file" else ""
    return Suppression(shown, comment.line, key, rules, mask_prose(" ".join(reason_words)), until)


def _rule_name(name: str) -> str:
    """A name as rules have them, masked where it cannot be one: a comment may hold anything."""
    is_id = name[:2].upper() == "KA" and name[2:].isdigit() and len(name) <= len("KA12345")
    has_few_digits = sum(char.isdigit() for char in name) <= 1
    is_word = name.isascii() and name.replace("-", "").isalnum() and name.islower() and len(name) <= LONGEST_NAME
    return name if is_id or (is_word and has_few_digits) else MASK
