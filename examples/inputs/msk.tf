variable "name" { default = "x" }

resource "aws_msk_configuration" "main" {
  name           = var.name
  kafka_versions = ["3.6.0"]

  server_properties = <<-EOT
    unclean.leader.election.enable = true
    default.replication.factor     = ${var.factor}
  EOT
}

resource "aws_msk_cluster" "main" {
  kafka_version          = "3.6.0"
  number_of_broker_nodes = 3
  configuration_info {
    arn      = aws_msk_configuration.main.arn
    revision = aws_msk_configuration.main.latest_revision
  }
  client_authentication {
    sasl { iam = true }
  }
}

resource "kafka_topic" "orders" {
  name               = "orders"
  partitions         = 6
  replication_factor = 1
  config = {
    "retention.ms" = "-1"
  }
}
