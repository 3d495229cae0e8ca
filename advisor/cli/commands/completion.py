"""`kafka-advisor completion SHELL`: completion scripts for bash and zsh, generated from the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from advisor.cli.argument_types import FORMATS, Formats
from advisor.cli.parser import parser_of
from advisor.cli.registry import COMMANDS
from advisor.errors import ExitCode

RULES_OF = ("select", "ignore", "rule")
"""Arguments that take rules: ids, names and families."""
SIMPLE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")


class Option:
    """An option: its names, its help, the words that may follow (none: a file), and whether one follows at all."""

    def __init__(self, action: argparse.Action, rules: Sequence[str]) -> None:
        self.names = action.option_strings
        self.help = (action.help or "").replace("%%", "%")
        self.takes = action.nargs != 0
        self.metavar = str(action.metavar or action.dest).upper()
        self.words = words_of(action, rules)


def words_of(action: argparse.Action, rules: Sequence[str]) -> list[str]:
    """The words to complete after an option."""
    if isinstance(action, Formats):
        return [*FORMATS]
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    return [*rules] if action.dest in RULES_OF else []


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `completion`."""
    parser.epilog = "bash: source <(kafka-advisor completion bash)\nzsh:  kafka-advisor completion zsh > FOLDER_OF_FPATH/_kafka-advisor"
    parser.add_argument("shell", choices=("bash", "zsh"), metavar="SHELL", help="bash or zsh")


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    print(SHELLS[options.shell](rule_words()), end="")
    return ExitCode.CLEAN


def rule_words() -> list[str]:
    """Rule ids, names and families."""
    from rules import all_rules

    words = {word for rule in all_rules() for word in (rule.id, rule.name, rule.family)}
    return sorted(word for word in words if set(word) <= SIMPLE)


def options_of(name: str, rules: Sequence[str]) -> list[Option]:
    """The options of a command."""
    actions = parser_of(name)._actions
    return [Option(action, rules) for action in actions if action.option_strings and action.help != argparse.SUPPRESS]


def operands_of(name: str, rules: Sequence[str]) -> list[str]:
    """The words a command takes as operands, none where it takes files."""
    return [
        word for action in parser_of(name)._actions if not action.option_strings for word in words_of(action, rules)
    ]


def bash(rules: Sequence[str]) -> str:
    """The script for bash."""
    return BASH.format(
        commands=" ".join((*COMMANDS, "--help", "--version")),
        rules=" ".join(rules),
        values="\n".join(bash_values(rules)),
        options="\n".join(f"    {name}) options='{names(name, rules)}' ;;" for name in COMMANDS),
        operands="\n".join(bash_operands(rules)),
    )


def names(command: str, rules: Sequence[str]) -> str:
    """All option names of a command."""
    return " ".join(name for option in options_of(command, rules) for name in option.names)


def bash_values(rules: Sequence[str]) -> Iterator[str]:
    """What follows an option: words, or a file."""
    for command in COMMANDS:
        for option in options_of(command, rules):
            if option.takes:
                patterns = "|".join(f"{command}:{name}" for name in option.names)
                words = '"$rules"' if option.words == rules else f"'{' '.join(option.words)}'"
                yield f"    {patterns}) words={words}; follows=1 ;;"


def bash_operands(rules: Sequence[str]) -> Iterator[str]:
    """Commands whose operands are words."""
    for command in COMMANDS:
        words = operands_of(command, rules)
        if words:
            yield f"    {command}) words={'$rules' if words == rules else repr(' '.join(words))} ;;"


BASH = """\
# bash completion of kafka-advisor: source <(kafka-advisor completion bash)
_kafka_advisor() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  local words= options= follows=
  local rules='{rules}'
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{commands}' -- "$current"))
    return
  fi
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case $command:$before in
{values}
  esac
  if [[ -z $follows ]]; then
    case $command in
{options}
    esac
    case $command in
{operands}
    esac
  fi
  if [[ -z $follows && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _kafka_advisor kafka-advisor
"""


def zsh(rules: Sequence[str]) -> str:
    """The script for zsh."""
    commands = "\n".join(f"    {quote(f'{name}:{entry.summary}')}" for name, entry in COMMANDS.items())
    cases = "\n".join(zsh_case(name, rules) for name in COMMANDS)
    return ZSH.format(commands=commands, rules=" ".join(rules), cases=cases)


def zsh_case(command: str, rules: Sequence[str]) -> str:
    """What zsh offers behind a command."""
    lines = [
        f"      {zsh_option(name, option, rules)}" for option in options_of(command, rules) for name in option.names
    ]
    words = operands_of(command, rules)
    lines.append(f"      {quote(f'*:operand:{zsh_words(words, rules)}')}")
    return f"    {command}) _arguments \\\n" + " \\\n".join(lines) + " ;;"


def zsh_option(name: str, option: Option, rules: Sequence[str]) -> str:
    """One option in the syntax of _arguments; every option may be repeated."""
    help = option.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    value = f":{option.metavar.replace(':', ' ')}:{zsh_words(option.words, rules)}" if option.takes else ""
    return quote(f"*{name}[{help}]{value}")


def zsh_words(words: Sequence[str], rules: Sequence[str]) -> str:
    """The action that offers words, or files."""
    return "_files" if not words else "_values_of_rules" if words == rules else f"({' '.join(words)})"


def quote(text: str) -> str:
    """Quote a word for the shell."""
    return "'" + text.replace("'", "'\\''") + "'"


ZSH = """\
#compdef kafka-advisor
# zsh completion of kafka-advisor: kafka-advisor completion zsh > a file _kafka-advisor in a folder of $fpath
_values_of_rules() {{
  compadd {rules}
}}
_kafka_advisor() {{
  local -a commands=(
{commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}
  esac
}}
compdef _kafka_advisor kafka-advisor
"""
SHELLS = {"bash": bash, "zsh": zsh}
