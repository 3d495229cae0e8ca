# The two commands: `make demo` and `make test`. Everything runs in .venv, which is made when it is missing.
# `make test` needs Python alone and takes some minutes; `make test-live` plays Kafka, ZooKeeper, Spark, a browser and an editor.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SHARED ?= ../shared
INSTALL := -m pip install --quiet --disable-pip-version-check
# Compiled tests are kept, also where the shell says otherwise: pytest takes some seconds a worker to rewrite what they assert.
COMPILED := PYTHONDONTWRITEBYTECODE=
# One more than there are cores: tests of servers that say nothing wait.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

.PHONY: demo test test-live check corpus refusals bench clean catalog docs verify proofs

demo: $(VENV)/demo
	@$(BIN)/python examples/demo.py

test: $(VENV)/test
	$(COMPILED) $(BIN)/python -m pytest -m "not live" -r s --numprocesses $(WORKERS) --dist worksteal
	@echo "make test-live plays what starts other programs: Kafka, ZooKeeper, Spark, a browser, an editor, pre-commit."

# Fetches Kafka 3.9 and 4.3 by Maven, starts clusters of one to three brokers on the loopback, Spark sessions, Chromium, Neovim and
# Prometheus; about a quarter of an hour on two cores, a module of tests to each. The first broker of a release leaves its classes
# beside the jars (40 MB in ~/.cache/kafka-advisor), which halves what every later start of a node costs; a first job of Spark does
# the same (190 MB). What is not there (Java 17, Maven, Chromium, Neovim,
# Prometheus with its Pushgateway and node exporter) is skipped with its reason, except where CI is set. What kafka-python calls
# and Python 3.11 and 3.12 call deprecated is no warning.
test-live: $(VENV)/dev
	$(BIN)/python -m pytest -m live -r s -W default -W "ignore:read_text is deprecated:DeprecationWarning" \
	    -W "ignore:open_text is deprecated:DeprecationWarning" --numprocesses 2 --dist loadscope --no-loadscope-reorder

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every reader under random input on all cores; the seeds are printed, and `python -m tests.fuzz --seed N` plays one again.
SECONDS ?= 60
.PHONY: fuzz
fuzz: $(VENV)/dev
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

corpus: $(VENV)/dev
	$(BIN)/python -m tests.extra.corpus $(SHARED)/corpus
	$(BIN)/python -m tests.extra.fix_corpus $(SHARED)/corpus

# Rollouts of real clusters, node by node: the change rules say what came of them.
.PHONY: rollouts
rollouts: $(VENV)/dev
	$(BIN)/python -m tests.extra.rollouts $(SHARED)/reference/rollout-cases.jsonl
	$(BIN)/python -m tests.extra.rollout_cases $(SHARED)/reference/rollout-cases.jsonl

# The same files' severe findings in other carriers, quotings, names and folders: judged alike, or said to be not judged.
.PHONY: respell
respell: $(VENV)/dev
	$(BIN)/python -m tests.extra.respell $(SHARED)/corpus

# Random edits in the buffers of a language server: no range that is not one of the text, no request without an answer.
EDITS ?= 10000
.PHONY: typing
typing: $(VENV)/dev
	$(BIN)/python -m tests.extra.typing_at_random --edits $(EDITS)

# What images, charts and operators make of files, started by Kafka's own classes (Maven and Java 17), against starts and lint:
# some minutes. ARGUMENTS=--record writes what became of the cases to tests/data/image-starts.jsonl, which make test replays.
.PHONY: image-starts
image-starts: $(VENV)/dev
	$(BIN)/python -m tests.extra.image_starts $(ARGUMENTS)

# What `upgrade` to the newest release requires of the settings of these files, and what `starts` refuses.
.PHONY: upgrade-corpus
upgrade-corpus: $(VENV)/dev
	$(BIN)/python -m tests.extra.upgrade_corpus $(SHARED)/corpus

# The simulator's closed form against exhaustive searches of random configurations, as long as you like, and eight times as much
# of what `make test` searches, draws and damages.
verify: $(VENV)/dev
	$(BIN)/python -m tests.extra.verdict_grid --seconds $(SECONDS)
	MORE=8 $(BIN)/python -m pytest tests/simulator tests/analysis tests/edits tests/engine \
	    tests/rules/test_agreement_with_simulator.py tests/rules/test_harmless_changes.py \
	    tests/fleet/test_damage.py tests/fleet/test_tables.py tests/fleet/test_parity.py

# The proofs that ship, made anew.
proofs: $(VENV)/dev
	$(BIN)/python -m rules.claims

# refused_by_kafka and starts --queries against what the real classes of Kafka 2.8 to 4.4 did.
refusals: $(VENV)/dev
	$(BIN)/python -m tests.extra.refusals $(SHARED)/catalog/start-refusals.jsonl

# The same against Kafka's own classes, here and now (Maven and Java 17), and real starts of random combinations: half an hour
# a release, and a run that was ended goes on: make verify-refusals RELEASES="4.3.1" STARTS=1000 NODES=20 is some minutes.
STARTS ?= 20000
NODES  ?= 500
.PHONY: verify-refusals
verify-refusals: $(VENV)/dev
	STARTS=$(STARTS) NODES=$(NODES) $(BIN)/python -m tests.extra.verify_refusals $(RELEASES)

# Every scenario of tests/live/kafka on real clusters against the simulator (about a quarter of an hour), and docs/reality.md.
.PHONY: chaos
chaos: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[live]'
	$(BIN)/python -m tests.live.kafka.chaos docs/reality.md

# What `impact` says against what happens: every broker and every pair, with ZooKeeper and KRaft (about a quarter of an hour).
.PHONY: test-impact
test-impact: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[live]'
	ALL_KINDS=1 $(BIN)/python -m pytest -m live tests/live/kafka/test_impact.py

# Clusters of which a rule says that they never come up, with 3.9 and 4.3 (some minutes).
.PHONY: test-never-serves
test-never-serves: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[live]'
	ALL_KINDS=1 $(BIN)/python -m pytest -m live tests/live/kafka/test_never_serves.py

# Random scenarios on real clusters against the simulator, about half a minute each; ended early, it goes on there.
CHAOS ?= 200
.PHONY: chaos-random
chaos-random: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[live]'
	$(BIN)/python -m tests.live.kafka.chaos_random docs/reality.md 0 $(CHAOS)

# Changes rolled out on real clusters, node by node, against what `rollout` says: about a minute each; ended early, it goes on there.
# make test-rollout RANDOM=60 decides 300 random changes in place of them and plays the first 60; SEED is that of the first.
SEED ?= 1
.PHONY: test-rollout
test-rollout: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[live]'
	mkdir -p build
	$(BIN)/python -m $(if $(RANDOM),tests.live.kafka.rollout_random 300 $(RANDOM) $(SEED),tests.live.kafka.rollouts build/rollouts.jsonl)

# make bench AGAINST=COMMIT measures the wheel of that commit in the same rounds.
bench: $(VENV)/dev
	$(BIN)/python -m tests.bench.lint $(if $(AGAINST),--against $(AGAINST))
	$(BIN)/python -m tests.bench.simulator
	$(BIN)/python -m tests.bench.live
	$(BIN)/python -m tests.bench.impact
	$(BIN)/python -m tests.bench.since

# CPU seconds of each command for large inputs that are allowed, against 3 s a megabyte: half an hour.
.PHONY: bench-large
bench-large: $(VENV)/dev
	$(BIN)/python -m tests.bench.large $(ARGUMENTS)

# A made-up fleet, audited; make demo-fleet CLUSTERS=1000 TOPICS=200000 ENGINE=spark (Spark needs Java 17).
CLUSTERS ?= 200
TOPICS   ?= 20000
ENGINE   ?= local
.PHONY: demo-fleet dist-spark bench-fleet test-spark-floor
demo-fleet: $(VENV)/demo
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[html,$(if $(filter spark,$(ENGINE)),spark,fleet)]'
	$(BIN)/python -m examples.demo_fleet --clusters $(CLUSTERS) --topics $(TOPICS) --engine $(ENGINE)

# dist/kafka_advisor.zip and dist/audit_job.py, for spark-submit.
dist-spark: $(VENV)/demo
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[fleet]'
	$(BIN)/python -m spark_audit.bundle dist

# The fleet's audit beside Spark's and duckdb's own reading of the same data: a million topics and five, some minutes.
bench-fleet: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt duckdb
	$(BIN)/python -m tests.bench.fleet

# What an audit by Spark costs per topic and cluster, and the schedule of a larger fleet: half an hour, 8 GB of disk.
.PHONY: bench-fleet-scale bench-fleet-since-last
bench-fleet-scale: $(VENV)/dev
	$(BIN)/python -m tests.bench.fleet_scale

# An audit of a fleet in which nothing has changed, beside one of everything.
bench-fleet-since-last: $(VENV)/dev
	$(BIN)/python -m tests.bench.fleet_since_last

# The tests on Spark with the oldest release that is admitted, in an environment of their own.
test-spark-floor: build/constraints.txt
	$(PYTHON) -m venv build/spark-floor
	build/spark-floor/bin/python $(INSTALL) --constraint build/constraints.txt --editable '.[dev]' 'pyspark==4.0.*'
	build/spark-floor/bin/python -m pytest tests/live/spark

# Audits in Iceberg's and Delta's tables, each with the newest Spark that its runtime admits, in an environment of its own.
.PHONY: test-table-formats
test-table-formats: build/iceberg build/delta
	FORMAT=iceberg build/iceberg/bin/python -m pytest tests/extra/table_formats.py
	FORMAT=delta build/delta/bin/python -m pytest tests/extra/table_formats.py

# Audits in an S3 server, by this machine and by Spark's s3a (whose jars are large).
.PHONY: test-object-store
test-object-store: $(VENV)/dev
	$(BIN)/python $(INSTALL) --constraint constraints.txt 'moto[server]' boto3
	$(BIN)/python -m pytest tests/extra/object_store.py

build/iceberg build/delta: build/constraints.txt
	$(PYTHON) -m venv $@
	$@/bin/python $(INSTALL) --constraint build/constraints.txt --editable '.[test,spark]' \
	    $(if $(filter %delta,$@),'pyspark==4.2.*' 'delta-spark==4.4.0','pyspark==4.0.*')

# The configuration definitions anew, from the catalogs of every Kafka release.
catalog: $(VENV)/dev
	$(BIN)/python -m advisor.catalog.build $(SHARED)/catalog

# The index of rules, of which a lint loads the modules that it needs.
.PHONY: index
index: $(VENV)/dev
	$(BIN)/python -m rules.build_index

docs: index
	mkdir -p docs
	$(BIN)/python examples/stories.py > $(VENV)/page.md && mv $(VENV)/page.md docs/stories.md
	$(BIN)/python -m examples.inputs > $(VENV)/page.md && mv $(VENV)/page.md docs/inputs.md
	$(BIN)/python -m advisor.docs_pages docs
	$(BIN)/python -m spark_audit.schema.docs_page docs/fleet-tables.md

# docs/report.png anew, with the Chromium of the distribution.
.PHONY: screenshot
screenshot: $(VENV)/dev
	$(BIN)/python -m tests.extra.screenshot docs/report.png

# The exact versions that everything is tested with, anew from an environment of the newest ones.
.PHONY: constraints
constraints:
	rm -rf build/newest
	$(PYTHON) -m venv build/newest
	build/newest/bin/python $(INSTALL) --editable '.[dev]'
	build/newest/bin/python -m pip freeze --disable-pip-version-check --exclude-editable > constraints.txt

# The same where another pyspark is asked for.
build/constraints.txt: constraints.txt
	mkdir -p build
	grep -v -e '^pyspark=' -e '^py4j=' constraints.txt > $@

$(VENV)/demo: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kafka-advisor needs Python 3.11 or newer: make PYTHON=python3.11 demo")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable .
	@touch $@

$(VENV)/test: $(VENV)/demo
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[test]'
	@touch $@

$(VENV)/dev: $(VENV)/test
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
