"""Random edits: every range is one of the text, every request is answered, and in the end the server has the client's text."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import ROOT
from tests.support.language_client import server
from tests.support.random_typing import RandomTyping

FILES = ("compose-two-services.yml", "spring-profiles.yml", "msk.tf", "appsettings.json", "vector.toml", "kafka.env")
EDITS = 300


def test_random_edits(tmp_path: Path) -> None:
    with server() as client:
        typing = RandomTyping(client, seed=7)
        for name in FILES:
            typing.open(tmp_path / name, (ROOT / "examples/inputs" / name).read_text())
        typing.open(tmp_path / "server.properties", (ROOT / "examples/bad/server.properties").read_text())
        typing.play(EDITS)
        typing.conclude()
        assert typing.answered > EDITS / 20
        assert typing.cancelled
        assert not [params for method, params in client.said if method == "window/logMessage"]
