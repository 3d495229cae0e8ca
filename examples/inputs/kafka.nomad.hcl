job "kafka" {
  group "brokers" {
    count = 3

    task "kafka" {
      driver = "docker"

      config {
        image = "apache/kafka:3.9.0"
        volumes = ["/srv/kafka:/var/lib/kafka"]
      }

      env {
        KAFKA_PROCESS_ROLES                            = "broker"
        KAFKA_NODE_ID                                  = "${NOMAD_ALLOC_INDEX}"
        KAFKA_CONTROLLER_QUORUM_VOTERS                 = "101@c1:9093,102@c2:9093,103@c3:9093"
        KAFKA_CONTROLLER_LISTENER_NAMES                = "CONTROLLER"
        KAFKA_LISTENERS                                = "PLAINTEXT://:9092"
        KAFKA_LOG_DIRS                                 = "/var/lib/kafka"
        KAFKA_DEFAULT_REPLICATION_FACTOR               = "3"
        KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE           = "true"
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR = "1"
      }
    }
  }
}
