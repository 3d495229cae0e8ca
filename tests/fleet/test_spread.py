"""Groups over Spark's shuffle: as many for every partition."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from spark_audit.spark.spread import hashed, spread


@given(st.integers(1, 60), st.integers(1, 40))
def test_every_partition_gets_as_many_groups(groups: int, partitions: int) -> None:
    numbers = spread(groups, partitions)
    assert len(set(numbers)) == groups
    many = Counter(hashed(number) % partitions for number in numbers)
    assert max(many.values()) <= -(-groups // partitions)
