"""What outputs show of a value: decided by what is known of its key, never by what the value looks like."""

from __future__ import annotations

from advisor.cache import cached_if_long
from advisor.catalog import ADDRESS, FREE_TEXT, PASSWORD, PRINCIPAL, TYPED
from advisor.catalog.keys import COMPONENTS, OPENERS, value_class
from advisor.catalog.spelling import SUGGESTIONS
from advisor.model import EMPTY, HIDDEN, LITERAL, LIVE, MASK, Setting
from advisor.secrets import ALONE, TO_BE_REPLACED, TO_BE_WRITTEN, WORDS, is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.model import Origin

    Level = tuple[str, str | None]
    """(source, value) of one level of a running broker's setting."""

BROKER = "broker"
PLAIN = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._+-")
AROUND = "\"'`;,\u201c\u201d"
"""What a habit of other formats leaves around a value."""
SHORT = 20
"""Characters of a value that is not a number or boolean and yet is shown for a key that takes one."""
WORDS_OF_PROSE = (*WORDS, "bearer ", "basic ", "digest ", "authorization", "auth:", "api key", "pw ", "pass ", "pin ")
"""What names a secret in words, before it or behind it."""
PARTS_OF_NAMES = (*WORDS, *ALONE, "key", "info", "jaas")
"""One of them is in every name of a secret that is spelled right."""
WORD = 40
"""Characters of a word that a choice between words may have."""
JOINTS = ("|", "#", "->", "=>", "%0", "%2", "%3")
"""What joins a second setting to a value on its line, as blanks do; a URL encodes them."""
CHOICES = ("in", "in_nonempty", "in_ci", "in_ci_nonempty", "in_or_duration", "one_or_some", "kafka_version")
"""Validators that take some words and nothing else."""
LOGIN = r"://[^/\s@:]{1,200}:[^/\s@${}]{1,500}@|[?&;](?:password|pwd)=[^&;\s${}]{1,500}"
"""A password in an address, which is written there and not filled in."""
BEGINS_SECRET = (
    "---- BEGIN", "-----BEGIN", "LoginModule", " required ", " requisite ", "eyJhbGciOi", "eyJ0eXAiOi", "glpat-", "glrt-",
    "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "xoxb-", "xoxp-", "xapp-", "npm_", "sk_live_", "sk_test_", "sk-proj-", "sk-ant-",
    "hvs.CAES", "dop_v1_", "shpat_", "AIza", "ya29.", "pypi-AgE", "ENC(", "{cipher}",
)  # fmt: skip
"""What a text holds that is a secret under any key: keys, logins and tokens of well-known services."""


def setting_of(key: str, value: str, source: str, origin: Origin, shadowed: Sequence[Setting] = ()) -> Setting:
    """A setting as it is read: a secret's value goes no further than its shape, and the modules of a JAAS line."""
    if is_secret(key) or "LoginModule" in value or "PRIVATE KEY-----" in value or holds_login(value):
        return _secret_setting(key, value, source, origin, shadowed)
    if not value.strip():
        return Setting(key, value, source, origin, shape=EMPTY, shadowed=shadowed)
    if not _may_be_placeholder(value):
        return Setting(key, value, source, origin, shadowed=shadowed)
    from advisor.secrets.placeholders import provider_of, shape_of

    provider = provider_of(value)
    return Setting(key, value, source, origin, shape=shape_of(value), provider=provider, shadowed=shadowed)


def holds_login(value: str) -> bool:
    """Whether an address has a password in it: scheme://user:password@host, or a parameter of that name."""
    if "://" not in value or ("@" not in value and "=" not in value):
        return False
    import re

    return re.search(LOGIN, value, re.IGNORECASE) is not None


@cached_if_long
def _may_be_placeholder(value: str) -> bool:
    if value.isalnum():
        return value in TO_BE_WRITTEN or not value.strip("xX")
    if value[:2] == "##" or value.lstrip()[:1] in ("_", ":", "%") or any(mark in value for mark in "$<{["):
        return True
    if value.count("%") > 1 or value.count("@") > 1:
        return True
    return any(word in value for word in TO_BE_REPLACED)


def _secret_setting(key: str, value: str, source: str, origin: Origin, shadowed: Sequence[Setting]) -> Setting:
    from advisor.secrets.placeholders import provider_of, shape_of

    hidden, shape, jaas = MASK if value.strip() else "", shape_of(value), None
    if "jaas.config" in key or "LoginModule" in value:
        from advisor.secrets.jaas import jaas_of, shape_of_secret

        shape, jaas = shape_of_secret(value), jaas_of(value)
    provider = provider_of(value)
    return Setting(
        key, hidden, source, origin, secret=True, shape=shape, jaas=jaas, provider=provider, shadowed=shadowed
    )


def protect(kind: str, settings: Mapping[str, Setting]) -> None:
    """Mask the values of keys that no catalog knows, and set for all others what outputs show."""
    strangers = 0
    for key, setting in settings.items():
        own_class = None if setting.secret else value_class(kind, key, settings)
        strangers += own_class is None
        shown_by_value: dict[str, str] = {}
        for each in (setting, *setting.shadowed):
            if not each.secret:
                _protect(each, own_class, kind if strangers <= SUGGESTIONS else None, shown_by_value)


def _protect(setting: Setting, own_class: str | None, kind: str | None, shown_by_value: dict[str, str]) -> None:
    """Mask a value, or set what outputs show of it, which is worked out once for equal values of a key."""
    value = setting.value
    if setting.shape == EMPTY or _is_simple(value):
        return
    if own_class is None and setting.key[:1] in OPENERS:
        setting.shown = MASK
    elif own_class is None:
        if kind is None or setting.shape != LITERAL or not _is_word_of_nearest(kind, setting.key, value.strip()):
            setting.value = setting.shown = MASK
    else:
        if value not in shown_by_value:
            shown_by_value[value] = shown(value, own_class)
        setting.shown = shown_by_value[value]


@cached_if_long
def shown(value: str, own_class: str) -> str:
    """What outputs show of a value of such a class; nothing of what follows a word that names a secret in another part."""
    cut = masking_cut(value)
    if cut is not None:
        return f"{shown(value[:cut].rstrip(), own_class)} {MASK}"
    text, comment = _without_comment(value)
    if comment:
        return f"{shown(text, own_class)} {comment} {MASK}"
    if own_class in (PASSWORD, FREE_TEXT) or any(mark in value for mark in BEGINS_SECRET):
        return MASK
    if own_class == TYPED:
        return _typed(value)
    if any(mark in value for mark in "${<"):
        from advisor.secrets.placeholders import without_arguments

        value = without_arguments(value)
    if not (any(mark in value for mark in "@=?") or _may_name_secret(value)) or (
        own_class == ADDRESS and _is_voters(value)
    ):
        return value
    from advisor.secrets import masking

    mask = {ADDRESS: masking.mask_addresses, PRINCIPAL: masking.mask_principals}.get(own_class, masking.mask)
    return masking.mask_assignments(mask(value), "=:")


def _may_name_secret(value: str) -> bool:
    """Whether a colon may stand behind the name of a secret or a user: a quick check that saves most values a closer look."""
    lowered = value.lower() if ":" in value else ""
    return bool(lowered) and ("-u" in lowered or any(word in lowered for word in PARTS_OF_NAMES))


def masking_cut(value: str) -> int | None:
    """Where the part of a value begins that names a secret, such as a second setting on the same line; None without one."""
    if value.split() == [value] and not any(joint in value for joint in JOINTS):
        return None
    lowered = value.lower()
    last = max(lowered.rfind(word) for word in WORDS_OF_PROSE)
    for at, char in enumerate(value[: last + 1]):
        is_joint = char.isspace() or value.startswith(JOINTS, at)
        if is_joint:
            return at
    return _end_of_name(lowered)


def _end_of_name(lowered: str) -> int | None:
    """Where the name of a secret ends behind which its text stands, as in `password a1b2`; None without one."""
    ends = (at + len(word.rstrip()) for word in WORDS_OF_PROSE if (at := lowered.find(word)) >= 0)
    return min((at for at in ends if lowered[at : at + 1].isspace() or lowered.startswith(JOINTS, at)), default=None)


def _is_voters(value: str) -> bool:
    """Whether a value is id@host:port,…: no user info stands before an @."""
    if "=" in value or "?" in value or "://" in value:
        return False
    return all(item.rpartition("@")[0].strip().isdigit() for item in value.split(",") if "@" in item)


def described_setting(key: str, value: str | None, source: str) -> Setting:
    """A setting as a running cluster or a saved snapshot describes it; None is a value that the cluster keeps to itself."""
    if value is None or value == MASK or is_secret(key):
        return Setting(key, MASK, source, LIVE, secret=True, shape=HIDDEN)
    text = shown_value(key, value)
    known = text is value or value_class(BROKER, key, {}) is not None
    return Setting(key, value if known else text, source, LIVE, shape=_shape_of(value), shown=text)


def shown_value(key: str, value: str) -> str:
    """What outputs show of a value that a running cluster has under a key of its brokers or topics."""
    secret = is_secret(key)
    if not value.strip() or (_is_simple(value) and not secret):
        return value
    own_class = None if secret else value_class(BROKER, key, {})
    return MASK if own_class is None else shown(value, own_class)


def shown_levels(levels: Mapping[str, tuple[Level, ...]]) -> dict[str, tuple[Level, ...]]:
    """The (source, value) pairs of every key, with what outputs show of the values."""
    return {
        key: tuple((source, None if value is None else shown_value(key, value)) for source, value in chain)
        for key, chain in levels.items()
    }


def shown_defaults(defaults: Mapping[str, str | None]) -> dict[str, str | None]:
    """The described defaults, with what outputs show of them."""
    return {key: None if value is None else shown_value(key, value) for key, value in defaults.items()}


def _shape_of(value: str) -> str:
    from advisor.secrets.placeholders import shape_of

    return shape_of(value)


def _is_simple(value: str) -> bool:
    """Whether a value is a number or a boolean, which no key hides that is not a secret."""
    text = value.strip()
    return text in ("true", "false") or (len(text) <= SHORT and text.isascii() and text.removeprefix("-").isdigit())


def _typed(value: str) -> str:
    """The value of a key that takes a number or a boolean: as it is if it can be one, or is short and plain."""
    text = value.strip()
    if len(text) <= SHORT and PLAIN.issuperset(text.strip(AROUND)):
        return value if len(value) <= 2 * SHORT else text
    if _is_number(text):
        return text
    if any(mark in text for mark in "${<%@["):
        from advisor.secrets.placeholders import around, without_arguments

        before_and_after = around(text)
        if before_and_after is not None and PLAIN.issuperset(before_and_after) and len(before_and_after) <= SHORT:
            return without_arguments(text, defaults=False)
    return MASK


def _without_comment(text: str) -> tuple[str, str]:
    """(what stands before a comment behind a value, the mark of the comment)."""
    for mark in ("#", "//", "/*", "<!--"):
        value, blank_and_mark, _ = text.partition(f" {mark}")
        if blank_and_mark:
            return value.rstrip(), mark
    return text, ""


def _is_number(text: str) -> bool:
    try:
        return len(text) <= 2 * SHORT and text.isascii() and float(text) is not None
    except ValueError:
        return False


def _is_word_of_nearest(kind: str, key: str, value: str) -> bool:
    """Whether the value is a word that the nearest key in the catalog takes: gzip under compresion.type."""
    if len(value) > WORD or not PLAIN.issuperset(value):
        return False
    from advisor.catalog import NEWEST, definitions, lookup
    from advisor.catalog.spelling import closest
    from advisor.catalog.values import refusal

    for component in COMPONENTS.get(kind, ()):
        nearest = closest(key, definitions(component, NEWEST))
        definition = lookup(component, NEWEST, nearest) if nearest else None
        if definition and definition.valid and str(definition.valid[0]) in CHOICES:
            return refusal(definition, value) is None
    return False
