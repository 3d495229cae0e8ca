"""What an application of Spring Boot imports is judged with it where it lies in the run; else what it may set is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

CLIENTS = "  kafka: {bootstrap-servers: 'a:1,b:1', producer: {key-serializer: a.B}}\n"
FOLLOWED = {
    "a text with its syntax": ("'optional:file:./more/x.txt[.properties]'", "more/x.txt", "spring.kafka.producer.acks={}\n"),
    "properties": ("file:x.properties", "x.properties", "spring.kafka.producer.acks={}\n"),
    "YAML of the classpath": ("classpath:/kafka.yml", "kafka.yml", "spring: {{kafka: {{producer: {{acks: '{}'}}}}}}\n"),
    "YAML without a prefix": ("kafka.yml", "kafka.yml", "spring: {{kafka: {{producer: {{acks: '{}'}}}}}}\n"),
    "the second of a list": ("['optional:file:gone.yml', 'file:kafka.yml']", "kafka.yml", "spring: {{kafka: {{producer: {{acks: '{}'}}}}}}\n"),
    "a folder": ("file:conf/", "conf/application.properties", "spring.kafka.producer.acks={}\n"),
    "a tree of dotted names": ("'configtree:conf/'", "conf/spring.kafka.producer.acks", "{}\n"),
    "a tree of folders": ("'configtree:./conf/'", "conf/spring/kafka/producer/acks", "{}"),
}  # fmt: skip
UNKNOWN = {
    "a server": "'configserver:http://x'",
    "an optional server": "'optional:configserver:'",
    "a vault": "'vault:'",
    "a file that is not there": "file:gone.yml",
    "a tree that is not there": "'optional:configtree:/run/secrets/'",
    "a file that a variable names": "'file:${CONF}/x.yml'",
    "a file elsewhere": "file:/etc/app/x.properties",
}


def lint(folder: Path, files: dict[str, str]) -> tuple[dict[str, str], set[str]]:
    """(file by rule, rules that could not be judged) of a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    document = run("lint", folder, "--no-config", "--format", "json").json
    return {row["rule"]: row["file"] for row in document["findings"]}, {row["rule"] for row in document["unknown"]}


def yaml(location: str) -> str:
    return f"spring:\n  config: {{import: {location}}}\n{CLIENTS}"


@pytest.mark.parametrize("where", ["", "src/main/resources/"])
@pytest.mark.parametrize(("location", "path", "text"), FOLLOWED.values(), ids=FOLLOWED)
def test_followed(where: str, location: str, path: str, text: str, tmp_path: Path) -> None:
    at = "" if location.strip("'\"").startswith(("optional:file:", "configtree:")) else where
    findings, _ = lint(tmp_path / "bad", {f"{where}application.yml": yaml(location), at + path: text.format(0)})
    assert findings["KA101"] == str(tmp_path / "bad" / (at + path))
    findings, unknown = lint(
        tmp_path / "good", {f"{where}application.yml": yaml(location), at + path: text.format("all")}
    )
    assert "KA101" not in findings.keys() | unknown


@pytest.mark.parametrize("location", UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_not_here_may_set_any_key(location: str, tmp_path: Path) -> None:
    findings, unknown = lint(tmp_path / "yaml", {"application.yml": yaml(location)})
    assert "KA101" in unknown - findings.keys() and "KA1701" not in unknown
    properties = f"spring.config.import={location.strip(chr(39))}\nspring.kafka.bootstrap-servers=a:1,b:1\nspring.kafka.producer.key-serializer=a.B\n"
    findings, unknown = lint(tmp_path / "properties", {"application.properties": properties})
    assert "KA101" in unknown - findings.keys()


def test_what_the_file_says_is_judged_all_the_same(tmp_path: Path) -> None:
    text = yaml("'configserver:'").replace("producer: {", "producer: {acks: 0, ")
    assert "KA101" in lint(tmp_path, {"application.yml": text})[0]
