"""Tests against a real Kafka: skipped where its clients are not installed, unless this is CI (variable CI)."""

import os

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("confluent_kafka")
    pytest.importorskip("kafka", minversion="3.0")
