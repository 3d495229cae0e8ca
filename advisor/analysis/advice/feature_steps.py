"""The step that finalizes feature levels, last of all: it can rarely be undone."""

from __future__ import annotations

from advisor.analysis.advice.aims import FEATURE
from advisor.analysis.advice.changes import FeatureChange
from advisor.analysis.advice.step import PlanStep
from advisor.analysis.advice.step_inputs import StepInputs


def features(inputs: StepInputs) -> list[PlanStep]:
    """Finalize the levels that all brokers support; each by its own name, for a whole release may take kraft.version along."""
    supported = inputs.live.supported or {}
    names = dict.fromkeys(aim.key for _, aim in inputs.asked(FEATURE) if aim.key in supported)
    if not names:
        return []
    return [
        PlanStep(
            "features",
            "Finalize the levels of the release that runs",
            "a release's new features are off until its metadata.version is finalized, and mixed states are tested least",
            tuple(FeatureChange(name, supported[name]) for name in names),
            risk="most levels cannot be lowered again, and the previous release does not start with them: only when every node "
            "has run the new release for some days and a downgrade is not planned",
        )
    ]
