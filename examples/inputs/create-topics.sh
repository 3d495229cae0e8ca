#!/bin/sh
# Topics of the orders team.
set -e
for name in orders payments; do
  docker exec kafka /opt/kafka/bin/kafka-topics.sh --bootstrap-server localhost:9092 --create --if-not-exists \
    --topic "$name" --partitions 6 --replication-factor 1 --config retention.ms=604800000
done
