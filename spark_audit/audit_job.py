"""The script for spark-submit: `spark-submit --py-files kafka_advisor.zip audit_job.py audit snapshots/ --out today`.

The arguments are those of `kafka-advisor`; the session that spark-submit makes is used as it is.
"""

import sys

if __name__ == "__main__":
    from advisor.cli import main

    sys.exit(main(sys.argv[1:]))
