"""The types of Terraform's resources that concern Kafka, and the fields that are read of each."""

from __future__ import annotations

from advisor.model import OF_ACCESS, OF_CLUSTER, OF_TOPIC, OF_USER

CONFIGURATION, CLUSTER = "aws_msk_configuration", "aws_msk_cluster"
REVISION_IN_FORCE = "revision in force"
"""The field of a state or a plan with the revision of its configuration that a cluster has."""
TOPICS = {
    "kafka_topic": ("name", "replication_factor", "partitions"),
    "aiven_kafka_topic": ("topic_name", "replication", "partitions"),
    "confluent_kafka_topic": ("topic_name", "", "partitions_count"),
    "digitalocean_database_kafka_topic": ("name", "replication_factor", "partition_count"),
    "huaweicloud_dms_kafka_topic": ("name", "replicas", "partitions"),
    "redpanda_topic": ("name", "replication_factor", "partition_count"),
    "aws_msk_topic": ("name", "replication_factor", "partition_count"),
}
"""Of each resource the fields with the name, the replication factor and the partitions."""
CONFIG_AS_JSON = {"aws_msk_topic": "configs"}
"""The field that has the settings of a topic as a text of JSON, where it is not `config` with a map."""
TOP_LEVEL = {
    "aiven_kafka_topic": {
        "cleanup_policy": "cleanup.policy",
        "minimum_in_sync_replicas": "min.insync.replicas",
        "retention_bytes": "retention.bytes",
        "retention_hours": "retention.ms",
    }
}
"""Settings of a topic that stood beside `config` in earlier versions of a provider."""
CHECKED_TOPICS = ("aiven_kafka_topic", "digitalocean_database_kafka_topic")
"""Resources whose provider knows every key of a topic: one that Kafka does not have is the service's own."""
CONNECTORS = {
    "confluent_connector": "config_nonsensitive",
    "kafka-connect_connector": "config",
    "kafka_connect_connector": "config",
    "aws_mskconnect_connector": "connector_configuration",
    "aiven_kafka_connector": "config",
}
AIVEN_KAFKA = "aiven_kafka"
CONFLUENT_CLUSTER = "confluent_kafka_cluster"
CLUSTER_TYPES = ("basic", "standard", "enterprise", "dedicated", "freight")
"""The blocks of a cluster of Confluent's, one of which says its type."""
SAME_VALUES = {(CONFLUENT_CLUSTER, "availability"): {"LOW": "SINGLE_ZONE", "HIGH": "MULTI_ZONE"}}
"""Values of a fixed field that a provider takes for others."""
CONNECT_WORKER = "aws_mskconnect_worker_configuration"
ACLS = {
    "kafka_acl": ("acl_operation", "resource_type", "resource_name", "acl_permission_type"),
    "confluent_kafka_acl": ("operation", "resource_type", "resource_name", "permission"),
}
"""Of each kind of ACL the fields with the operation, the resource's type and name, and whether it allows or denies."""
SCHEMA, SCRAM_SECRETS = "confluent_schema", "aws_msk_scram_secret_association"
REGISTRIES = ("confluent_schema_registry_cluster_config", "confluent_subject_config")
QUOTA = "kafka_quota"
HELM_RELEASE, ECS_TASK, DOCKER_CONTAINER = "helm_release", "aws_ecs_task_definition", "docker_container"
OBJECTS = {
    f"kubernetes_{name}{version}": kind
    for name, kind in (
        ("deployment", "Deployment"), ("stateful_set", "StatefulSet"), ("daemonset", "DaemonSet"), ("daemon_set", "DaemonSet"),
        ("pod", "Pod"), ("config_map", "ConfigMap"), ("secret", "Secret"), ("service", "Service"),
    )
    for version in ("", "_v1")
}  # fmt: skip
"""The kind of Kubernetes' objects that a resource makes."""
MANIFESTS = {"kubernetes_manifest": "manifest", "kubectl_manifest": "yaml_body"}
"""The field that holds a manifest of Kubernetes."""
APPLICATIONS = frozenset(
    ("aws_lambda_function", "aws_apprunner_service", "aws_elastic_beanstalk_environment", "google_cloud_run_service",
     "google_cloud_run_v2_service", "google_cloud_run_v2_job", "google_cloudfunctions2_function", "azurerm_container_app",
     "azurerm_container_group", "azurerm_linux_web_app", "azurerm_linux_function_app", "heroku_config", "heroku_app",
     "heroku_app_config_association", "digitalocean_app", "cloudfoundry_app")
)  # fmt: skip
"""Types of applications that take variables."""
CARRIERS = frozenset((*OBJECTS, *MANIFESTS, *APPLICATIONS, ECS_TASK, DOCKER_CONTAINER))
"""Types that hold manifests and containers of any kind, Kafka's among them."""
REMOVALS = {
    **dict.fromkeys(TOPICS, OF_TOPIC),
    CLUSTER: OF_CLUSTER,
    "aws_msk_serverless_cluster": OF_CLUSTER,
    CONFLUENT_CLUSTER: OF_CLUSTER,
    AIVEN_KAFKA: OF_CLUSTER,
    HELM_RELEASE: OF_CLUSTER,
    "kafka_acl": OF_ACCESS,
    "confluent_kafka_acl": OF_ACCESS,
    "confluent_role_binding": OF_ACCESS,
    "aiven_kafka_acl": OF_ACCESS,
    "kafka_user_scram_credential": OF_USER,
    "aiven_kafka_user": OF_USER,
    SCRAM_SECRETS: OF_USER,
    "aws_msk_single_scram_secret_association": OF_USER,
    "confluent_service_account": OF_USER,
    "confluent_api_key": OF_USER,
}
"""What is deleted in the cluster with a resource of a type."""
FIXED = {
    "kafka_acl": (
        "acl_principal", "acl_host", "acl_operation", "acl_permission_type", "resource_type", "resource_name",
        "resource_pattern_type_filter",
    ),
    "confluent_kafka_acl": ("principal", "host", "operation", "permission", "resource_type", "resource_name", "pattern_type"),
    "confluent_role_binding": ("principal", "role_name", "crn_pattern"),
    "aiven_kafka_acl": ("username", "topic", "permission"),
    "kafka_user_scram_credential": ("username", "scram_mechanism"),
    "aiven_kafka_user": ("username",),
    AIVEN_KAFKA: ("project", "service_name"),
    CLUSTER: (
        "cluster_name", "broker_node_group_info.client_subnets", "broker_node_group_info.security_groups",
        "broker_node_group_info.az_distribution", "encryption_info.encryption_at_rest_kms_key_arn",
        "encryption_info.encryption_in_transit.in_cluster",
    ),
    "aws_msk_serverless_cluster": ("cluster_name",),
    CONFLUENT_CLUSTER: ("availability", "cloud", "region", "environment.id", "network.id", "byok_key.id"),
    HELM_RELEASE: ("name", "namespace"),
}  # fmt: skip
"""The fields of which a change deletes a resource and creates it anew. Source: the providers' schemas (ForceNew)."""
SETS = ("broker_node_group_info.client_subnets", "broker_node_group_info.security_groups")
"""Fixed fields whose items have no order. Source: the provider's schema (TypeSet)."""
READ = frozenset(
    (
        CONFIGURATION,
        CLUSTER,
        CONNECT_WORKER,
        AIVEN_KAFKA,
        HELM_RELEASE,
        *CARRIERS,
        SCHEMA,
        QUOTA,
        *REGISTRIES,
        *TOPICS,
        *CONNECTORS,
        *ACLS,
        *REMOVALS,
    )
)
"""The types of resources that are read by their fields."""
