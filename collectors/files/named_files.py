"""Files without a word of Kafka of which another file says that they are about it: they are read like those that have one."""

from __future__ import annotations

from collectors.files.run_files import YAML, RunFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def named_by_others(paths: Sequence[str], others: Sequence[str]) -> list[str]:
    """Those of the other files that one of a run's files names."""
    run = RunFiles(paths, others)
    named: list[str] = []
    if run.ending(("Chart.yaml", "Chart.yml", "requirements.yaml")):
        from collectors.files.helm.umbrella import values_among

        named += values_among(others, run)
    if any("values" in path for path in run.ending(YAML)):
        from collectors.files.helm.environments import overlays_among

        named += overlays_among(others, run)
    if any("kustomization" in path.lower() for path in run.ending(YAML)):
        from collectors.files.unfollowed.kustomizations import generated_from

        named += set(generated_from(run)).intersection(others)
    return named
