"""What a kustomization makes of files and nodes: judged under its name, or said to be not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

KEY, VARIABLE = "unclean.leader.election.enable", "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
NODES = (
    "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: kafka}\nspec:\n  replicas: 3\n  template: {spec: {containers: [{name: k, image: 'apache/kafka:4.3.0', "
    "env: [{name: KAFKA_NODE_ID, value: '1'}, {name: KAFKA_PROCESS_ROLES, value: broker}]}]}}\n"
)
WEB = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: w, image: nginx, env: [{name: KAFKA_URL, value: 'a:1'}]}]}}}\n"
BY_PLACE = "- op: replace\n  path: /spec/template/spec/containers/0/env/1/value\n  value: 'true'\n"
RESOURCES = "resources: [k.yaml]\n"
PATCHES = f"{RESOURCES}patches:\n- target: {{kind: StatefulSet}}\n  path: p.yaml\n"
GENERATED = {
    "a file under another name": ({"kustomization.yaml": "configMapGenerator:\n- name: k\n  files: [server.properties=srv.txt]\n", "srv.txt": f"# mine\n{KEY}=VALUE\nlog.retention.hours=48\nfoo=bar\n"}, "KA104"),
    "variables": ({"a/kustomization.yaml": "secretGenerator:\n- name: k\n  envs: [k.lst]\n", "a/k.lst": f"{VARIABLE}=VALUE\nKAFKA_NODE_ID=1\nKAFKA_PROCESS_ROLES=broker\n"}, "KA104"),
}  # fmt: skip
CHANGED = {
    "replicas": {"kustomization.yaml": f"{RESOURCES}replicas: [{{name: kafka, count: 1}}]\n", "k.yaml": NODES},
    "a patch in a file": {"kustomization.yaml": PATCHES, "k.yaml": NODES, "p.yaml": BY_PLACE},
    "a patch in place": {"kustomization.yaml": f"{RESOURCES}patches:\n- patch: |-\n    {BY_PLACE.replace(chr(10), chr(10) + '    ')}\n", "k.yaml": NODES},
    "a patch of a base": {"over/kustomization.yaml": "resources: [../base]\npatchesJson6902:\n- path: p.yaml\n", "over/p.yaml": BY_PLACE, "base/k.yaml": NODES},
}  # fmt: skip
OF_OTHERS = {
    "replicas": {"kustomization.yaml": f"{RESOURCES}replicas: [{{name: web, count: 1}}]\n", "k.yaml": WEB},
    "a patch": {"kustomization.yaml": PATCHES, "k.yaml": WEB, "p.yaml": BY_PLACE},
    "replicas of another one beside": {"kustomization.yaml": "resources: [k.yaml, w.yaml]\nreplicas: [{name: web, count: 1}]\n", "k.yaml": NODES, "w.yaml": WEB},
    "an image": {"kustomization.yaml": f"{RESOURCES}images: [{{name: nginx, newTag: '2'}}]\n", "k.yaml": NODES},
}  # fmt: skip


def lint(folder: Path, files: dict[str, str]) -> tuple[set[str], str]:
    """(rules, what was said beside the report) of a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json")
    return {row["rule"] for row in ran.json["findings"]} if ran.out else set(), ran.err


@pytest.mark.parametrize(("files", "rule"), GENERATED.values(), ids=GENERATED)
def test_what_a_generator_takes_is_judged(files: dict[str, str], rule: str, tmp_path: Path) -> None:
    for value, is_found in (("true", True), ("false", False)):
        made = {path: text.replace("VALUE", value) for path, text in files.items()}
        assert (rule in lint(tmp_path / value, made)[0]) == is_found


@pytest.mark.parametrize("files", CHANGED.values(), ids=CHANGED)
def test_what_is_changed_by_its_place_is_said(files: dict[str, str], tmp_path: Path) -> None:
    assert lint(tmp_path, files)[1].count("change a node that is judged without them") == 1


@pytest.mark.parametrize("files", OF_OTHERS.values(), ids=OF_OTHERS)
def test_nothing_is_said_of_others(files: dict[str, str], tmp_path: Path) -> None:
    assert "not read" not in lint(tmp_path, files)[1]
