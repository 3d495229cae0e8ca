"""`make docs`: what the tool reads beside properties files, each format with a real output, as docs/inputs.md."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

from advisor.cli import main

FOLDER = Path(__file__).resolve().parent / "inputs"
SHOWN = 4
"""Findings that the page shows of each file, worst first."""
FORMATS = (
    (
        "Docker Compose",
        "compose-two-services.yml",
        "Every service whose image (apache/kafka, confluentinc/cp-*, bitnami and bitnamilegacy, wurstmeister, debezium, "
        "soldevelo) or whose variables are Kafka's: brokers, controllers, Connect workers, ZooKeeper. Maps and lists, merge "
        "keys, `extends`, `include`, `env_file` below its folder, `.env`, override files and `COMPOSE_FILE`, `${NAME:-default}`. The image's tag says the "
        "release, its family how variables become settings. A container that only runs tools is none.",
    ),
    (
        "Kubernetes",
        "kubernetes-statefulset.yaml",
        "Pods of Deployments, StatefulSets, jobs and any other kind of object by the same rules, `env`, `envFrom` and "
        "`configMapKeyRef` of the same file, and the properties files in ConfigMaps.",
    ),
    (
        "Nomad",
        "kafka.nomad.hcl",
        "Tasks of jobs, by the rules of Compose: `env`, arguments, mounts, and what templates make of files of properties and "
        "of variables.",
    ),
    (
        "Amazon ECS",
        "ecs-task-definition.json",
        "Task definitions as the service takes and shows them, and those in templates of CloudFormation.",
    ),
    (
        "Shell scripts",
        "create-topics.sh",
        "Topics of `kafka-topics --create`, `--override` of the server's start, `docker run`, here-documents of properties; topics "
        "that a container's command creates as well. A script that does more to a configuration (`sed`, `echo >>`, variables) is "
        "counted as not read, whatever else is judged of it; the keys that it sets in a file of properties beside it are unknown "
        "there.",
    ),
    (
        "Strimzi",
        "strimzi-pools.yaml",
        "Kafka with KafkaNodePool (v1 and v1beta2), KafkaTopic, KafkaUser, KafkaConnect, KafkaConnector, KafkaMirrorMaker2, "
        "KafkaBridge. What the operator writes (listeners, authorizer, racks, voters) is judged at the field it comes from; "
        "settings that it drops are said.",
    ),
    (
        "Spring Boot",
        "spring-profiles.yml",
        "`spring.kafka` in YAML and properties, durations, sizes and `${NAME:default}`. Profiles lie over the base, as documents "
        "and as files: application-prod.yml is judged with the application.yml beside it or in `config/`, each setting at the "
        "place where it stands. `spring.config.import` is followed to files and configuration trees of the run. A property that nothing "
        "binds is said, with the place where it would work. "
        "`SPRING_KAFKA_PRODUCER_ACKS` and the like among a container's variables.",
    ),
    (
        "Spring Cloud Stream",
        "spring-cloud-stream.yml",
        "The Kafka binder and its bindings, over `spring.kafka`: what is common (`configuration`), one kind's "
        "(`producer-properties`, `consumer-properties`) and one binding's; `required-acks` lies under all of them. Binders with an "
        "environment of their own, and the Kafka Streams binder."
        " `SPRING_CLOUD_STREAM_KAFKA_BINDER_REQUIREDACKS` and the like.",
    ),
    (
        "Quarkus",
        "quarkus.properties",
        "Channels of SmallRye's Kafka connector in properties and YAML, each with what `kafka.*` says to all; "
        "`kafka-streams` and `quarkus.kafka-streams`. Profiles (`%dev.`) over the base; `%prod.` in place of it. What the "
        "connector itself sets (acks=1, no auto-commit) counts where nothing is written."
        " Variables of containers (`MP_MESSAGING_OUTGOING_ORDERS_ACKS`, and beside them `KAFKA_BOOTSTRAP_SERVERS`).",
    ),
    (
        "Micronaut",
        "micronaut.yml",
        "`kafka.producers`, `kafka.consumers` and `kafka.streams`, each client with what `kafka.*` says to all. What "
        "annotations in the code may set is not judged where the file leaves it out."
        " `KAFKA_PRODUCERS_DEFAULT_ACKS` and the like among a container's variables.",
    ),
    (
        "Continuous integration",
        "github-workflow.yml",
        "The containers beside the jobs of GitHub Actions (`services`, `container`), GitLab CI (`services` with the variables of "
        "the service, the job and all jobs) and CircleCI (`docker`), by the rules of Compose. Commands of the jobs are followed as "
        "scripts are.",
    ),
    (
        "Files of variables",
        "kafka.env",
        "`.env` and the like that no Compose file of the run takes: what an image of Kafka's, Spring, Quarkus, Micronaut or .NET "
        "makes of their variables.",
    ),
    (
        ".NET",
        "appsettings.json",
        "Objects with two properties of Confluent.Kafka's configurations (`Acks`, `SaslMechanism`), and half of all theirs, in any "
        "case where they name brokers, a producer or a consumer; `Kafka:Producer:Acks` is a path, `Kafka__Producer__Acks` a "
        "variable of a container. The names of enums are read as librdkafka's values. What the code may set is not judged where the file leaves it out.",
    ),
    (
        "Debezium Server",
        "debezium-server.properties",
        "The producer of its Kafka sink, and its source, a connector.",
    ),
    (
        "Terraform",
        "msk.tf",
        "aws_msk_configuration, aws_msk_cluster, the msk module, topics of Mongey, Confluent, Aiven and others, connectors, "
        "releases of Helm (`values` with `set` over them), Kubernetes' objects and manifests, tasks of ECS, containers of Docker. "
        "`.tf.json`, and Kafka's keys in the bodies of other resources, in arguments of modules and in `.tfvars`. Expressions are "
        "evaluated as far as the files of a folder tell: locals, defaults of variables, `terraform.tfvars` and `*.auto.tfvars`, "
        "what a call gives to a module of the same run, `for_each`, `count`, `dynamic`, `for`, conditions, templates and "
        "functions such as `merge`, `lookup`, `join`, `format` and `jsonencode`. `file`, `templatefile` and `fileset` read files of "
        "the tree, which are judged there, at their own lines. A variable that another `.tfvars` sets, that may hold a secret, or "
        "that has no value is unknown, and so is what is made of it: attributes of resources, data sources, outputs of modules. What a configuration of Amazon MSK leaves out is the service's to decide.",
    ),
    (
        "Terraform's states and plans",
        "terraform-show.json",
        "What `terraform show -json` prints, and `terraform.tfstate`: the resources of all modules with their values.",
    ),
    (
        "Helm values",
        "helm-values.yaml",
        "Bitnami's chart up to 23 and from 24 on, with the topics that it provisions, and cp-helm-charts, also below the name of "
        "a part of a larger chart, or its alias; files of environments lie over its `values.yaml`.",
    ),
    (
        "Releases of Helm",
        "flux-release.yaml",
        "The values that a HelmRelease of Flux, an Application or ApplicationSet of Argo CD, a helmfile, Kustomize's `helmCharts`, Fleet, "
        "Helmsman, Skaffold or Ansible gives to such a chart in place. Those that they take from elsewhere (`valuesFrom`, `valueFiles`, other files) may set any "
        "key, so what is left out is unknown.",
    ),
    ("Connectors", "connector.json", "`{name, config}` as Connect's REST interface takes it, or a bare configuration."),
    ("Topics as code", "topicctl.yaml", "topicctl, jikkou, julie and kafka-gitops."),
    ("Topics of nais", "nais-topic.yaml", "`Topic` of kafka.nais.io, whose defaults are those that nais documents."),
    (
        "Ansible",
        "ansible-vars.yml",
        "`kafka_*_custom_properties` of cp-ansible, and three or more variables that are named after settings of a broker.",
    ),
    (
        "Logs",
        "startup-log.md",
        "What brokers, clients and workers print when they start (`KafkaConfig values:`), anywhere in a text, a ticket for "
        "one. The values are effective: nothing is taken from defaults.",
    ),
    (
        "Outputs of tools",
        "topics-described.md",
        "`kafka-topics --describe` of any release, `kafka-configs --describe` with `--all` or without, `kafka-metadata-quorum`, "
        "`kafka-features`, `kafka-log-dirs`, `kafka-consumer-groups`, `kcat -L -J` and Cruise Control's `kafka_cluster_state`, "
        "anywhere in a text. They are judged as `check` judges a running cluster, without access to it; `--one-cluster` makes "
        "one cluster of several files, brokers' properties files included. What no output shows is unknown; a topic that is "
        "printed twice counts as printed last.",
    ),
    (
        "Operators and others",
        "koperator.yaml",
        "Confluent for Kubernetes, koperator, CloudFormation: properties texts and mappings under the fields that hold them.",
    ),
    (
        "Anything else",
        "clients.yaml",
        "A mapping or a properties text inside YAML, JSON or TOML with two dotted keys of Kafka's or librdkafka's, and half of "
        "all its keys.",
    ),
    (
        "TOML",
        "vector.toml",
        "Vector's `librdkafka_options` and clients in Rust, Python or Go, found by their keys as above.",
    ),
)
HEAD = """\
# What is read

Properties files need no word: brokers, controllers, clients, topics, Connect, Streams, MirrorMaker 2, `zoo.cfg`. Beside them
kafka-advisor reads the files below, told apart by content. A finding names the key as the file spells it (`kafka_key` in JSON
is Kafka's name), and stands in the key's line. What nothing says is Kafka's default, a platform's documented one, or
unknown. Nothing is executed and nothing is fetched; limits stand in [limits.md](limits.md).

`kafka-advisor lint .` walks a folder by git's ignore rules and judges what concerns Kafka. Placeholders are unknown; `--set
NAME=VALUE`, `--env-file FILE` and `--environment` fill them in. What a file sets in a form that no reader follows is said, whether or not the rest of it is judged.

Made by `make docs` from `examples/inputs`: the first findings of each file.
"""


def findings_of(name: str) -> list[str]:
    """The worst findings of a file, one line each."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.chdir(FOLDER):
        main(["lint", name, "--no-config", "--format", "json"])
    rows = json.loads(printed.getvalue())["findings"]
    lines = [f"{_place(row)}: {row['severity']}: {row['key']}: {row['message']} [{row['name']}]" for row in rows]
    return [*lines[:SHOWN], *(["…"] if len(lines) > SHOWN else [])]


def _place(row: dict[str, Any]) -> str:
    """File and line, or what of a running cluster the finding is about."""
    return f"{row['file']}:{row['line'] or '-'}" if row["file"] else "{kind} {name}".format(**row["entity"])


def page() -> str:
    """The page."""
    parts = [HEAD]
    for title, name, text in FORMATS:
        lines = "\n".join(findings_of(name))
        parts.append(f"## {title}\n\n{text}\n\n```\n$ kafka-advisor lint {name}\n{lines}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "120"
    print(page(), end="")
