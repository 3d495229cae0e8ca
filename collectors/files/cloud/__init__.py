"""Clusters and topics as code: Terraform, topicctl, jikkou, julie."""
