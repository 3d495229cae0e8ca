"""Templates of a chart of one's own: expressions that only name a value are filled in from the chart's values.yaml.

Source: Helm's documentation of templates (.Values, quote, toYaml, indent and nindent).
"""

from __future__ import annotations

import json
import os
import re

from advisor.model import Setting
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode
from collectors.files.variables import LONGEST_LEAD

FOLDER, VALUES = "templates", "values.yaml"
MARK = ".Values."
"""What is in each expression that takes a value of the chart."""
NAME = r"\.Values((?:\.[A-Za-z_]\w{0,80}){1,12})"
SCALAR_OF_VALUES = re.compile(rf"\{{\{{-? ?{NAME}(?: ?\| ?(?:quote|int))? ?-?\}}\}}")
YAML_OF_VALUES = re.compile(rf"\{{\{{-? ?(?:toYaml {NAME}|{NAME} ?\| ?toYaml) ?\| ?n?indent (\d{{1,2}}) ?-?\}}\}}")
BEHIND_KEY = re.compile(rf"[^,]{{0,300}}?{SCALAR_OF_VALUES.pattern}")
PLAIN = re.compile(r"[\w./:@+-]{1,200}")
"""A value that is the same in quotes and without them, wherever it stands."""
MOST_NODES, DEEPEST = 1_000, 20
"""Values of a part that is written in one line, and how deep they may stand in each other."""


def filled(text: str, sources: Sources) -> str:
    """A template line by line as the chart's own values make it; what they do not say, and all that calculates, stays."""
    if MARK not in text or FOLDER not in sources.folder.split(os.sep):
        return text
    values = sources.of_folder("values of the chart", values_of_chart)
    if values is None:
        return text
    lines, flow = text.split("\n"), Flow(values)
    return "\n".join(_line(line, lines, at, flow) if MARK in line else line for at, line in enumerate(lines))


def values_of_chart(sources: Sources) -> TreeNode | None:
    """The values of the chart in whose folder of templates a file lies; None where they are not in the run, or no mapping."""
    folders = sources.folder.split(os.sep)
    above = os.path.join(*[os.pardir] * (folders[::-1].index(FOLDER) + 1), VALUES)
    text = sources.text_of_tree(above)
    documents = sources.documents(above, text, every=True) if text is not None else ()
    return documents[0] if len(documents) == 1 and documents[0].kind == MAPPING else None


def named_in(setting: Setting, line: str) -> str:
    """The value of the chart that a setting has by its line of a template; empty where it takes none."""
    if "$" in setting.value or setting.secret:
        return ""
    start = (setting.origin.column or 1) - 1
    expression = YAML_OF_VALUES.search(line[:LONGEST_LEAD]) or BEHIND_KEY.match(line[start : start + LONGEST_LEAD])
    return f".Values{next(filter(None, expression.groups()))}" if expression else ""


def _line(line: str, lines: list[str], number: int, flow: Flow) -> str:
    line = SCALAR_OF_VALUES.sub(lambda expression: _scalar(expression, flow.values), line)
    part = YAML_OF_VALUES.search(line)
    text = flow.line(part.group(1) or part.group(2)) if part is not None and not line[part.end() :].strip() else ""
    if part is None or not text:
        return line
    before, indent = line[: part.start()].rstrip(), int(part.group(3))
    if before:
        return f"{before} {text}"
    return " " * indent + text if _is_only(lines, number, indent) else line


def _scalar(expression: re.Match[str], values: TreeNode) -> str:
    node = values.get(*_path(expression.group(1)))
    is_plain = node is not None and node.kind == SCALAR and not node.is_null and PLAIN.fullmatch(node.text)
    return node.text if node is not None and is_plain else expression.group()


def _path(name: str) -> list[str]:
    return name.removeprefix(".").split(".")


def _is_only(lines: list[str], number: int, indent: int) -> bool:
    """Whether a line is all that stands below a key: none beside it is as deep."""
    above = next((line for line in reversed(lines[max(0, number - 20) : number]) if line.strip()), "")
    below = next((line for line in lines[number + 1 : number + 20] if line.strip()), "")
    is_deep = len(below) - len(below.lstrip()) >= indent and bool(below)
    return above.rstrip().endswith(":") and not is_deep


class Flow:
    """Parts of the values, each in one line; one that is long, by itself or by its aliases, is none."""

    def __init__(self, values: TreeNode) -> None:
        self.values = values
        self._lines: dict[str, str] = {}
        self._left = 0

    def line(self, name: str) -> str:
        """A part that is no scalar; empty where there is none."""
        if name not in self._lines:
            self._left = MOST_NODES
            node = self.values.get(*_path(name))
            text = self._text(node) if node is not None and node.kind != SCALAR else ""
            self._lines[name] = text if self._left >= 0 else ""
        return self._lines[name]

    def _text(self, node: TreeNode, depth: int = 0) -> str:
        self._left = self._left - 1 if depth < DEEPEST else -1
        if self._left < 0:
            return ""
        if node.kind == MAPPING:
            pairs = (f"{json.dumps(name)}: {self._text(value, depth + 1)}" for name, (_, value) in node.pairs().items())
            return f"{{{', '.join(pairs)}}}"
        if node.kind == SEQUENCE:
            return f"[{', '.join(self._text(child, depth + 1) for child in node.children)}]"
        is_plain = node.plain and PLAIN.fullmatch(node.text)
        return "null" if node.is_null else node.text if is_plain else json.dumps(node.text)
