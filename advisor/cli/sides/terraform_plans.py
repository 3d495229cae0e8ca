"""What plans of Terraform change: their resources as they were."""

from __future__ import annotations

from copy import copy

from advisor.cli.inputs import Inputs, read_clusters
from advisor.engine.former_side import FormerSide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.cli.settings import LintOptions, RunSettings


def before_plans(plans: Sequence[str], options: LintOptions, settings: RunSettings) -> FormerSide:
    """The side before some plans, of which everything else of the run knows nothing."""
    there, inputs = copy(options), Inputs(former=True, say=lambda line: None)
    there.files, there.with_ = list(plans), []
    return FormerSide(read_clusters(there, settings, inputs), unread=dict(inputs.not_read))
