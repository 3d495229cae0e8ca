"""Which variables may hold a secret: by their names, or because a text is that of a key or a token."""

from __future__ import annotations

import re
from itertools import pairwise

from advisor.secrets import is_secret

NAMES = frozenset(("AUTH", "CREDENTIAL", "CREDENTIALS", "CRED", "CREDS", "PASS", "PASSWD", "PASSWORD", "PASSCODE", "PAT", "PSK", "PW",
                   "PWD", "SALT", "SECRET", "SECRETS", "SIGNATURE", "TOKEN", "APIKEY", "JWT", "DSN", "BEARER", "COOKIE", "HMAC", "SAS"))  # fmt: skip
TWO_WORDS = {("API", "KEY"), ("ACCESS", "KEY"), ("PRIVATE", "KEY"), ("SSH", "KEY"), ("CONNECTION", "STRING")}
KEY = "KEY"
"""What the name of a secret may end with, whatever it opens: AZURE_STORAGE_KEY."""
BETWEEN_WORDS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
TOKEN = re.compile(r"(?:gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA|ASIA|eyJ|sk-|npm_|hvs\.)\S{8,}")
"""What tokens of well-known services begin with."""
RANDOM = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
KINDS_OF_CHARACTERS = re.compile(r"(?<![0-9])[0-9]+[A-Za-z]+[0-9]+")


def holds_secret(name: str, value: str) -> bool:
    """Whether a variable is left a placeholder: by its name, or because its text is that of a key or a token."""
    return names_secret(name) or is_token(value)


def is_token(text: str) -> bool:
    """Whether a text is that of a key or a token: it begins as one, or is made of letters and digits by turns."""
    return bool(TOKEN.fullmatch(text) or (RANDOM.fullmatch(text) and len(KINDS_OF_CHARACTERS.findall(text)) > 1))


def names_secret(name: str) -> bool:
    """Whether the name of a variable says that it holds a secret: DB_PASSWORD, apiKey, kafka.auth."""
    words = BETWEEN_WORDS.sub("_", name).upper().split("_")
    is_key = words[-1] == KEY and len(words) > 1
    return is_key or is_secret(name) or not NAMES.isdisjoint(words) or bool(TWO_WORDS & set(pairwise(words)))
