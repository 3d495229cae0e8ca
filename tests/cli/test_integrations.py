"""What others run us from: pre-commit, GitHub's action, GitLab's template, the image, completion, the manual."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor.cli.commands.completion import rule_words
from advisor.cli.parser import parse, parser_of
from advisor.cli.registry import COMMANDS
from advisor.docs_pages import stale, write
from advisor.reports.formats import MODULES
from advisor.reports.machine.prometheus import HELP
from tests.support.commands import ROOT, run
from tests.support.program import program
from tests.support.repository_copy import commit, copy_of_this

BAD = (ROOT / "examples/bad/producer.properties").read_text()
GOOD = (ROOT / "examples/good/producer.properties").read_text()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a script with kafka-advisor on the path, in a folder with files."""
    tool = program(tmp_path / "bin")
    work = tmp_path / "work"
    (work / "config/deep er").mkdir(parents=True)
    (work / "config/bad.properties").write_text(BAD)
    (work / "config/deep er/good.properties").write_text(GOOD)

    def execute(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {"PATH": f"{tool.parent}:/usr/bin:/bin", "HOME": str(tmp_path), **environment}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(command, cwd=work, env=clean, capture_output=True, text=True, timeout=300, check=False)

    execute.work = work  # type: ignore[attr-defined]
    return execute


# ---------------------------------------------------------------- GitHub


def action(shell: Any, **inputs: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Path]]:
    """The action's second step as the runner runs it."""
    described = yaml.safe_load((ROOT / "action.yml").read_text())
    values = {name: str(said.get("default", "")) for name, said in described["inputs"].items()} | {
        name.replace("_", "-"): value for name, value in inputs.items()
    }
    step = next(step for step in described["runs"]["steps"] if step.get("id") == "lint")
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], said)
        for name, said in step["env"].items()
    }
    assert "${{" not in step["run"], "inputs come through the environment, never into the script"
    files = {name: shell.work / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    return shell(step["run"], **environment, **{name: str(path) for name, path in files.items()}), files


def test_the_action_annotates_and_writes_sarif_and_a_summary(shell: Any) -> None:
    ran, files = action(shell, files="config/**/*.properties\n", profile="staging")
    assert ran.returncode == 1, ran.stderr
    assert re.search(r"^::error file=config/bad.properties,line=7,col=1,title=KA101", ran.stdout, re.M)
    assert files["GITHUB_OUTPUT"].read_text() == "sarif=kafka-advisor.sarif\n"
    assert "KA101" in files["GITHUB_STEP_SUMMARY"].read_text()
    assert '"2.1.0"' in (shell.work / "kafka-advisor.sarif").read_text()


def test_the_action_takes_configuration_baseline_waivers_and_writes_html(shell: Any) -> None:
    (shell.work / "advisor.yaml").write_text("fail-on: critical\nprofile: dev\n")
    (shell.work / "waivers.yaml").write_text("- {rule: KA101, reason: replayed}\n")
    named = {"config": "advisor.yaml", "waivers": "waivers.yaml", "html": "report.html"}
    ran, _ = action(shell, files="config/bad.properties", **named)
    assert "KA101" not in ran.stdout
    assert "replayed" in (shell.work / "kafka-advisor.sarif").read_text()
    assert "<!DOCTYPE html>" in (shell.work / "report.html").read_text()
    ran, _ = action(shell, files="config/bad.properties", baseline="absent.json")
    assert (ran.returncode, "absent.json" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({"files": "config/deep er/*.properties", "sarif": ""}, 0),
        ({"files": "config/*.properties", "fail_on": "critical"}, 0),
        ({"files": "nothing/*.properties"}, 2),
        ({"files": "$(touch pwned)\n`touch pwned`\n; touch pwned"}, 2),
        ({"files": "--rules=evil.py\nconfig/bad.properties"}, 2),
    ],
)
def test_the_action_takes_files_as_files(shell: Any, inputs: dict[str, str], code: int) -> None:
    (shell.work / "evil.py").write_text("open('pwned', 'w').close()\n")
    ran, _ = action(shell, **inputs)
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert not (shell.work / "pwned").exists()


def test_the_workflow_uses_the_actions_inputs() -> None:
    steps = yaml.safe_load((ROOT / "examples/ci/github.yml").read_text())["jobs"]["kafka-advisor"]["steps"]
    ours = next(step for step in steps if "kafka-advisor" in step["uses"])
    assert "OWNER" not in (ROOT / "examples/ci/github.yml").read_text()
    assert set(ours["with"]) <= set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])


# ---------------------------------------------------------------- GitLab


def test_the_gitlab_template_writes_what_it_declares(shell: Any) -> None:
    job = yaml.safe_load((ROOT / "examples/ci/gitlab.yml").read_text())[".kafka-advisor"]
    ran = shell("\n".join(job["script"]), **job["variables"])
    assert ran.returncode == 1, ran.stderr
    assert "KA101" in ran.stdout
    for file in job["artifacts"]["reports"].values():
        assert (shell.work / file).stat().st_size > 100


def test_the_gitlab_template_judges_what_a_merge_request_changes(shell: Any) -> None:
    job = yaml.safe_load((ROOT / "examples/ci/gitlab.yml").read_text())[".kafka-advisor"]
    git = "git -c user.name=t -c user.email=t@example.org -c init.defaultBranch=main"
    assert shell(f"{git} init -q . && git add -A && {git} commit -qm one").returncode == 0
    ran = shell("\n".join(job["script"]), **{**job["variables"], "KAFKA_SINCE": "HEAD"})
    assert ran.returncode == 0 and "KA101" not in ran.stdout, ran.stdout + ran.stderr


def test_the_merge_request_script_says_what_changed(shell: Any) -> None:
    git = "git -c user.name=t -c user.email=t@example.org -c init.defaultBranch=main"
    assert shell(f"{git} init -q . && git add -A && {git} commit -qm one").returncode == 0
    ran = shell(f"{ROOT}/examples/ci/diff.sh HEAD config/*.properties 'config/deep er/good.properties'")
    assert (ran.returncode, ran.stdout) == (0, "")
    (shell.work / "config/deep er/good.properties").write_text(GOOD.replace("acks=all", "acks=1"))
    (shell.work / "config/new.properties").write_text(BAD)
    ran = shell(f"{ROOT}/examples/ci/diff.sh HEAD config/*.properties 'config/deep er/good.properties'")
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.count("### kafka-advisor") == 2
    new, changed = sorted(ran.stdout.split("### kafka-advisor")[1:], key=lambda part: "HEAD" in part)
    assert "config/new.properties:" in new
    assert "HEAD:config/deep er/good.properties" in changed
    assert all("KA101 acks-not-all" in part and "/tmp" not in part for part in (new, changed))


# ---------------------------------------------------------------- pre-commit


@pytest.mark.live
def test_the_pre_commit_hook(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    ours, theirs = copy_of_this(tmp_path / "ours"), tmp_path / "theirs"
    theirs.mkdir()
    ref = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ours, capture_output=True, text=True, check=True
    ).stdout.strip()
    for name, text in (
        (".pre-commit-config.yaml", f"repos:\n- {{repo: {ours}, rev: {ref}, hooks: [{{id: kafka-advisor}}]}}\n"),
        ("p.properties", BAD),
        ("log4j.properties", "log4j.rootLogger=INFO\n"),
        ("other.properties", "a=b\n"),
    ):
        (theirs / name).write_text(text)
    commit(theirs)

    def hook(*files: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "kafka-advisor", "--files", *files]
        environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")}
        return subprocess.run(
            command, cwd=theirs, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    bad = hook("p.properties", "log4j.properties")
    if "Could not find a version" in bad.stdout + bad.stderr or "No matching distribution" in bad.stdout + bad.stderr:
        if os.environ.get("CI"):
            pytest.fail("no package index; CI must have one")
        pytest.skip("no package index: pre-commit cannot make its environment")
    assert bad.returncode == 1, bad.stdout + bad.stderr
    assert "KA101" in bad.stdout
    assert "log4j.properties" not in bad.stdout
    fine = hook("other.properties")
    assert fine.returncode == 0, fine.stdout
    (theirs / "p.properties").write_text(GOOD)
    assert hook("p.properties", "other.properties").returncode == 0


@pytest.mark.parametrize(("arguments", "code"), [((), 3), (("--allow-nothing",), 0)])
def test_nothing_to_check_may_be_fine(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    (tmp_path / "x.properties").write_text("colour=blue\n")
    assert run("lint", tmp_path / "x.properties", *arguments).code == code
    assert run("lint", tmp_path / "absent.properties", *arguments).code == 2


# ---------------------------------------------------------------- the image


def test_the_image_needs_no_root_and_only_what_is_declared() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert text.index("USER advisor") < text.index('ENTRYPOINT ["kafka-advisor"]')
    extras = set(re.findall(r"\[([a-z,]+)\]\"", text))
    declared = (ROOT / "pyproject.toml").read_text()
    assert all(f"\n{extra} = [" in declared for names in extras for extra in names.split(","))


# ---------------------------------------------------------------- completion


def completed(shell: Any, script: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    listed = " ".join(f"'{word}'" for word in ("kafka-advisor", *words))
    ran = shell(
        f"source {script}; COMP_WORDS=({listed}); COMP_CWORD={len(words)}; _kafka_advisor || true; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert ran.returncode == 0, ran.stderr
    return str(ran.stdout).split("\n")[:-1]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("li",), ["lint"]),
        (("lint", "--profile", "st"), ["staging"]),
        (("lint", "--profile", "=", "re"), ["regulated"]),
        (("lint", "--format", "sa"), ["sarif"]),
        (("lint", "--fail-on", "cr"), ["critical"]),
        (("lint", "--exit"), ["--exit-zero"]),
        (("explain", "acks-not"), ["acks-not-all"]),
        (("lint", "--select", "KA101"), ["KA101", "KA1010", "KA1011", "KA1012", "KA1013", "KA1014", "KA1015"]),
        (("lint", "config/ba"), ["config/bad.properties"]),
        (("lint", "config/de"), ["config/deep er"]),
        (("simulate", "--acks", "a"), ["all"]),
        (("completion", "z"), ["zsh"]),
        (("diff", "--format", "m"), ["markdown"]),
    ],
)
def test_bash_completes(shell: Any, tmp_path: Path, words: tuple[str, ...], offered: list[str]) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(run("completion", "bash").out)
    assert completed(shell, script, *words) == offered


def test_bash_offers_every_command_and_option(shell: Any, tmp_path: Path) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(run("completion", "bash").out)
    assert set(COMMANDS) <= set(completed(shell, script, ""))
    for name in COMMANDS:
        wanted = {word for action in parser_of(name)._actions for word in action.option_strings}
        assert wanted == set(completed(shell, script, name, "-")), name


ZSH = """
_arguments() { print -rl -- ARGS "$@" }
_describe() { print -rl -- "${commands[@]}" }
compdef() { : }
compadd() { print -rl -- "$@" }
source %s
words=(kafka-advisor %s) CURRENT=%d
_kafka_advisor
_values_of_rules
"""


def test_zsh_completes(tmp_path: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    script = tmp_path / "_kafka-advisor"
    script.write_text(run("completion", "zsh").out)
    assert script.read_text().startswith("#compdef kafka-advisor\n")

    def offered(*words: str) -> list[str]:
        text = ZSH % (script, " ".join(words), len(words) + 1)
        done = subprocess.run(["zsh", "-f", "-c", text], capture_output=True, text=True, timeout=60, check=True)
        assert done.stderr == ""
        return done.stdout.splitlines()

    assert any(line.startswith("lint:judge") for line in offered("l"))
    lines = offered("lint", "x")
    assert any(
        line.startswith("*--profile[") and line.endswith(":(dev staging production regulated)") for line in lines
    )
    assert "KA101" in lines
    assert "*:operand:_files" in lines


def test_rules_are_offered_by_id_name_and_family() -> None:
    assert {"KA101", "acks-not-all", "durability"} <= set(rule_words())


# ---------------------------------------------------------------- the manual


def test_the_generated_pages_are_what_the_code_says() -> None:
    assert stale(str(ROOT / "docs")) == [], "run make docs"


def test_a_stale_page_is_named(tmp_path: Path) -> None:
    write(str(tmp_path / "docs"))
    assert stale(str(tmp_path / "docs")) == []
    (tmp_path / "docs/rules/KA101.md").write_text("old\n")
    (tmp_path / "docs/rules/KA0.md").write_text("a rule that is gone\n")
    (tmp_path / "docs/cli.md").unlink()
    assert stale(str(tmp_path / "docs")) == ["cli.md", "rules/KA0.md", "rules/KA101.md"]


DOCUMENTS = sorted(path for path in (ROOT / "docs").glob("*.md"))


def test_the_documents_name_every_format_exit_code_and_metric() -> None:
    formats = (ROOT / "docs/formats.md").read_text()
    assert all(f"| `{name}` |" in formats for name in MODULES)
    assert all(f"`{name}`" in formats for name in HELP)
    codes = (ROOT / "docs/exit-codes.md").read_text()
    assert all(f"`{name}`" in codes for name in COMMANDS)


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_commands_in_the_documents_are_understood(page: Path) -> None:
    for line in re.findall(r"^(?:\$ )?kafka-advisor ((?!\[|\S+ \[)[a-z].*?)(?:\s+#.*)?$", page.read_text(), re.M):
        words = re.sub(r"<\([^)]*\)", "old.properties", line).split(" > ")[0].split()
        if words[0] in COMMANDS and "…" not in line and "[OPTIONS]" not in line:
            parse([word.strip("\"'") for word in words])


def test_the_example_configuration_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/configuration.md").read_text(), re.S)
    (tmp_path / "kafka-advisor.yaml").write_text(example)
    (tmp_path / "p.properties").write_text("acks=1\n")
    ran = run("lint", tmp_path / "p.properties", "--config", tmp_path / "kafka-advisor.yaml", "--format", "json")
    assert ran.json["profile"] == "staging"
    assert next(row["severity"] for row in ran.json["findings"] if row["rule"] == "KA101") == "critical"


def test_links_between_pages_lead_somewhere() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        for link in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
