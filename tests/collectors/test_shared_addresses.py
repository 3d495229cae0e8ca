"""Brokers of one StatefulSet that all advertise one address."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

NODE = """apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: kafka}}
spec:
  serviceName: kafka
  replicas: {replicas}
  template:
    spec:
      containers:
        - name: kafka
          image: confluentinc/cp-kafka:7.9.2
          command: [sh, -c, "export {exports}; exec /etc/confluent/docker/run"]
          env:
            - {{name: KAFKA_PROCESS_ROLES, value: broker}}
            - {{name: KAFKA_CONTROLLER_QUORUM_VOTERS, value: "9@c-0:9093"}}
            - {{name: KAFKA_LISTENERS, value: "PLAINTEXT://:9092"}}
            - {{name: KAFKA_ADVERTISED_LISTENERS, value: "{address}"}}
            - {{name: KAFKA_CONTROLLER_LISTENER_NAMES, value: CONTROLLER}}
"""
ID = "KAFKA_NODE_ID=${HOSTNAME##*-}"
OWN = f"{ID} KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://$HOSTNAME.kafka:9092"
ONE = "PLAINTEXT://kafka:9092"


@pytest.mark.parametrize(
    ("replicas", "exports", "address", "fires"),
    [
        (3, ID, ONE, True),
        (1, ID, ONE, False),
        (3, OWN, ONE, False),
        (3, ID, "PLAINTEXT://$(POD_NAME).kafka:9092", False),
    ],
)
def test_one_address_of_several_brokers(tmp_path: Path, replicas: int, exports: str, address: str, fires: bool) -> None:
    path = tmp_path / "kafka.yaml"
    path.write_text(NODE.format(replicas=replicas, exports=exports, address=address))
    assert ("KA1754" in run("lint", path, "--no-config").out) is fires
