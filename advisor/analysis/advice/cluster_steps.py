"""The steps of a running cluster, in the order in which they are safe."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from advisor.analysis.advice.feature_steps import features
from advisor.analysis.advice.manual_steps import quorum, security
from advisor.analysis.advice.min_isr_steps import min_isr, min_isr_below_replicas
from advisor.analysis.advice.replica_steps import racks, replicas
from advisor.analysis.advice.setting_steps import broker_files, broker_settings, clients, topic_settings, unclean_off
from advisor.analysis.advice.step import PlanStep
from advisor.analysis.advice.step_inputs import StepInputs

BUILDERS: tuple[Callable[[StepInputs], list[PlanStep]], ...] = (
    unclean_off,
    min_isr_below_replicas,
    racks,
    partial(replicas, internal=True),
    partial(replicas, internal=False),
    broker_files,
    broker_settings,
    min_isr,
    topic_settings,
    clients,
    quorum,
    security,
    features,
)
