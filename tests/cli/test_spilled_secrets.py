"""A secret that stands where none belongs is in no output: variables, second settings on a line, errors of parsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.files.variables import fill
from tests.support.canary import CANARY
from tests.support.commands import run

CLIENT = "bootstrap.servers=a:9092\nkey.serializer=a.B\nvalue.serializer=a.B\n"
NODE = "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_NODE_ID: 1\n"
LINES = [
    f"bootstrap.servers=a:9092 sasl.password={CANARY}",
    f"acks=1 sasl.password={CANARY}",
    f"acks=1   # password {CANARY}",
    f"acks=1   # the token is {CANARY}",
    f"retries=x -> secret {CANARY}",
    f"batch.size=y | token: {CANARY}",
    f"buffer.memory=z\u00a0password={CANARY}",
    f"linger.ms=5 ssl.key.password = {CANARY}",
    f"client.id=orders password:{CANARY}",
    f"compression.type=gzip;sasl.password={CANARY}",
    f"transactional.id=a\tsasl.password={CANARY}",
]
NAMES = [
    *("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "SASL_PASS", "API_KEY", "VAULT_TOKEN", "MY_PAT", "KAFKA_SECRET"),
    *("ADMIN_PWD", "STRIPE_API_KEY", "JWT_SIGNING_KEY", "AZURE_CONNECTION_STRING", "SSH_PRIVATE_KEY", "CI_JOB_TOKEN"),
]  # fmt: skip
KEYS = ["KAFKA_LOG_DIRS", "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", "KAFKA_NUM_PARTITIONS", "KAFKA_BROKER_RACK"]
BROKEN = {
    "alias.yml": f"kafka: *{CANARY}\n",
    "tag.yml": f"kafka: !{CANARY}!x 1\n",
    "escape.yml": f'kafka: "\\{CANARY}"\n',
    "anchor.yml": f"kafka: &{CANARY} &{CANARY} 1\n",
    "flow.yml": f"kafka: [a, {CANARY}\n",
    "broken.json": f'{{"kafka": "{CANARY}\n',
    "broken.toml": f"kafka = {CANARY}\n",
    "broken.tf": f'resource "kafka_topic" "{CANARY} {{\n',
}
TOKENS = [
    "ghp_0123456789abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abcdefghijkl",
    "a1b2c3d4e5f6a7b8c9d0e1f2",
]
FORMATS = ("text", "json", "sarif", "html", "concise", "github", "markdown", "junit", "csv", "gitlab")
COMMANDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("lint", "--no-config"), FORMATS),
    (("lint", "-v", "--no-config"), ()),
    (("effective",), ("text", "json")),
    (("starts",), ("text", "json")),
    (("advise", "--no-config"), ("text", "diff", "html")),
    (("upgrade",), ()),
)
"""Each with the formats that the same run writes to files."""


def everything(path: Path, *options: str) -> str:
    """What every command says of a file, in every format."""
    texts = []
    for (name, *more), formats in COMMANDS:
        files = [path.with_name(f"{name}.{format}.output") for format in formats]
        for file in files:
            file.unlink(missing_ok=True)
        asked = (f"--format={format}={file}" for format, file in zip(formats, files, strict=True))
        ran = run(name, *more, path, *asked, *(options if name == "lint" else ()))
        assert ran.code > 1 or all(file.exists() for file in files), (name, ran.err)
        texts += [ran.out + ran.err, *(file.read_text() for file in files if file.exists())]
    return "\n".join(texts)


def test_a_second_setting_on_a_line_is_masked_to_its_end(tmp_path: Path) -> None:
    for number, line in enumerate(LINES):
        path = tmp_path / f"p{number}.properties"
        path.write_text(f"{line}\n{CLIENT}")
        assert CANARY not in everything(path), line


@pytest.mark.parametrize("form", ["${{{}}}", "${}", "${{{}:-x}}"])
def test_a_variable_that_names_a_secret_is_not_filled_in(form: str, tmp_path: Path) -> None:
    text = NODE + "".join(
        f"      {key}{number}: {form.format(name)}\n" for number, name in enumerate(NAMES) for key in KEYS
    )
    text += "".join(f"      {key}: {form.format(NAMES[number])}\n" for number, key in enumerate(KEYS))
    (tmp_path / "compose.yml").write_text(text)
    (tmp_path / ".env").write_text("".join(f"{name}={CANARY}\n" for name in NAMES))
    assert CANARY not in everything(tmp_path / "compose.yml")
    assert CANARY not in everything(tmp_path / "compose.yml", "--env-file", str(tmp_path / ".env"))


def test_the_default_of_such_a_variable_is_not_shown(tmp_path: Path) -> None:
    text = NODE + "".join(f"      {key}: ${{{NAMES[number]}:-{CANARY}}}\n" for number, key in enumerate(KEYS))
    (tmp_path / "compose.yml").write_text(text)
    assert CANARY not in everything(tmp_path / "compose.yml")


@pytest.mark.parametrize("token", TOKENS)
def test_a_text_that_is_a_token_is_not_filled_in_under_any_name(token: str, tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(
        NODE + "      KAFKA_LOG_DIRS: ${FOLDER}\n      KAFKA_NUM_PARTITIONS: ${COUNT}\n"
    )
    (tmp_path / ".env").write_text(f"FOLDER={token}\nCOUNT={token}\n")
    assert token not in everything(tmp_path / "compose.yml")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FOLDER", "/var/lib/kafka/data"),
        ("KEY_COUNT", "3"),
        ("TAG", "7.9.0"),
        ("HOST", "kafka-1.example.org"),
        ("KEYSPACE", "a"),
    ],
)
def test_other_variables_are_filled_in(name: str, value: str) -> None:
    assert fill(f"${{{name}}}", {name: value}) == value


def test_errors_of_parsers_quote_nothing(tmp_path: Path) -> None:
    for name, text in BROKEN.items():
        (tmp_path / name).write_text(text)
        assert CANARY not in everything(tmp_path / name), name
