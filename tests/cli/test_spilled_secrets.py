"""A secret that stands where none belongs is in no output: variables, second settings on a line, errors of parsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.secrets.placeholders import shown_key
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
LINES += [
    f"broker.rack=a # {CANARY}",
    f"log.dirs=/a // {CANARY}",
    f"client.id=a # pw {CANARY}",
    f"client.id=pw={CANARY}",
    f"client.id=a,apikey={CANARY}",
    f"client.id=api_key:{CANARY}",
    f"client.id=a;pwd:{CANARY}",
    f"client.id=x Authorization: Basic {CANARY}",
    f"client.id=x Bearer {CANARY}",
    f"client.id=the API key is {CANARY}",
    f"client.id=${{DB_PASSWORD:-{CANARY}}}",
    f"client.id=${{DB_PASSWORD-{CANARY}}}",
    f"client.id=${{GITHUB_TOKEN:-${{OTHER:-{CANARY}}}}}",
    f"client.id=${{API_KEY:={CANARY}}}",
    f"client.id=${{OTHER:-${{DB_PASS:-{CANARY}}}}}",
    f"client.id=a-${{awsSecretKey:-{CANARY}}}-b",
    f"ssl.key.password\\={CANARY}",
    f"sasl.password\\={CANARY}=1",
    f"{{{{ lookup('vault','{CANARY}')}}}}=1",
    f'${{file("{CANARY}")}}',
    f"zookeeper.connect=z:2181/token={CANARY}",
    f"sasl.mechanism=password {CANARY}",
    f"security.protocol=SSL secret {CANARY}",
    f"sasl.mechanism=Bearer {CANARY}",
    f"client.id=Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=R;SharedAccessKey={CANARY}",
    f"bootstrap.servers=Endpoint=sb://a.servicebus.windows.net/;SharedAccessKey={CANARY}",
    f"client.id=AccountName=a;AccountKey={CANARY}==",
    f"client.id=/d;SharedAccessSignature=sv=2020&sig={CANARY}",
    f"client.id=sv=2020&sig={CANARY}",
    f"client.id=-u admin:{CANARY}",
    f"client.id=curl --user admin:{CANARY} http://a",
    f"client.id=a -- pw {CANARY}",
    f"client.id=pass {CANARY}",
    f"client.id=eyJhbGciOiJIUzI1NiJ9.{CANARY}.{CANARY}",
    f"client.id=glpat-{CANARY}",
    f"client.id=ghp_{CANARY}",
    f"client.id=a /* {CANARY} */",
    f"client.id=a <!-- {CANARY} -->",
    f"client.id=#{{systemProperties.pw ?: '{CANARY}'}}",
    f"ssl.keystore.key=MIIE{CANARY}\n{CANARY}\n  {CANARY}==",
    f"sasl.jaas.config=a.B required\n{CANARY}\n  {CANARY};",
]
LINES += [
    f"ssl.keystore.password{sign}{CANARY}"
    for sign in ("\u00a0", "\u2003", "\u3000", "|", "->", ";", ",", "~", "\uff1d", "\uff1a", "\u2192")
]
LINES += [
    f"<ssl.key.password>{CANARY}</ssl.key.password>",
    f"client.id=abc%0Asasl.password%3D{CANARY}",
    f"client.id=ПАРОЛЬ={CANARY}",
    f"group.instance.id=contraseña: {CANARY}",
    f"client.dns.lookup=mot_de_passe={CANARY}",
    f"passe={CANARY}",
    f"group.instance.id=authorization=Basic {CANARY}",
    f"security.protocol=Digest {CANARY}",
    f"sasl.mechanism=Basic {CANARY}",
    f"client.dns.lookup=X-Auth: {CANARY}",
    f'security.protocol=acme.Login required x="{CANARY}";',
    f"security.protocol=pin {CANARY}",
    f"security.protocol=sk-proj-{CANARY}",
    f"security.protocol=ENC({CANARY})",
    f"security.protocol={{cipher}}{CANARY}",
    f"security.protocol=https://a/b;jsessionid={CANARY}",
    f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\n{CANARY}\n={CANARY}\n-----END PGP PRIVATE KEY BLOCK-----",
    f"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: a\n{CANARY}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
]
NAMES = [
    *("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "SASL_PASS", "API_KEY", "VAULT_TOKEN", "MY_PAT", "KAFKA_SECRET"),
    *("ADMIN_PWD", "STRIPE_API_KEY", "JWT_SIGNING_KEY", "AZURE_CONNECTION_STRING", "SSH_PRIVATE_KEY", "CI_JOB_TOKEN"),
    *("AZURE_STORAGE_KEY", "FERNET_KEY", "DB_CREDS", "SASL_PW", "LDAP_PASSCODE", "SESSION_COOKIE", "dbPassword", "kafkaApiKey"),
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
CARRIERS = {
    "an expression of Terraform": ("m.tf", f'resource "aws_msk_configuration" "c" {{\n  name = "c"\n  kafka_versions = ["3.6.0"]\n  server_properties = pick("{CANARY}", var.x)\n}}\n'),
    "an expression in a text": ("m.tf", f'resource "aws_msk_configuration" "c" {{\n  name = "c"\n  kafka_versions = ["3.6.0"]\n  server_properties = <<EOF\nnum.partitions=3\n${{pick("{CANARY}")}}\nEOF\n}}\n'),
    "a worker's expression": ("m.tf", f'resource "aws_mskconnect_worker_configuration" "c" {{\n  name = "c"\n  properties_file_content = pick("{CANARY}")\n}}\n'),
    "a mapping where a word belongs": ("k.yaml", f"apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {{name: k}}\nspec:\n  kafka:\n    version: 4.0.0\n    config:\n      unclean.leader.election.enable: true\n      log.dirs: {{a: {CANARY}}}\n      listeners: [{{name: {CANARY}}}]\n"),
    "the default of Spring's variable": ("application.properties", f"spring.kafka.producer.acks=0\nspring.kafka.producer.client-id=${{DB_SECRET:{CANARY}}}\nspring.kafka.consumer.group-id=${{api-key:{CANARY}}}\n"),
    "a registry's user": ("compose.yml", NODE.replace("apache/kafka", f"u:{CANARY}@r.example.org/apache/kafka") + "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n"),
    "a variable's default beside a change": ("compose.yml", NODE + "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n" + f"      KAFKA_BROKER_RACK: ${{AWS_SECRET_ACCESS_KEY:-{CANARY}}}\n"),
    "a comment behind an item of a list": ("compose.yml", NODE.replace("      KAFKA_NODE_ID: 1", "    - KAFKA_NODE_ID=1") + f"    - KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true # {CANARY}\n"),
    "a comment behind a value": ("compose.yml", NODE + f"      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true' # ours: {CANARY}\n"),
    "a comment behind an argument": ("m.tf", f'resource "kafka_topic" "t" {{\n  name = "t"\n  partitions = 3\n  replication_factor = 1 // {CANARY}\n}}\n'),
    "a variable of Terraform that is sensitive": ("m.tf", f'variable "u" {{\n  default = "{CANARY}"\n  sensitive = true\n}}\nresource "aws_msk_configuration" "c" {{\n  name = "c"\n  server_properties = "unclean.leader.election.enable=true\\nbroker.rack=${{var.u}}"\n}}\n'),
    "an object of Terraform that is sensitive": ("m.tf", f'variable "u" {{\n  default = {{ x = "{CANARY}" }}\n  sensitive = true\n}}\nresource "aws_msk_configuration" "c" {{\n  name = "c"\n  server_properties = "unclean.leader.election.enable=true\\nbroker.rack=${{var.u.x}}"\n}}\n'),
    "a second setting in a key": ("k.yaml", f"kafka:\n  bootstrap.servers: a:1\n  acks: 0\n  'sasl.password {CANARY}': x\n  linger.ms: 5\n"),
    "a second setting in the name of a topic": ("t.sh", f'kafka-topics.sh --create --topic "a password={CANARY}" --replication-factor 1 --partitions 3\n'),
    "the mechanism of a client of .NET": ("appsettings.json", f'{{"Kafka": {{"Producer": {{"BootstrapServers": "a:1", "SaslMechanism": "password {CANARY}", "Acks": "None"}}}}}}\n'),
}  # fmt: skip
"""(file, text) of secrets that stand where an output quotes a line, a key or an expression."""
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
        (tmp_path / "other.properties").write_text(CLIENT)
        differs = run("diff", path, tmp_path / "other.properties", "--no-config")
        assert CANARY not in everything(path) + differs.out + differs.err, line


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


@pytest.mark.parametrize("name", CARRIERS)
def test_what_stands_beside_what_is_quoted_is_not_shown(name: str, tmp_path: Path) -> None:
    file, text = CARRIERS[name]
    (tmp_path / file).write_text(text)
    assert CANARY not in everything(tmp_path / file)
    ran = run("lint", tmp_path / file, "--no-config", "--diff", "--unsafe-fixes")
    assert CANARY not in ran.out + ran.err


COMMENTS = ("7 days", "see KAFKA-1234", "retained for 604800000 ms = 7d", "für immer", "since 3.9.0")


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_line_with_an_ordinary_comment_is_edited(comment: str, tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(f"{NODE}      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true' # {comment}\n")
    assert f"ENABLE: 'true' # {comment}" in run("advise", tmp_path / "compose.yml", "--format", "diff").out


@pytest.mark.parametrize("token", TOKENS[:1] + TOKENS[3:])
def test_a_token_that_is_all_of_a_line_is_not_shown(token: str, tmp_path: Path) -> None:
    (tmp_path / "p.properties").write_text(f"acks=1\nsasl.password=\n{token}\n{CLIENT}")
    assert token not in everything(tmp_path / "p.properties")


NEW_VALUES = [
    f"num.io.threads={CANARY * 4}",
    f"log.dirs=/x password={CANARY}",
    f"advertised.listeners=PLAINTEXT://u:{CANARY}@h1:9092",
    f"controller.quorum.voters=1@u:{CANARY}@a:9093,2@b:9093",
    f"min.insync.replicas=${{X:-{CANARY * 4}}}",
    f"broker.rack=${{file:/{CANARY}:x}}",
    f"super.users=User:a;token={CANARY}",
    f"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT password={CANARY}",
    f'listener.name.plaintext.plain.sasl.jaas.config=a.PlainLoginModule required password="{CANARY}";',
]
SERVER = (
    "process.roles=broker,controller\nnode.id={}\ncontroller.quorum.voters=1@a:9093,2@b:9093,3@c:9093\nlog.dirs=/d\nmin.insync.replicas=2\n"
    "listeners=PLAINTEXT://:9092,CONTROLLER://:9093\nadvertised.listeners=PLAINTEXT://h{}:9092\ncontroller.listener.names=CONTROLLER\n"
)


@pytest.mark.parametrize("number", range(len(NEW_VALUES)))
def test_no_rollout_shows_a_secret(number: int, tmp_path: Path) -> None:
    for side, added in (("old", ""), ("new", f"{NEW_VALUES[number]}\n")):
        (tmp_path / side).mkdir()
        for id in (1, 2, 3):
            (tmp_path / side / f"b{id}.properties").write_text(SERVER.format(id, id) + added)
    files = {format: tmp_path / f"rollout.{format}" for format in ("json", "html", "markdown", "script")}
    formats = ("--format=text", *(f"--format={format}={file}" for format, file in files.items()))
    ran = run("rollout", tmp_path / "old", tmp_path / "new", *formats)
    assert ran.code in (0, 1) and CANARY not in ran.out + ran.err
    assert [format for format, file in files.items() if CANARY in file.read_text()] == []


def test_errors_of_parsers_quote_nothing(tmp_path: Path) -> None:
    for name, text in BROKEN.items():
        (tmp_path / name).write_text(text)
        assert CANARY not in everything(tmp_path / name), name


NAMED = {
    "settings to connect with": (
        ("check", "--bootstrap-server", "127.0.0.1:1", "--timeout", "1", "--command-config"),
        f"security.protocol=PLAINTEXT\n{CANARY}\n{CANARY}.x=1\nx={CANARY}\n",
    ),
    "an inventory": (
        ("collect", "--out", "tables", "--engine", "local", "--inventory"),
        f"{CANARY}: 1\nclusters: []\n",
    ),
    "a cluster": (
        ("collect", "--out", "tables", "--engine", "local", "--inventory"),
        f"clusters:\n- name: a\n  bootstrap_servers: b:1\n  {CANARY}: 1\n",
    ),
    "queries": (("simulate", "--queries"), f'{{"{CANARY}": 1}}\n'),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_a_file_has_in_place_of_another_is_not_quoted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, text = NAMED[name]
    (tmp_path / "given").write_text(text)
    ran = run(*arguments, "given")
    assert ran.code in (2, 4) and CANARY not in ran.out + ran.err and "given:" in ran.err + ran.out


MISTAKES = (
    ("lint", ".", "--set", f"sasl.password {CANARY}"),
    ("lint", ".", "--set", CANARY),
    ("lint", ".", "--label", f"password {CANARY}"),
    ("lint", ".", "--password", CANARY),
    ("lint", ".", f"--sasl.password={CANARY}"),
    ("lint", ".", "--kafka-version", f"{CANARY}-{CANARY}"),
    ("lsp", "--token", CANARY),
    ("check", "--bootstrap-server", f"https://u:{CANARY}@127.0.0.1:1/?x={CANARY}"),
    ("check", "--bootstrap-server", f"127.0.0.1:1?password={CANARY}"),
)


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_on_the_command_line_is_named_without_what_may_be_a_secret(words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert ran.code == 2 and CANARY not in ran.out + ran.err


@pytest.mark.parametrize(
    "key", ["a->b.topics", "tokens->b.topics", "spring.kafka.properties[sasl.jaas.config]", "x.passwords[0]", "a b"]
)
def test_a_key_without_a_secret_behind_it_is_named(key: str) -> None:
    assert shown_key(key) == key
