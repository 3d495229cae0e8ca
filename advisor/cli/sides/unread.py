"""Why a file that one side describes something in cannot be read on the other: that is unknown there, and neither removed nor new."""

from __future__ import annotations

import os
import stat

from advisor.errors import JudgedElsewhere, NothingToJudge, NotRead, UnreadableInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.cli.inputs import Inputs
    from advisor.cli.settings import RunSettings
    from advisor.model import Snapshot

LINK, NO_FILE = "a link there, which is not followed", "no regular file there"


def unread_there(
    here: Sequence[Snapshot],
    there: Sequence[Snapshot],
    inputs: Inputs,
    settings: RunSettings,
    path_there: Callable[[str], str],
) -> dict[str, str]:
    """The files of one side that are there on the other and cannot be read, with the reason; `inputs` are what read the other."""
    judged, not_read = set(files_of(there)), dict(inputs.not_read)
    paths = {file: path_there(file) for file in files_of(here)}
    reasons = {
        file: not_read.get(path) or ("" if path in judged else why_unread(path, settings))
        for file, path in paths.items()
    }
    return {file: reason for file, reason in reasons.items() if reason}


def files_of(snapshots: Iterable[Snapshot]) -> Iterable[str]:
    """The files that entities stand in, each once."""
    return dict.fromkeys(entity.file for snapshot in snapshots for entity in snapshot.entities if entity.file)


def why_unread(path: str, settings: RunSettings) -> str:
    """Why a file cannot be read; empty for one that can, and for one that is not there."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return ""
    if not stat.S_ISREG(mode):
        return LINK if stat.S_ISLNK(mode) else NO_FILE
    from advisor.secrets.masking import mask
    from collectors.files.reader import File, read

    kind, target = settings.for_path(path)
    try:
        read(File(path, kind, target, settings.variables))
    except (UnreadableInput, NotRead) as error:
        return mask(str(error).removeprefix(f"{path}: "))
    except (JudgedElsewhere, NothingToJudge):
        return ""
    return ""
