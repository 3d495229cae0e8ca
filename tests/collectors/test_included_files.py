"""Files that others include: variables of Compose's `include`, and what lies outside of the folder that is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

SERVICE = "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: %s\n"
UNCLEAN = SERVICE % "${UNCLEAN:-false}"
INCLUDED: dict[str, tuple[dict[str, str], bool]] = {
    "the parent's .env": ({"compose.yml": "include: [a/compose.yml]\n", "a/compose.yml": UNCLEAN, ".env": "UNCLEAN=true\n"}, True),
    "the parent's .env over its own": ({"compose.yml": "include: [a/compose.yml]\n", "a/compose.yml": UNCLEAN, ".env": "UNCLEAN=true\n", "a/.env": "UNCLEAN=false\n"}, True),
    "its own where the parent has none": ({"compose.yml": "include: [a/compose.yml]\n", "a/compose.yml": UNCLEAN, "a/.env": "UNCLEAN=true\n"}, True),
    "a good parent over its own": ({"compose.yml": "include: [a/compose.yml]\n", "a/compose.yml": UNCLEAN, ".env": "UNCLEAN=false\n", "a/.env": "UNCLEAN=true\n"}, False),
    "an env_file in place of its own": ({"compose.yml": "include: [{path: a/compose.yml, env_file: k.env}]\n", "a/compose.yml": UNCLEAN, "k.env": "UNCLEAN=true\n", "a/.env": "UNCLEAN=false\n"}, True),
    "a project's folder": ({"compose.yml": "include: [{path: [a/compose.yml], project_directory: b}]\n", "a/compose.yml": UNCLEAN, "a/.env": "UNCLEAN=false\n", "b/.env": "UNCLEAN=true\n"}, True),
    "included by what is included": ({"compose.yml": "include: [a/compose.yml]\n", "a/compose.yml": "include: ['b/compose.yml']\n", "a/b/compose.yml": UNCLEAN, ".env": "UNCLEAN=true\n"}, True),
    "a file that includes itself": ({"compose.yml": f"include: [compose.yml]\n{UNCLEAN}", ".env": "UNCLEAN=true\n"}, True),
    "not included": ({"compose.yml": "include: [b/compose.yml]\n", "a/compose.yml": UNCLEAN, ".env": "UNCLEAN=true\n"}, False),
}  # fmt: skip
TOPIC = 'resource "kafka_topic" "t" {\n  name = "t"\n  partitions = 3\n  replication_factor = 1\n}\n'
MANIFEST = (
    "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t}\nspec: {partitions: 3, replicas: 1}\n"
)
OUTSIDE = {
    "what a service extends": ({"compose.yml": "services:\n  k:\n    extends: {file: ../outside/b.yml, service: k}\n"}, {"b.yml": SERVICE % "true"}),
    "what Compose includes": ({"docker-compose.yaml": "include:\n  - ../outside/b.yml\n"}, {"b.yml": SERVICE % "true"}),
    "what Compose includes by its path": ({"compose.yml": "include:\n  - path: ../outside/b.yml\n"}, {"b.yml": SERVICE % "true"}),
    "variables": ({"compose.yml": "services:\n  k:\n    build: .\n    env_file: ../outside/k.env\n"}, {"k.env": "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true\n"}),
    "a module": ({"m.tf": 'module "x" {\n  source = "../outside"\n}\n'}, {"m.tf": TOPIC}),
    "a file of Terraform's": ({"m.tf": 'resource "aws_msk_configuration" "c" {\n  server_properties = file("${path.module}/../outside/s.properties")\n}\n'}, {"s.properties": "unclean.leader.election.enable=true\n"}),
    "a base": ({"kustomization.yaml": "resources: [../outside]\n"}, {"kustomization.yaml": "resources: [t.yaml]\n", "t.yaml": MANIFEST}),
    "a resource of an overlay": ({"a/b/kustomization.yaml": "resources:\n- ../../../outside/t.yaml\n"}, {"t.yaml": MANIFEST}),
}  # fmt: skip
QUIET = {
    "a module of others": ({"m.tf": 'module "x" {\n  source = "../outside"\n}\n'}, {"m.tf": 'resource "aws_vpc" "v" {}\n'}),
    "a volume": ({"compose.yml": "services:\n  a:\n    image: nginx\n    volumes:\n    - ../outside:/etc/kafka\n"}, {"b.yml": SERVICE % "true"}),
    "what is judged with it": ({"a/kustomization.yaml": "resources: [../base]\n", "base/t.yaml": MANIFEST.replace("replicas: 1", "replicas: 3")}, {}),
    "what is not there": ({"kustomization.yaml": "resources: [../gone]\n"}, {}),
}  # fmt: skip


def lint(folder: Path, files: dict[str, str], outside: dict[str, str]) -> tuple[set[str], str]:
    """(rules, what was said beside the report) of a folder that has a good producer and some files, with others outside."""
    good = "bootstrap.servers=a:1,b:1\nsecurity.protocol=SSL\nkey.serializer=a.B\nvalue.serializer=a.B\n"
    below = {f"project/{path}": text for path, text in files.items()} | {"project/ok.properties": good}
    for path, text in {**below, **{f"outside/{path}": text for path, text in outside.items()}}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ran = run("lint", folder / "project", "--no-config", "--format", "json")
    return {row["rule"] for row in ran.json["findings"]}, ran.err


@pytest.mark.parametrize("name", INCLUDED)
def test_variables_of_what_compose_includes(name: str, tmp_path: Path) -> None:
    files, is_unclean = INCLUDED[name]
    assert ("KA104" in lint(tmp_path, files, {})[0]) == is_unclean


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_lies_outside_is_said_to_be_not_read(name: str, tmp_path: Path) -> None:
    said = lint(tmp_path, *OUTSIDE[name])[1]
    assert "which it includes, is outside of this folder" in said


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_of_others(name: str, tmp_path: Path) -> None:
    assert "not read" not in lint(tmp_path, *QUIET[name])[1]
