"""Whether Spark can be started here."""

from __future__ import annotations


def why_not() -> str | None:
    """Why no Spark can be started here; None where it can."""
    try:
        from spark_audit.spark.session import NoSpark, check_java, check_packages
    except ImportError as missing:
        return f"{missing.name} is not installed (pip install 'kafka-advisor[spark]')"
    try:
        check_packages()
        check_java()
    except NoSpark as missing:
        return str(missing)
    return None
