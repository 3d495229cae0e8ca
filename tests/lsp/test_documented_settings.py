"""The settings that docs/editors.md shows for VS Code and JetBrains have the names and types that those clients take."""

from __future__ import annotations

import json
import re
from typing import Any

from advisor.lsp.code_actions import FIX_ALL
from advisor.lsp.judged import client_settings
from tests.support.commands import ROOT, run

VS_CODE = {"command": str, "commandArguments": list, "languageId": list, "environmentVariables": dict, "initializationOptions": dict}  # fmt: skip
"""What Generic LSP Client (v2) 0.2 takes under glspc.server, by its package.json."""
WHEN = ("explicit", "always", "never")
"""When VS Code runs a code action on save."""


def shown() -> dict[str, Any]:
    """The JSON that the page shows, by its first key."""
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs/editors.md").read_text(), re.DOTALL)
    return {next(iter(settings)): settings for settings in map(json.loads, blocks)}


def test_vs_code() -> None:
    settings = shown()["glspc.server.command"]
    own = {key.removeprefix("glspc.server."): value for key, value in settings.items() if key.startswith("glspc.")}
    assert [name for name, value in own.items() if not isinstance(value, VS_CODE[name])] == []
    assert client_settings(own["initializationOptions"]).profile == "production"
    assert own["command"] == "kafka-advisor" and run(*own["commandArguments"], "--help").code == 0
    ((action, when),) = settings["editor.codeActionsOnSave"].items()
    assert action == FIX_ALL and when in WHEN


def test_jetbrains() -> None:
    template, options = shown()["id"], shown()["profile"]
    assert template.keys() == {"id", "name", "programArgs", "fileTypeMappings"}
    program, *arguments = template["programArgs"]["default"].split()
    assert program == "kafka-advisor" and run(*arguments, "--help").code == 0
    assert client_settings(options).profile == "production"
    patterns = []
    for mapping in template["fileTypeMappings"]:
        assert mapping.keys() == {"fileType", "languageId"} and mapping["fileType"].keys() == {"name", "patterns"}
        patterns += mapping["fileType"]["patterns"]
    assert len(patterns) == len(set(patterns)) > 5 and all(re.fullmatch(r"\*\.[a-z]+", each) for each in patterns)
