"""Errors of configurations, waivers and baselines quote no key and no value of a file that is about something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.canary import CANARY
from tests.support.commands import run

GOOD = "acks=all\nbootstrap.servers=a:1,b:1\nsecurity.protocol=SSL\n"
FOREIGN = {
    "a map": f"{CANARY}: x\n",
    "a map of passwords": f"db:\n  {CANARY}: {CANARY}\n",
    "a list of maps": f"- {CANARY}: x\n",
    "a list of words": f"- {CANARY}\n",
    "a rule": f"- rule: {CANARY}\n  reason: x\n",
    "a day": f"- rule: KA101\n  reason: x\n  until: {CANARY}\n",
    "an alias": f"password: *{CANARY}\n",
    "a key twice": f"{CANARY}: 1\n{CANARY}: 2\n",
    "a tag": f"a: !{CANARY} x\n",
    "a typed value": f"a: !!int {CANARY}\n",
    "a profile": f"profile: {CANARY}\n",
    "a threshold": f"fail-on: {CANARY}\n",
    "profiles": f"profiles:\n  {CANARY}: x\n",
    "an open quote": f'a: "{CANARY}\n',
    "a tab": f"a:\n\t{CANARY}: x\n",
    "an anchor": f"a: &{CANARY}\n",
    "a directive": f"%{CANARY} 1\n--- a\n",
    "a name with an equals sign": f"{CANARY}=x\n",
    "JSON": f'{{"{CANARY}": 1, "format": "{CANARY}", "findings": []}}\n',
    "JSON with a list": f'[{{"{CANARY}": 1}}]\n',
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("use", ["kafka-advisor.yaml", "waivers: w.yaml\n", "baseline: w.yaml\n"])
def test_a_foreign_file_is_not_quoted(use: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text(GOOD)
    if use == "kafka-advisor.yaml":
        Path(use).write_text(FOREIGN[name])
    else:
        Path("kafka-advisor.yaml").write_text(use)
        Path("w.yaml").write_text(FOREIGN[name])
    ran = run("lint", "p.properties")
    assert CANARY not in ran.out + ran.err
    assert len(ran.err.splitlines()) <= 1 and "Traceback" not in ran.err


@pytest.mark.parametrize(
    "text",
    [
        f"[tool.{CANARY}]\na=1\n[tool.{CANARY}]\n",
        f"{CANARY} = 1\n{CANARY} = 2\n",
        f"[tool.kafka-advisor]\n{CANARY} = 1\n",
    ],
)
def test_a_pyproject_is_not_quoted(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text(GOOD)
    Path("pyproject.toml").write_text(text + "\n[tool.kafka-advisor]\n" * ("kafka-advisor" not in text))
    ran = run("lint", "p.properties")
    assert ran.code == 2 and CANARY not in ran.out + ran.err


def test_a_slip_in_a_name_of_ours_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text(GOOD)
    for text, word in (
        ("profil: dev\n", "profil"),
        ("waivers:\n- rule: aks-not-all\n  reason: x\n", "aks-not-all"),
        ("waivers:\n- reasn: x\n", "reasn"),
    ):
        Path("kafka-advisor.yaml").write_text(text)
        assert word in run("lint", "p.properties").err
