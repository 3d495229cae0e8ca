"""A risk in a carrier of any kind is judged, or the run says that it is not; it never ends with 0 and without a word."""

from __future__ import annotations

import gzip
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path

import pytest

from advisor.cli.argument_types import FORMATS
from tests.support.commands import run

BITNAMIS = "image: {repository: bitnami/kafka, tag: 3.9.0}\nlisteners: {client: {protocol: SSL}, controller: {protocol: SSL}, interbroker: {protocol: SSL}}\ncontroller: {replicaCount: 3}\n"
KEY, VARIABLE = "unclean.leader.election.enable", "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
BROKER = (
    "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@a:9093\nlog.dirs=/d\n"
    "listeners=SSL://:9092,CONTROLLER://:9093\ncontroller.listener.names=CONTROLLER\n"
)
BAD = f"{BROKER}{KEY}=true\n"
GOOD = "bootstrap.servers=a:1,b:1\nsecurity.protocol=SSL\nkey.serializer=a.B\nvalue.serializer=a.B\n"
NODE = "      KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker,controller\n      KAFKA_LISTENERS: SSL://:9092\n"
SERVICE = f"services:\n  k:\n    image: apache/kafka:4.3.0\n    environment:\n{NODE}"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: k}\nspec:\n  containers:\n  - name: k\n    image: apache/kafka:4.3.0\n    "
CHART = "apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{name: kafka, repository: 'oci://registry-1.docker.io/bitnamicharts'}]\n"
MSK = 'resource "aws_msk_configuration" "c" {\n  name = "c"\n  kafka_versions = ["3.6.0"]\n  server_properties = '
MAP = 'resource "kubernetes_config_map_v1" "m" {\n  metadata {\n    name = "m"\n  }\n  '
HELM = "overrideConfiguration.unclean\\.leader\\.election\\.enable"
STRIMZI = "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: k}\nspec: {kafka: {version: 4.0.0, config: {min.insync.replicas: 2}}}\n"


def in_base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def packed(text: str) -> str:
    return b64encode(gzip.compress(text.encode())).decode()


def values(enabled: str) -> str:
    return "kafka:\n" + "".join(
        f"  {part}:\n    persistence:\n      enabled: {enabled}\n" for part in ("broker", "controller")
    )


LOG = (
    "INFO KafkaConfig values: \n"
    + "".join(f"\t{line}\n" for line in BROKER.replace("=", " = ").splitlines())
    + " (kafka.server.KafkaConfig)\n"
)
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: "
TOPIC = "- apiVersion: kafka.strimzi.io/v1\n  kind: KafkaTopic\n  metadata: {name: k}\n  spec: {partitions: 3, replicas: 1}\n"
NET = "Kafka__Producer__Acks"
ICONS = ", ".join(['"backspace"'] * 60_000)
"""More values than one document may have."""
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'4d7a' * 16}\nsize 1234\n"
SEVERE = {
    "an application's file in a Secret": ({"s.yaml": f"{SECRET}{{application.yml: {in_base64('spring: {kafka: {producer: {acks: 0}}}')}}}\n"}, "KA101"),
    "Spring's variable in small letters": ({"c.yml": "services:\n  a:\n    image: acme/orders:1\n    environment: {spring_kafka_producer_acks: '0'}\n"}, "KA101"),
    "values of Flux": ({"a.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: k}\nspec:\n  chart: {spec: {chart: kafka}}\n  values: {defaultReplicationFactor: 1}\n"}, "KA103"),
    "gzip in a Secret": ({"s.yaml": f"{SECRET}{{server.properties.gz: {packed(BAD)}}}\n"}, "KA104"),
    "gzip in binary data": ({"s.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\nbinaryData: {{server.properties.gz: {packed(BAD)}}}\n"}, "KA104"),
    "gzip in cloud-init": ({"u.yaml": f"#cloud-config\nwrite_files:\n- path: /etc/kafka/server.properties\n  encoding: gz+b64\n  content: {packed(BAD)}\n"}, "KA104"),
    "gzip in cloud-init, as YAML's binary": ({"u.yaml": f"#cloud-config\nwrite_files:\n- path: /etc/kafka/server.properties\n  encoding: gzip\n  content: !!binary {packed(BAD)}\n"}, "KA104"),
    "base64 of base64": ({"s.yaml": f"{SECRET}{{server.properties: {in_base64(in_base64(BAD))}}}\n"}, "KA104"),
    "a template of OpenShift's": ({"t.yaml": f"apiVersion: template.openshift.io/v1\nkind: Template\nobjects:\n{TOPIC}"}, "KA156"),
    "a list of topics": ({"t.yaml": f"apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopicList\nitems:\n{TOPIC}"}, "KA156"),
    "a List with a topic": ({"t.yaml": f"apiVersion: v1\nkind: List\nitems:\n{TOPIC}"}, "KA156"),
    "a stray connector.class": ({"server.properties": f"connector.class=x\n{BAD}"}, "KA104"),
    "volumes of a chart's part, no": ({"Chart.yaml": CHART, "values.yaml": values("no")}, "KA1701"),
    "volumes of a chart's part, false": ({"Chart.yaml": CHART, "values.yaml": values("false")}, "KA1701"),
    "a prefix of envFrom": ({"k.yaml": f"{POD}envFrom: [{{prefix: KAFKA_, configMapRef: {{name: c}}}}]\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\n"
                                       "data: {NODE_ID: '1', PROCESS_ROLES: broker, UNCLEAN_LEADER_ELECTION_ENABLE: 'true'}\n"}, "KA104"),
    "cloud-init in base64": ({"u.yaml": f"#cloud-config\nwrite_files:\n- path: /etc/kafka/server.properties\n  encoding: b64\n  content: {in_base64(BAD)}\n"}, "KA104"),
    "Terraform, a secret": ({"m.tf": MAP.replace("config_map_v1", "secret") + f'data = {{\n    "server.properties" = <<EOF\n{BAD}EOF\n  }}\n}}\n'}, "KA104"),
    "Terraform, binary data": ({"m.tf": MAP + f'binary_data = {{\n    "server.properties" = base64encode("{BAD.replace(chr(10), chr(92) + "n")}")\n  }}\n}}\n'}, "KA104"),
    "Terraform, base64decode": ({"m.tf": f'{MSK}base64decode("{in_base64(KEY + "=true")}")\n}}\n'}, "KA104"),
    "Terraform, yes of a manifest": ({"m.tf": 'resource "kubectl_manifest" "t" {\n  yaml_body = <<EOF\napiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata: {name: t}\n'
                                              f"spec: {{partitions: 3, replicas: 3, config: {{{KEY}: yes}}}}\nEOF\n}}\n"}, "KA152"),
    "Terraform, replicas": ({"m.tf": 'resource "huaweicloud_dms_kafka_topic" "t" {\n  name = "t"\n  partitions = 3\n  replicas = 1\n}\n'}, "KA156"),
    "properties in a text of two lines": ({"p.txt": f"{KEY}=true\nauto.create.topics.enable=true\n"}, "KA104"),
    "a queue of dead letters": ({"c.json": '{"connector.class": "x", "topics": "t", "errors.tolerance": "all", "errors.deadletterqueue.topic.name": "d", '
                                           '"errors.deadletterqueue.topic.replication.factor": "1"}'}, "KA1217"),
    "Debezium's history of schemas": ({"c.json": '{"connector.class": "io.debezium.connector.mysql.MySqlConnector", "schema.history.internal.producer.acks": "0"}'}, "KA101"),
    "variables of Quarkus in a file": ({".env": "MP_MESSAGING_OUTGOING_O_CONNECTOR=smallrye-kafka\nMP_MESSAGING_OUTGOING_O_ACKS=0\n"}, "KA101"),
    "AWS' controllers for Kubernetes": ({"k.yaml": f"apiVersion: kafka.services.k8s.aws/v1alpha1\nkind: Configuration\nmetadata: {{name: k}}\nspec: {{serverProperties: {in_base64(KEY + '=true')}}}\n"}, "KA104"),
    "CloudFormation's base64": ({"t.yml": f"Resources:\n  C:\n    Type: AWS::MSK::Configuration\n    Properties: {{Name: c, ServerProperties: {in_base64(KEY + '=true')}}}\n"}, "KA104"),
    "Fn::Join of CloudFormation": ({"t.json": '{"Resources": {"C": {"Type": "AWS::MSK::Configuration", "Properties": {"ServerProperties": {"Fn::Join": ["", ["unclean.leader", ".election.enable=", "true"]]}}}}}'}, "KA104"),
    "Fn::Base64 of CloudFormation": ({"t.yml": f"Resources:\n  C:\n    Type: AWS::MSK::Configuration\n    Properties:\n      ServerProperties: {{Fn::Base64: '{KEY}=true'}}\n"}, "KA104"),
    "a worker's configuration of CloudFormation": ({"t.yml": f"Resources:\n  C:\n    Type: AWS::KafkaConnect::WorkerConfiguration\n    Properties: {{PropertiesFileContent: {in_base64('offset.storage.replication.factor=1')}}}\n"}, "KA1201"),
    "Ignition in base64": ({"k.ign": f'{{"storage": {{"files": [{{"path": "/etc/kafka/server.properties", "contents": {{"source": "data:;base64,{in_base64(BAD)}"}}}}]}}}}'}, "KA104"),
    "Ignition with escapes": ({"k.ign": f'{{"storage": {{"files": [{{"path": "/etc/kafka/server.properties", "contents": {{"source": "data:,{KEY}%3Dtrue%0A"}}}}]}}}}'}, "KA104"),
    "an assignment of replicas": ({"a.sh": "kafka-topics.sh --create --topic o --replica-assignment 1,2,3\n"}, "KA156"),
    "values of an environment over Bitnami's": ({"values.yaml": BITNAMIS, "values-prod.yaml": "controller: {persistence: {enabled: no}}\n"}, "KA1701"),
    "replicas of an environment": ({"values.yaml": BITNAMIS, "prod-values.yaml": "controller: {replicaCount: 1}\n"}, "KA501"),
    "defaults of kafka-gitops": ({"state.yaml": "settings:\n  topics:\n    defaults:\n      replication: 1\ntopics:\n  t:\n    partitions: 1\n"}, "KA156"),
    "defaults of kafka-gitops beside settings": ({"state.yaml": "settings: {topics: {defaults: {replication: 1}}}\ntopics:\n  t: {partitions: 3, configs: {min.insync.replicas: 2}}\n  u: {partitions: 3, replication: 3}\n"}, "KA156"),
    "a producer as a text": ({"kafka/producer.txt": "bootstrap.servers=a:1,b:1\nacks=1\n"}, "KA101"),
    "a topic as a text": ({"topic.txt": f"# mine\n---\n{TOPIC[2:].replace(chr(10) + '  ', chr(10))}"}, "KA156"),
    "a topic with another ending": ({"topic.yaml.txt": TOPIC[2:].replace("\n  ", "\n")}, "KA156"),
    "records in a folder that a start of the host empties": ({"compose.yml": f"{SERVICE}      KAFKA_LOG_DIRS: /data\n    volumes: ['/tmp/k:/data']\n"}, "KA1701"),
    "records in memory": ({"compose.yml": f"{SERVICE}      KAFKA_LOG_DIRS: /data\n    volumes: ['d:/data']\nvolumes:\n  d: {{driver_opts: {{type: tmpfs, device: tmpfs}}}}\n"}, "KA1701"),
    "records in a folder of a host that is emptied": ({"k.yaml": f"{POD}env: [{{name: KAFKA_NODE_ID, value: '1'}}, {{name: KAFKA_LOG_DIRS, value: /data/k}}]\n    volumeMounts: [{{name: d, mountPath: /data}}]\n  volumes: [{{name: d, hostPath: {{path: /tmp/kafka}}}}]\n"}, "KA1701"),
    "records in a claim that goes with the pod": ({"k.yaml": f"{POD}env: [{{name: KAFKA_NODE_ID, value: '1'}}, {{name: KAFKA_LOG_DIRS, value: /data/k}}]\n    volumeMounts: [{{name: d, mountPath: /data}}]\n  volumes: [{{name: d, ephemeral: {{volumeClaimTemplate: {{spec: {{}}}}}}}}]\n"}, "KA1701"),
}  # fmt: skip
"""Files with a risk, and the rule that finds it."""
SAID: dict[str, dict[str, str | bytes]] = {
    "a program of Pulumi": {"Pulumi.yaml": "name: a\nruntime: nodejs\n", "src/index.ts": f'new aws.msk.Configuration("c", {{serverProperties: `{KEY}=true`}});\n'},
    "a topic of Pulumi": {"Pulumi.yaml": "name: a\nruntime: python\n", "__main__.py": 'kafka.Topic("t", replication_factor=1, partitions=3)\n'},
    "a program of the CDK": {"cdk.json": '{"app": "python app.py"}\n', "app.py": f'msk.CfnConfiguration(self, "c", server_properties="{KEY}=true")\n'},
    "a program of cdk8s": {"cdk8s.yaml": "language: typescript\n", "main.ts": "new KafkaTopic(this, 't', {spec: {replicas: 1, partitions: 3}});\n"},
    "a Dockerfile beyond a limit": {"Dockerfile": "FROM apache/kafka:4.3.0\n" + "".join(f"ENV KAFKA_LISTENER_NAME_L{n}_SSL_CLIENT_AUTH=none\n" for n in range(5001))},
    "UTF-16 without a mark": {"server.properties": BAD.encode("utf-16-le")},
    "UTF-32": {"server.properties": BAD.encode("utf-32")},
    "a stray NUL": {"server.properties": BAD.encode() + b"#\0\n"},
    "variables in UTF-16 without a mark": {"k.env": f"{VARIABLE}=true\n".encode("utf-16-le")},
    "UTF-16 without a mark, German": {"k.properties": f"# Größe über Maß: ÄÖÜ\n{BAD}".encode("utf-16-be")},
    "a topic in UTF-16 without a mark": {"t.yaml": TOPIC.encode("utf-16-le")},
    "a Secret in base64 for addresses": {"s.yaml": f"{SECRET}{{server.properties: {urlsafe_b64encode(f'{BAD}a=>>>???~~'.encode()).decode()}}}\n"},
    "a Secret of UTF-16": {"s.yaml": f"{SECRET}{{server.properties: {b64encode(BAD.encode('utf-16')).decode()}}}\n"},
    "user data in base64": {"m.tf": f'resource "aws_instance" "k" {{\n  user_data_base64 = "{in_base64(f"#!/bin/sh{chr(10)}echo {KEY}=true >> /etc/kafka/server.properties")}"\n}}\n'},
    "a variable in a file of its own": {f"env/{VARIABLE}": "true\n"},
    "a key of Salt's": {"kafka/init.sls": f"/etc/kafka/server.properties:\n  file.keyvalue:\n  - key: {KEY}\n  - value: 'true'\n"},
    "a parameter that is named by a key": {"m.tf": f'resource "aws_ssm_parameter" "k" {{\n  name = "/kafka/{KEY}"\n  value = "true"\n}}\n'},
    "parameters of KUDO": {"k.yaml": "apiVersion: kudo.dev/v1beta1\nkind: Instance\nmetadata: {name: k}\nspec: {parameters: {UNCLEAN_LEADER_ELECTION_ENABLE: 'true'}}\n"},
    "storage of KubeDB": {"k.yaml": "apiVersion: kubedb.com/v1\nkind: Kafka\nmetadata: {name: k}\nspec: {version: 3.9.0, storageType: Ephemeral}\n"},
    "sed that keeps the key": {"a.sh": "sed -ri 's/(unclean\\.leader\\.election\\.enable)=false/\\1=true/' config/server.properties\n"},
    "yq in place": {"a.sh": "yq -i '.spec.replicas = 1' kafka-topic.yaml\n"},
    "a consumer of Pekko's": {"application.conf": "pekko.kafka.consumer {\n  kafka-clients {\n    enable.auto.commit = true\n  }\n}\n"},
    "patches of Flux": {"k.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n  patches:\n  - target: {kind: Kafka}\n    patch: |\n      - {op: replace, path: /spec/kafka/storage/type, value: ephemeral}\n"},
    "a config that Compose does not keep": {"compose.yml": f"{SERVICE}    configs: [{{source: c, target: /mnt/shared/config/server.properties}}]\nconfigs:\n  c: {{external: true}}\n"},
    "rpk": {"t.sh": "rpk topic create orders -r 1 -p 3\n"},
    "rpk in a Makefile": {"Makefile": "topics:\n\trpk topic create orders --partitions 3 --replicas 1\n"},
    "rpk in a workflow": {".github/workflows/t.yml": "on: push\njobs:\n  t:\n    runs-on: u\n    steps:\n    - run: rpk topic create orders -r=1\n"},
    "rpk in a Dockerfile": {"Dockerfile": "FROM redpandadata/redpanda:v24.1.1\nRUN rpk topic create orders -r 1\n"},
    "rpk sets what topics get": {"t.sh": "rpk cluster config set default_topic_replications 1\n"},
    "kaf": {"t.sh": "kaf topic create orders -r 1 -p 3\n"},
    "kcat": {"p.sh": "echo x | kcat -P -b a:9092 -t t -X acks=1\n"},
    "kafkacat": {"p.sh": "kafkacat -P -b a -t t -X request.required.acks=0\n"},
    "the console's producer": {"p.sh": "kafka-console-producer.sh --bootstrap-server a:9092 --topic t --request-required-acks 0\n"},
    "Redpanda's --set": {"c.yml": "services:\n  k:\n    image: redpandadata/redpanda:v24.1.1\n    command: [redpanda, start, --set, redpanda.default_topic_replications=1]\n"},
    "an image with a broker of its own": {"c.yml": "services:\n  k:\n    image: landoop/fast-data-dev\n"},
    "Spotify's image": {"c.yml": "services:\n  k:\n    image: spotify/kafka\n"},
    "Control Center's own topics": {"c.yml": "services:\n  c:\n    image: confluentinc/cp-enterprise-control-center:7.5.0\n    environment: {CONTROL_CENTER_REPLICATION_FACTOR: '1'}\n"},
    "a sealed Secret": {"s.yaml": "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: k}\nspec:\n  encryptedData: {server.properties: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq}\n"},
    "sops": {"s.enc.yaml": "server.properties: ENC[AES256_GCM,data:xx,iv:y,tag:z,type:str]\nsops: {version: 3.7.1}\n"},
    ".NET's variables in a ConfigMap": {"c.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: k}}\ndata:\n  {NET}: None\n"},
    ".NET's variables in a chart": {"values.yaml": f"env:\n  {NET}: None\n"},
    ".NET's variables of a launch": {"launchSettings.json": f'{{"profiles": {{"a": {{"environmentVariables": {{"{NET}": "None"}}}}}}}}'},
    ".NET's variables in Terraform": {"m.tf": f'resource "azurerm_linux_web_app" "a" {{\n  app_settings = {{ "{NET}" = "None" }}\n}}\n'},
    ".NET's variables by name and value": {"t.json": f'[{{"name": "{NET}", "value": "None"}}]'},
    ".NET's XML": {"app.config": '<configuration><appSettings><add key="bootstrap.servers" value="a:1"/><add key="acks" value="0"/></appSettings></configuration>'},
    "a file of properties as Markdown": {"server.properties.md": BAD},
    "Jsonnet's library": {"k.libsonnet": f"{{ broker+: {{ '{KEY}'+: true }} }}\n"},
    "NixOS": {"k.nix": f"{{ services.apache-kafka.settings.{KEY} = true; }}\n"},
    "Ansible's ini_file": {"tasks/main.yml": f"- ini_file:\n    path: /etc/kafka/server.properties\n    option: {KEY}\n    value: 'true'\n"},
    "Render": {"render.yaml": f"services:\n- type: pserv\n  name: k\n  image: {{url: acme/kafka}}\n  envVars:\n  - key: {VARIABLE}\n    value: 'true'\n"},
    "Pkl": {"k.pkl": f'broker {{\n  ["{KEY}"] = true\n}}\n'},
    "CUE": {"k.cue": f'broker: "{KEY}": true\n'},
    "Ambari's XML": {"kafka-broker.xml": f"<configuration>\n<property>\n<name>{KEY}</name>\n<value>true</value>\n</property>\n</configuration>"},
    "Spring's XML": {"ctx.xml": '<beans><bean><entry key="bootstrap.servers" value="a:1"/><entry key="acks" value="0"/></bean></beans>'},
    "ksqlDB's SQL": {"c.sql": "CREATE SOURCE CONNECTOR x WITH ('connector.class'='x', 'producer.override.acks'='0');\n"},
    "a topic of ksqlDB's SQL": {"t.sql": "CREATE STREAM s (a INT) WITH (KAFKA_TOPIC='s', PARTITIONS=1, REPLICAS=1);\n"},
    "a URI of Camel's": {"r.yaml": '- route:\n    to: "kafka:orders?brokers=a:1&requestRequiredAcks=0"\n'},
    "Grails": {"conf/application.groovy": "kafka { producer { acks = '0' } }\n"},
    "Dapr": {"d.yaml": "apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: k}\nspec:\n  type: pubsub.kafka\n  metadata:\n  - {name: brokers, value: a}\n"},
    "Redpanda Connect": {"b.yaml": "output:\n  kafka:\n    addresses: [a]\n    ack_replicas: false\n"},
    "Redpanda Connect with franz": {"b.yaml": "output:\n  kafka_franz:\n    seed_brokers: [a]\n    topic: t\n"},
    "fish": {"e.fish": f"set -x {VARIABLE} true\n"},
    "csh": {"e.csh": f"setenv {VARIABLE} true\n"},
    "a default that is assigned": {"env": f": ${{{VARIABLE}:=true}}\n"},
    "crudini": {"r.sh": f"crudini --set /etc/kafka/server.properties '' {KEY} true\n"},
    "EDN": {"kafka.edn": f'{{:topic {{"{KEY}" "true"}}}}\n'},
    "Dhall": {"k.dhall": f"{{ `{KEY}` = True }}\n"},
    "launchd": {"k.plist": f"<dict><key>{VARIABLE}</key><string>true</string></dict>\n"},
    "HOCON in a line": {"kafka.conf": f"kafka {{ {KEY} = true\n min.insync.replicas = 1 }}\n"},
    "Helm's --set": {"up.sh": f"helm upgrade k bitnami/kafka --set '{HELM}=true'\n"},
    "Helm's --set in a Makefile": {"Makefile": f"up:\n\thelm upgrade k bitnami/kafka --set {HELM}=true\n".replace("\\", "\\\\")},
    "skaffold": {"skaffold.yaml": f"apiVersion: skaffold/v4beta1\nkind: Config\ndeploy:\n  helm:\n    releases:\n    - setValues:\n        {HELM}: \"true\"\n"},
    "a script in JSON's quotes": {"c.yml": "services:\n  c:\n    image: a/connect:1\n    command: bash -c 'curl -d \"{\\\"connector.class\\\":\\\"x\\\",\\\"producer.override.acks\\\":\\\"1\\\"}\" kafka:8083'\n"},
    "words of Aiven's operator": {"k.yaml": "apiVersion: aiven.io/v1alpha1\nkind: Kafka\nmetadata: {name: k}\nspec: {userConfig: {kafka: {unclean_leader_election_enable: true}}}\n"},
    "words of a provider": {"m.tf": 'resource "digitalocean_database_kafka_config" "c" {\n  unclean_leader_election_enable = true\n}\n'},
    "a topic of another operator": {"k.yaml": "apiVersion: aiven.io/v1alpha1\nkind: KafkaTopic\nmetadata: {name: t}\nspec: {replication: 1, partitions: 1}\n"},
    "a topic of Redpanda's operator": {"k.yaml": "apiVersion: cluster.redpanda.com/v1alpha2\nkind: Topic\nmetadata: {name: t}\nspec: {partitions: 1, replicationFactor: 1}\n"},
    "topics of Terragrunt": {"terragrunt.hcl": "inputs = {\n  topics = { orders = { replication_factor = 1, partitions = 2 } }\n}\n"},
    "topics of a module of Ansible's": {"t.yml": "- community.general.kafka_topics: {topics: [{name: a, partitions: 1, replica_factor: 1}]}\n"},
    "Kustomize patches a topic": {"kustomization.yaml": "patches:\n- target: {kind: KafkaTopic}\n  patch: |-\n    - {op: add, path: /spec/replicas, value: 1}\n"},
    "Kustomize replaces a field": {"k.yaml": STRIMZI, "kustomization.yaml": f"replacements:\n- source: {{kind: ConfigMap, name: c, fieldPath: data.un}}\n  targets: [{{select: {{kind: Kafka}}, fieldPaths: ['spec.kafka.config.[{KEY}]']}}]\n"},
    "Debezium Server's variables": {"c.yml": "services:\n  c:\n    image: quay.io/debezium/server:3.0\n    environment: {DEBEZIUM_SINK_KAFKA_PRODUCER_ACKS: '0'}\n"},
    "values of a chart of one's own": {"Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n", "values.yaml": "kafka:\n  minInsyncReplicas: 1\n"},
    "a word of Kafka's alone in a role": {"roles/broker/defaults/main.yml": "unclean_leader_election_enable: true\n"},
    "a variable of Terraform's": {"ci.env": "TF_VAR_default_replication_factor=1\nTF_VAR_min_insync_replicas=1\n"},
    "a service of Aiven's": {"c.sh": "avn service update k -c kafka.unclean_leader_election_enable=true\n"},
    "an option of Elastic Beanstalk": {".ebextensions/k.config": f"option_settings:\n- option_name: {VARIABLE}\n  value: 'true'\n"},
    "a variable of make for the replicas": {"Makefile": "RF ?= 1\ntopics:\n\tkafka-topics.sh --create --topic o --partitions 3 --replication-factor $(RF)\n"},
    "a prefix of one's own": {"app.properties": "db.url=x\nevents.producer.request.required.acks=0\nevents.producer.metadata.broker.list=a:1\n"},
    "a connector that curl posts": {"c.sh": 'curl -XPOST c:8083/connectors -d "{\\"config\\":{\\"producer.override.acks\\":\\"0\\"}}"\n'},
    "a stream of ksqlDB": {"q.ksql": "CREATE STREAM a WITH (KAFKA_TOPIC='o', REPLICAS=1, VALUE_FORMAT='JSON');\n"},
    "Kong": {"kong.yml": "plugins:\n- name: kafka-log\n  config: {topic: t, producer_request_acks: 0}\n"},
    "syslog-ng": {"s.conf": "destination d { kafka-c(bootstrap-servers('a') config(request.required.acks(0))); };\n"},
    "XML that is called properties": {"server.properties": f"<properties><entry key='{KEY}'>true</entry></properties>\n"},
    "ClickHouse": {"k.xml": "<clickhouse><kafka><request_required_acks>0</request_required_acks></kafka></clickhouse>\n"},
    "Sarama": {"config.yaml": "kafka:\n  producer:\n    requiredAcks: NoResponse\n"},
    "a list of keys and values": {"application.yml": "kafka:\n  properties:\n  - key: acks\n    value: '0'\n"},
    "Log4j's appender": {"log4j2.properties": "appender.k.type=Kafka\nappender.k.topic=a\nappender.k.prop.name=acks\nappender.k.prop.value=0\n"},
    "topics that an image creates": {"k.env": "KAFKA_CREATE_TOPICS=a:3:3,o:3:1\n"},
    "topics that an image creates beside its settings": {"k.env": "KAFKA_BROKER_ID=1\nKAFKA_CREATE_TOPICS=o:3:1\n"},
    "a reassignment to one replica": {"r.json": '{"version": 1, "partitions": [{"topic": "o", "partition": 0, "replicas": [1]}]}'},
    "replicas beside partitions": {"topics.yml": "topics:\n- {name: o, partitions: 3, replicas: 1}\n"},
    "partitions below replicas": {"topics.json": '{"topics": [{"name": "o", "replicas": 1,\n "partitions": 3}]}'},
    "a short word for replicas": {"topics.yml": "topics:\n- {name: o, partitions: 3, rf: 1}\n"},
    "a pointer of Git LFS, properties": {"server.properties": LFS},
    "a pointer of Git LFS, YAML": {"kafka.yaml": LFS},
    "a pointer of Git LFS in Kafka's folder": {"kafka/values.yml": LFS},
    "git-crypt": {"producer.properties": b"\0GITCRYPT\0" + bytes(range(128, 200))},
    "GPG": {"server.properties.asc": "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n"},
    "age": {"connect-distributed.properties": "age-encryption.org/v1\n-> X25519 abc\n"},
    "properties that Ansible's vault encrypts": {"server.properties": "$ANSIBLE_VAULT;1.1;AES256\n6132\n"},
    "Ansible's vault": {"group_vars/kafka.yml": "$ANSIBLE_VAULT;1.1;AES256\n6132\n"},
    "Chef's attributes": {"attributes/default.rb": f"default['kafka']['broker']['{KEY}'] = true\n"},
    "Chef's words": {"attributes/default.rb": "default['kafka']['broker']['unclean_leader_election_enable'] = true\n"},
    "Chef's mappings of mappings": {
        "attributes/default.rb": "default['kafka']['broker']['unclean']['leader']['election']['enable'] = true\n"
    },
    "Jenkins' Groovy": {"ci/build.groovy": f"sh 'docker run -e {VARIABLE}=true apache/kafka:4.3.0'\n"},
    "ksqlDB's own topics": {"ksql-server.properties": "bootstrap.servers=a:1,b:1\nksql.service.id=x\nksql.sink.replicas=1\n"},
    "an application's variable": {"k.env": "KAFKA_PRODUCER_ACKS=0\n"},
    "a cluster of CloudFormation's": {"t.yml": "Resources:\n  T:\n    Type: AWS::MSK::Cluster\n    Properties:\n      EncryptionInfo: {EncryptionInTransit: {ClientBroker: PLAINTEXT}}\n"},
    "a cluster of CloudFormation's beside its configuration": {"t.json": '{"Resources": {"C": {"Type": "AWS::MSK::Configuration", "Properties": {"ServerProperties": "min.insync.replicas=2"}}, '
                                                                        '"T": {"Type": "AWS::MSK::Cluster", "Properties": {"ClientAuthentication": {"Unauthenticated": {"Enabled": true}}}}}}'},
    "an env_file that is not there": {"compose.yml": f"{SERVICE}    env_file: gone.env\n"},
    "an env_file elsewhere": {"compose.yml": f"{SERVICE}    env_file: [/etc/kafka/k.env]\n"},
    "a key that a script adds": {"ci/prepare.sh": f'echo "{KEY}=true" >> $CONF/x.properties\n'},
    "a script that writes a broker's file": {"ci/prepare.sh": 'echo "$A=$B" >> config/server.properties\necho kafka\n'},
    "many values beside Kafka's": {"values.json": f'{{"icons": [{ICONS}], "{KEY}": true}}'},
    "a Secret of envFrom": {"k.yaml": f"{POD}env: [{{name: KAFKA_NODE_ID, value: '1'}}]\n    envFrom: [{{secretRef: {{name: s}}}}]\n"},
}  # fmt: skip
"""Files with a risk, or with something that may hold one, that no reader follows."""
QUIET: dict[str, dict[str, str | bytes]] = {
    "code without a project": {"main.ts": "new KafkaTopic(this, 't', {spec: {replicas: 1, partitions: 3}});\n"},
    "a program beside the project": {"infra/Pulumi.yaml": "name: a\n", "app/main.ts": f'const a = "{KEY}=true";\n'},
    "a client of a project": {"cdk.json": '{"app": "node app.js"}\n', "app.js": "new Kafka({clientId: 'a', brokers: ['a:9092']});\n"},
    "rpk with three replicas": {"t.sh": "rpk topic create orders -r 3 -p 3\nrpk cluster info\n"},
    "rpk lists topics": {"t.sh": "rpk topic list\nrpk topic consume orders -n 1\n"},
    "kcat reads": {"p.sh": "kcat -C -b a:9092 -t t -e\n"},
    "a Secret of a password": {"s.yaml": f"{SECRET}{{password: {in_base64('a password that is rather long')}}}\n"},
    "a sealed password of Kafka's": {"s.yaml": "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: kafka}\nspec:\n  encryptedData: {password: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq}\n"},
    "sops of others": {"s.enc.yaml": "app.yaml: ENC[AES256_GCM,data:xx,iv:y,tag:z,type:str]\nsops: {version: 3.7.1}\n"},
    "addresses of .NET alone": {"values.yaml": "env:\n  Kafka__BootstrapServers: a:1\n"},
    "a manual with a whole file": {"README.md": f"# Kafka\n\nUse this:\n\n```properties\n{BAD}```\n\nand start it.\nThen wait until it is up.\n" + "One more line of the manual.\n" * 9},
    "a log as Markdown": {"log.md": LOG},
    "Maven's file": {"pom.xml": "<project><artifactId>kafka-clients</artifactId><properties><kafka.version>3.9.0</kafka.version></properties></project>\n"},
    "a log of Log4j's": {"log4j2.xml": '<Configuration><Loggers><Logger name="org.apache.kafka" level="WARN"/></Loggers></Configuration>\n'},
    "SQL of a database": {"q.sql": "-- kafka\nCREATE TABLE topics (partitions INT, replicas INT);\n"},
    "a pickle": {"kafka.pkl": b"\x80\x04\x95kafka broker config\x94."},
    "a route of Camel's": {"r.yaml": '- route:\n    to: "kafka:orders?brokers=a:1"\n'},
    "Dapr's state": {"d.yaml": "apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: kafka-state}\nspec: {type: state.redis}\n"},
    "a tool for Kafka": {"c.yml": "services:\n  u:\n    image: landoop/kafka-topics-ui:0.9\n"},
    "Nix installs a client": {"k.nix": "{ environment.systemPackages = [ pkgs.kcat pkgs.apache-kafka ]; }\n"},
    "a workflow": {".github/workflows/t.yml": "on: push\njobs:\n  t:\n    runs-on: u\n    steps:\n    - run: make test # with kafka\n"},
    "volumes": {"Chart.yaml": CHART, "values.yaml": values("yes")},
    "values of another chart beside Bitnami's": {"values.yaml": BITNAMIS, "values-app.yaml": "image: {repository: acme/app}\npersistence: {enabled: false}\n"},
    "a closed cluster of CloudFormation's": {"t.yml": "Resources:\n  T:\n    Type: AWS::MSK::Cluster\n    Properties:\n      EncryptionInfo: {EncryptionInTransit: {ClientBroker: TLS, InCluster: true}}\n"},
    "good values of an environment": {"values.yaml": BITNAMIS, "values-prod.yaml": "controller: {replicaCount: 5}\n"},
    "code of an application": {"app.rb": "Kafka.new(seed_brokers: ['kafka://a:9092'], client_id: 'x')\n"},
    "a query": {"q.groovy": "println 'kafka is up'\n"},
    "a binary file about Kafka": {"x.dat": b"\x00\x01\x02unclean.leader.election.enable\xff\xfe\x00\x80\x81" * 20},
    "records with NULs": {"kafka.dat": bytes(range(256)) * 40 + b"kafka"},
    "a picture in a Secret": {"s.yaml": f"{SECRET}{{logo.png: {b64encode(bytes(range(256)) * 4).decode()}}}\n"},
    "Ignition of others": {"k.ign": f'{{"storage": {{"files": [{{"path": "/etc/motd", "contents": {{"source": "data:;base64,{in_base64("kafka runs here")}"}}}}]}}}}'},
    "good properties in base64": {"t.yml": f"Resources:\n  C:\n    Type: AWS::MSK::Configuration\n    Properties: {{ServerProperties: {in_base64(KEY + '=false')}}}\n"},
    "storage of KubeDB that is durable": {"k.yaml": "apiVersion: kubedb.com/v1\nkind: Kafka\nmetadata: {name: k}\nspec: {version: 3.9.0, storageType: Durable}\n"},
    "yq reads": {"a.sh": "yq '.spec.replicas' kafka-topic.yaml\n"},
    "a good consumer of Pekko's": {"application.conf": "pekko.kafka.consumer {\n  kafka-clients {\n    enable.auto.commit = false\n  }\n}\n"},
    "a file that is called after a variable of a client": {"env/KAFKA_CLIENT_ID": "x\n", "env/KAFKA_HOME": "/opt/kafka\n"},
    "a reference to a key": {"k.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: x, env: [{name: KAFKA, valueFrom: {configMapKeyRef: {name: c, key: min.insync.replicas}}}]}]}\n"},
    "records in a folder of the host": {"compose.yml": f"{SERVICE}      KAFKA_LOG_DIRS: /data\n    volumes: ['/srv/tmp/k:/data', '/tmp/x:/x']\n"},
    "an assignment of three replicas": {"a.sh": "kafka-topics.sh --create --topic o --replica-assignment 1:2:3,2:3:1\n"},
    "a config for something else": {"compose.yml": f"{SERVICE}    volumes: ['d:/var/lib/kafka/data']\n    configs: [{{source: c, target: /etc/motd}}]\nconfigs:\n  c: {{external: true}}\n".replace("      KAFKA_NODE_ID", "      KAFKA_LOG_DIRS: /var/lib/kafka/data\n      KAFKA_NODE_ID")},
    "keys of a Secret that is mounted": {"k.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: kafka-client}\nspec:\n  containers: [{name: a, image: x}]\n  volumes:\n  - name: s\n    secret:\n      secretName: s\n      items:\n      - key: ssl.truststore.password\n        path: p\n"},
    "prose with a key": {"notes.txt": f"We set {KEY} once.\n{KEY}=true\n"},
    "Kustomize without Kafka": {"kustomization.yaml": "# kafka\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/replicas, value: 1}\n"},
    "no queue of dead letters": {"c.json": '{"connector.class": "x", "topics": "t", "errors.deadletterqueue.topic.replication.factor": "1"}'},
    "an application's variable that is good": {"k.env": "KAFKA_PRODUCER_ACKS=all\n"},
    "a keyspace of Cassandra's": {"c.yml": "keyspace: {replication_factor: 1, class: SimpleStrategy}\npartitions: 3\n"},
    "replication of a store": {"m.yaml": "replication: 1\npartitions: 2\n"},
    "a database beside Kafka": {"a.yml": "kafka: {brokers: 'a:9092'}\nmysql: {replication: 1}\n"},
    "settings of an application": {"app.conf": "kafka_topic = orders\nkafka_group_id = x\nmax_poll_interval = 3\n"},
    "an exporter of metrics": {"jmx.yml": "rules:\n- pattern: kafka.server<type=(.+), name=(.+)><>Value\n  name: kafka_server_$1_$2\n"},
    "Kafka's home in fish": {"c.fish": "set -x KAFKA_HOME /opt/kafka\nset -gx KAFKA_HEAP_OPTS -Xmx1g\n"},
    "values of a chart with a client": {"Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n", "values.yaml": "kafka:\n  saslJaasConfig: ''\n  sslEnabledProtocols: TLSv1.3\n  numPartitions: 3\n  zookeeperSessionTimeoutMs: 1\n"},
    "a channel of Knative's": {"k.yaml": "apiVersion: messaging.knative.dev/v1beta1\nkind: KafkaChannel\nmetadata: {name: s}\nspec: {numPartitions: 3, replicationFactor: 3}\n"},
    "replicas of make": {"Makefile": "topics:\n\tkafka-topics.sh --create --topic o --partitions 3 --replication-factor 3\n"},
    "a stream of ksqlDB's with replicas": {"q.ksql": "CREATE STREAM a WITH (KAFKA_TOPIC='o', REPLICAS=3, VALUE_FORMAT='JSON');\n"},
    "appenders of Log4j's": {"log4j2.properties": "appender.k.type=Console\nappender.k.name=kafka\n"},
    "topics that an image creates with three replicas": {"k.env": "KAFKA_CREATE_TOPICS=a:3:3,o:1:3\n"},
    "a reassignment to three replicas": {"r.json": '{"version": 1, "partitions": [{"topic": "o", "partition": 0, "replicas": [1, 2, 3]}]}'},
    "a template of OpenShift's for others": {"t.yaml": "apiVersion: template.openshift.io/v1\nkind: Template\nobjects: [{apiVersion: v1, kind: Service, metadata: {name: kafka}}]\n"},
    "pointers of Git LFS of others": {"data/model.yaml": LFS, "kafka/README.md": LFS, "kafka/logo.png": LFS, "gradle.properties": LFS},
    "a vault of others": {"group_vars/all/vault.yml": "$ANSIBLE_VAULT;1.1;AES256\n61\n"},
    "a client's package": {"recipes/client.rb": "package 'kafkacat'\n"},
    "properties of Gradle's": {"ci/prepare.sh": 'echo "sdk.dir=/opt/android" >> local.properties\ncp gradle.properties.ci gradle.properties\n'},
    "a server of Cassandra's": {"run.sh": 'echo "dc=$CASSANDRA_DC" > $CONF/cassandra-rackdc.properties # acks\nsed -ri "s/a/b/" "$CONF/cassandra-rackdc.properties"\n'},
    "names of icons": {"icons.json": f'{{"icons": [{ICONS}]}}'},
    "replicas of another kind": {"k.yaml": "apiVersion: x/v1\nkind: Cassandra\nspec: {keyspaces: [{name: a, replicationFactor: 1}]}\n"},
}  # fmt: skip
"""Files in which nothing of Kafka's is set, or nothing that is in force."""


def lint(folder: Path, files: dict[str, str | bytes]) -> tuple[set[str], str, int]:
    """(severe rules, what was said beside the report, exit code) of a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = run("lint", folder, "--no-config", "--format", "json")
    rows = ran.json["findings"] if ran.out else []
    return {row["rule"] for row in rows if row["severity"] in ("critical", "high")}, ran.err, ran.code


def test_a_risk_is_judged(tmp_path: Path) -> None:
    said = {name: lint(tmp_path / name, dict(files)) for name, (files, _) in SEVERE.items()}
    assert {name: row for name, row in said.items() if SEVERE[name][1] not in row[0] or row[2] != 1} == {}


def test_a_risk_that_is_not_judged_is_said_to_be_not_read(tmp_path: Path) -> None:
    said = {name: lint(tmp_path / name, files) for name, files in SAID.items()}
    assert {name: row for name, row in said.items() if "not read" not in row[1]} == {}


def test_what_is_not_read_fails_who_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "ok.properties").write_text(BROKER)
    for number, files in enumerate(SAID.values()):
        lint(tmp_path / str(number), files)
        assert (
            run("lint", tmp_path / str(number), tmp_path / "ok.properties", "--no-config", "--fail-on-unknown").code
            == 1
        )


def test_what_sets_nothing_is_passed_over(tmp_path: Path) -> None:
    said = {name: lint(tmp_path / name, files) for name, files in QUIET.items()}
    assert {
        name: row
        for name, row in said.items()
        if row[0] & {"KA104", "KA156", "KA1701", "KA1217"} or "not read" in row[1]
    } == {}


def test_a_config_map_of_jikkou_is_its_topics(tmp_path: Path) -> None:
    topic = "apiVersion: kafka.jikkou.io/v1beta2\nkind: KafkaTopic\nmetadata: {name: a}\nspec: {partitions: 1, replicas: 3, configMapRefs: [cm], configs: {min.insync.replicas: 2}}\n"
    shared = f"apiVersion: core.jikkou.io/v1beta2\nkind: ConfigMap\nmetadata: {{name: cm}}\ndata: {{min.insync.replicas: 1, {KEY}: true}}\n"
    rules, *_ = lint(tmp_path, {"t.yaml": f"{topic}---\n{shared}"})
    assert {"KA151", "KA152", "KA104"} & rules == {"KA152"}


def test_a_pointer_of_git_lfs_is_called_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(LFS)
    for path in (tmp_path, tmp_path / "kafka.yaml"):
        assert "kafka.yaml: not read: it is a pointer of Git LFS" in run("lint", path, "--no-config").err


def test_a_mapping_that_an_override_file_takes_away_is_not_judged(tmp_path: Path) -> None:
    over = "services:\n  k:\n    environment: !reset null\n"
    assert (
        "KA104"
        not in lint(tmp_path, {"compose.yml": f"{SERVICE}      {VARIABLE}: 'true'\n", "compose.override.yml": over})[0]
    )


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_ends_with_0_without_a_word(format: str, tmp_path: Path) -> None:
    judged, said = tmp_path / "judged", tmp_path / "said"
    lint(judged, {"server.properties": BAD})
    lint(said, {"ok.properties": GOOD, **SAID["fish"]})
    ran = run("lint", judged, "--no-config", "--format", format)
    assert ran.code == 1 and ran.out
    ran = run("lint", said, "--no-config", "--format", format)
    assert ran.code == 0 and f"{said / 'e.fish'}: not read: it names {KEY}" in ran.err and ", 1 not read" in ran.err
    assert run("lint", said, "--no-config", "--format", format, "--fail-on-unknown").code == 1
