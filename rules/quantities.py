"""Quantities of Kubernetes."""

from __future__ import annotations

from advisor.facts import is_whole_number

GIB = {
    "Ki": 2.0**-20,
    "Mi": 2.0**-10,
    "Gi": 1.0,
    "Ti": 2.0**10,
    "K": 0.95e-6,
    "M": 0.93e-3,
    "G": 0.93,
    "T": 931.0,
    "": 2.0**-30,
}


def gib_of(size: str) -> float | None:
    """A Kubernetes quantity in GiB, None where it is none."""
    digits = size.rstrip("KMGTi")
    unit = size[len(digits) :]
    if unit not in GIB or not all(map(is_whole_number, digits.split(".", 1))):
        return None
    return float(digits) * GIB[unit]
