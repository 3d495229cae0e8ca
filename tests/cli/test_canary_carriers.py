"""A secret in each carrier of Kafka's settings: no command shows it in any format, encoded or not, read or not read."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from advisor.cli.argument_types import FORMATS
from tests.support.canary import CANARY as NAME
from tests.support.canary import HIDDEN as CANARY
from tests.support.canary import JAAS as SHORT
from tests.support.commands import run

JAAS = SHORT.replace(NAME, CANARY)
NODE = "process.roles=broker,controller\nnode.id=1\nlisteners=SASL_PLAINTEXT://:9092\nunclean.leader.election.enable=true\n"
SECRETS = (
    f"ssl.keystore.password={CANARY}\nsasl.jaas.config={JAAS}\nmy.secret={CANARY}\nlisteners.token={CANARY}\n"
    f"num.partitions=3 password={CANARY}\n# the password is {CANARY}\nbootstrap.servers=u:{CANARY}@b:9092\n"
)
FILE = NODE + SECRETS
ENCODED = base64.b64encode(FILE.encode()).decode()
VARIABLES = (
    ("KAFKA_PROCESS_ROLES", "broker,controller"),
    ("KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", "true"),
    ("KAFKA_SSL_KEYSTORE_PASSWORD", CANARY),
    ("KAFKA_SASL_JAAS_CONFIG", JAAS.replace('"', "'")),
    ("KAFKA_NO_SUCH_TOKEN", CANARY),
    ("KAFKA_OPTS", f"-Djavax.net.ssl.keyStorePassword={CANARY}"),
    ("AWS_SECRET_ACCESS_KEY", CANARY),
)


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def each(form: str) -> str:
    return "".join(form.format(name=name, value=value) for name, value in VARIABLES)


ENV = each('ENV {name}="{value}"\n')
EXPORTS = each('export {name}="{value}"\n')
ARGUMENTS = each('-e {name}="{value}" ')
UNIT = each('Environment="{name}={value}"\n')
PREFIX = each('{name}="{value}" ')
IN_JOB = each('          {name}: "{value}"\n')
IN_SERVICE = each('      {name}: "{value}"\n')
PAIRS = [{"name": name, "value": value} for name, value in VARIABLES]
CARRIERS = {
    "Dockerfile": f"FROM apache/kafka:3.9.0\nARG TOKEN={CANARY}\n{ENV}RUN curl -u u:{CANARY} https://x\n"
    f"RUN cat > /etc/kafka/server.properties <<EOF\n{FILE}EOF\n"
    f'CMD ["kafka-server-start.sh", "server.properties", "--override", "ssl.key.password={CANARY}"]\n',
    "Dockerfile.copy": f"FROM confluentinc/cp-kafka:7.4.0\nCOPY <<'END' /etc/kafka/server.properties\n{FILE}END\n",
    "start.sh": f"#!/bin/bash\n{EXPORTS}PASSWORD={CANARY}\ncurl -u admin:{CANARY} https://registry\n"
    f"cat > server.properties <<EOF\n{FILE}EOF\n"
    f"kafka-server-start.sh server.properties --override ssl.key.password={CANARY} --override num.partitions={CANARY}x\n",
    "run.sh": f"docker run -d {ARGUMENTS} -e KAFKA_TOKEN={CANARY} apache/kafka:3.9.0 --password {CANARY}\n",
    "topics.sh": f"#!/bin/sh\nkafka-topics.sh --bootstrap-server u:{CANARY}@b:9092 --create --topic a --replication-factor 1 "
    f"--config retention.ms={CANARY}x --config my.secret={CANARY} # token {CANARY}\n"
    f"kafka-configs.sh --alter --add-config 'SCRAM-SHA-512=[password={CANARY}]' --entity-type users --entity-name u\n",
    "echo.sh": f"#!/bin/sh\necho ssl.key.password={CANARY} >> server.properties\nsed -i s/x/{CANARY}/ server.properties\n"
    "kafka-server-start.sh server.properties\n",
    "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: kafka}\nstringData:\n  server.properties: |\n"
    + indented(FILE, 4)
    + f"  password: {CANARY}\n  KAFKA_SSL_KEY_PASSWORD: {CANARY}\n",
    "encoded.yaml": f"apiVersion: v1\nkind: Secret\nmetadata: {{name: kafka}}\ndata:\n  server.properties: {ENCODED}\n"
    f"  password: {base64.b64encode(CANARY.encode()).decode()}\n",
    "broken.yaml": f"apiVersion: v1\nkind: Secret\nmetadata: {{name: kafka}}\ndata:\n  server.properties: {ENCODED}=x\n",
    "binary.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kafka}\n"
    f"binaryData:\n  server.properties: {ENCODED}\n",
    "kafka.service": f"[Service]\n{UNIT}ExecStart=/opt/kafka/bin/kafka-server-start.sh s.properties\n",
    "Makefile": f"run:\n\t{PREFIX} kafka-server-start.sh server.properties --override ssl.key.password={CANARY}\n",
    "kafka.nomad": 'job "kafka" {\n env {\n' + each('  {name} = "{value}"\n') + f' }}\n template {{ data = "{CANARY}" }}\n}}\n',
    "job.nomad.hcl": 'job "k" {\n group "k" {\n  task "k" {\n   config {\n    image = "apache/kafka:3.9.0"\n   }\n   env {\n'
    + each('    {name} = "{value}"\n').replace("'", '\\"')
    + f"   }}\n   template {{\n    data = <<EOF\n{FILE}EOF\n   }}\n  }}\n }}\n}}\n",
    "task.json": json.dumps({"containerDefinitions": [{"image": "apache/kafka:3.9.0", "environment": PAIRS}]}),
    "ecs.tf": f'resource "aws_ecs_task_definition" "kafka" {{\n container_definitions = <<EOF\n{json.dumps([{"image": "apache/kafka:3.9.0", "environment": PAIRS}])}\nEOF\n}}\n',
    "helm.tf": f'resource "helm_release" "kafka" {{\n chart = "kafka"\n values = [<<EOF\nextraConfig: |\n{indented(FILE, 2)}sasl: {{client: {{passwords: {CANARY}}}}}\nEOF\n ]\n'
    f' set_sensitive {{\n  name = "sasl.client.passwords"\n  value = "{CANARY}"\n }}\n}}\n',
    "connect-distributed.properties": f"bootstrap.servers=a:1\ngroup.id=c\nkey.converter=a.B\nconfig.storage.topic=c\nproducer.retries=0\nproducer.ssl.key.password={CANARY}\nproducer.sasl.jaas.config={JAAS}\n",
    "server.properties.j2": f"{NODE}{{% if tls %}}\nssl.key.password={CANARY}\nnum.partitions={CANARY}\n{{% elif x %}}\n{SECRETS}"
    f"{{% else %}}\nsasl.jaas.config={JAAS}\n{{% endif %}}\nlog.dirs={{{{ '{CANARY}' if dev else dirs }}}}\n",
    "server.properties.erb": f"{NODE}<% if @tls %>\nssl.key.password={CANARY}\n<% end %>\nlog.dirs=<%= '{CANARY}' %>\n",
    "chart.yaml": f"kind: ConfigMap\napiVersion: v1\ndata:\n  server.properties: |\n{{{{- if .Values.tls }}}}\n{indented(FILE, 4)}"
    f"{{{{- else }}}}\n    ssl.key.password={CANARY}\n{{{{- end }}}}\n",
    "playbook.yml": "- hosts: kafka\n  vars:\n    kafka_password: " + CANARY + "\n  tasks:\n    - name: configure\n      copy:\n"
    "        dest: /etc/kafka/server.properties\n        content: |\n" + indented(FILE, 10),
    "workflow.yml": "on: push\njobs:\n  t:\n    services:\n      kafka:\n        image: apache/kafka:3.9.0\n        env:\n"
    + IN_JOB + f"    steps:\n      - run: kafka-topics.sh --create --topic {CANARY}\n",
    "compose.yml": "services:\n  k:\n    image: apache/kafka:3.9.0\n    environment:\n" + IN_SERVICE
    + f"    command: kafka-server-start.sh s.properties --override ssl.key.password={CANARY}\nconfigs:\n  server.properties:\n"
    "    content: |\n" + indented(FILE, 6),
    ".env": each("{name}={value}\n"),
    "log4j.xml": f'<kafka><property name="ssl.key.password" value="{CANARY}"/><acks>{CANARY}</acks></kafka>',
    "app.ini": f"[kafka]\n{FILE}",
}  # fmt: skip
COMMANDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("lint", "--no-config", "--profile=regulated"), FORMATS),
    (("lint", "--no-config", "-v"), ()),
    (("lint", "--no-config", "--all", "--kafka-version=3.5"), ()),
    (("effective",), ("json", "markdown", "html")),
    (("effective", "--all"), ()),
    (("starts",), ("json", "markdown", "html", "sarif", "github")),
    (("advise",), ("json", "markdown", "html", "diff", "sarif", "gitlab")),
    (("upgrade", "--from=2.8", "--to=4.4"), ("json", "markdown", "html", "junit")),
    (("simulate",), ()),
)
"""Each with the formats of which the same run writes files, beside the text that it prints."""
HIDDEN = (CANARY, *(base64.b64encode(b"x" * before + CANARY.encode()).decode()[4:-4] for before in range(3)))
"""The secret as it is, and as base64 has it wherever it stands."""


@pytest.mark.parametrize("name", CARRIERS)
def test_no_command_shows_a_secret_of_a_carrier(
    name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, output = tmp_path_factory.mktemp("carrier"), tmp_path_factory.mktemp("output")
    monkeypatch.chdir(folder)
    Path(name).write_text(CARRIERS[name])
    Path("good.properties").write_text(NODE)
    for command, formats in (
        *(((*each, name), formats) for each, formats in COMMANDS),
        (("diff", name, "good.properties"), ()),
        (("rollout", name, "good.properties"), ("json", "markdown", "html")),
        (("rollout", "good.properties", name), ("json",)),
        (("lint", name, "--no-config", "--diff", "--unsafe-fixes"), ()),
        (("lint", ".", "-v"), ()),
    ):
        files = {format: output / f"{command[0]}.{command[1]}.{format}" for format in formats}
        ran = run(
            *command, *(f"--format={format}={file}" for format, file in files.items()), *["--format=text"][: len(files)]
        )
        assert ran.code in (0, 1, 2, 3), (command, ran.err)
        assert ran.code > 1 or all(file.exists() for file in files.values()), command
        written = {format: file.read_text() for format, file in files.items() if file.exists()}
        for format, shown in {"printed": ran.out + ran.err, **written}.items():
            for text in HIDDEN:
                lines = [line for line in shown.splitlines() if text in line]
                assert lines == [], (command, format, lines[:3])


def test_carriers_are_read_or_said_not_to_be(tmp_path: Path) -> None:
    for name, text in CARRIERS.items():
        (tmp_path / name).write_text(text)
    err = run("lint", tmp_path, "--no-config", "-v").err
    for name in ("kafka.service", "Makefile", "kafka.nomad", "echo.sh"):
        assert name in err
