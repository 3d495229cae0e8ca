"""OAUTHBEARER tokens for kafka-python: the client credentials grant (librdkafka fetches its own)."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from email.message import Message
    from urllib.request import OpenerDirector, Request

SHARE = 0.8
"""How much of its life a token is used for before the next one is fetched."""
USUAL = 300.0
"""Seconds a token lives that does not say how long."""
LIMIT = 1024 * 1024
PROVIDERS = ("kafka.net.sasl.oauth", "kafka.sasl.oauth")
"""Where kafka-python 3 and 2 have the class that a token provider must be of."""


class NoToken(Exception):
    """The identity provider returned no token; the text is one line without a secret."""


class Tokens:
    """Fetches an access token and caches it until it expires. Source: RFC 6749 section 4.4, KIP-768."""

    def __init__(
        self,
        endpoint: str,
        client: str,
        secret: str,
        scope: str | None,
        *,
        extensions: dict[str, str],
        timeout: float,
        authorities: tuple[str | None, str | None] = (None, None),
    ) -> None:
        self._endpoint = endpoint
        self._client = client
        self._secret = secret
        self._scope = scope
        self._extensions = extensions
        self._timeout = timeout
        self._opener = _opener(authorities)
        self._token = ""
        self._until = 0.0

    def token(self) -> str:
        """A valid access token. Raises NoToken."""
        if time.monotonic() >= self._until:
            started = time.monotonic()
            self._token, lives = self._fetch()
            self._until = started + lives * SHARE
        return self._token

    def extensions(self) -> dict[str, str]:
        """The SASL extensions sent with the token."""
        return self._extensions

    def _fetch(self) -> tuple[str, float]:
        from http.client import HTTPException

        try:
            with self._opener.open(self._request(), timeout=self._timeout) as response:
                answer = json.loads(response.read(LIMIT))
            return str(answer["access_token"]), float(answer.get("expires_in") or USUAL)
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise NoToken(f"{self._endpoint}: no token: {_one_line(reason)}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise NoToken(f"{self._endpoint}: no token: the answer is not JSON with an access_token") from None

    def _request(self) -> Request:
        from base64 import b64encode
        from urllib.parse import urlencode
        from urllib.request import Request

        form = {"grant_type": "client_credentials", **({"scope": self._scope} if self._scope else {})}
        proof = b64encode(f"{self._client}:{self._secret}".encode()).decode()
        headers = {"Authorization": f"Basic {proof}", "Accept": "application/json"}
        return Request(self._endpoint, urlencode(form).encode(), headers)


def register() -> bool:
    """Register Tokens as a token provider of kafka-python; False where that is not installed."""
    from importlib import import_module

    for module in PROVIDERS:
        try:
            import_module(module).AbstractTokenProvider.register(Tokens)
        except ImportError:
            continue
        return True
    return False


def _opener(authorities: tuple[str | None, str | None]) -> OpenerDirector:
    from urllib.request import HTTPRedirectHandler, HTTPSHandler, build_opener

    class Stay(HTTPRedirectHandler):
        """The secret goes to the address it was meant for, and nowhere else."""

        def redirect_request(
            self, req: Request, fp: object, code: int, msg: str, headers: Message, newurl: str
        ) -> None:
            return None

    return build_opener(Stay, HTTPSHandler(context=_context(*authorities)))


def _context(path: str | None, text: str | None) -> ssl.SSLContext:
    import os
    import ssl

    if path and os.path.isdir(path):
        return ssl.create_default_context(capath=path)
    return ssl.create_default_context(cafile=path, cadata=text)


def _one_line(reason: object) -> str:
    return " ".join(str(reason).split())
