"""Evaluate expressions of HCL as far as files tell: what is not known stays a placeholder that says why.

Source: the HCL syntax specification, and Terraform's documentation of expressions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation

from collectors.files.syntax.hcl import file_functions, functions, templates
from collectors.files.syntax.hcl.parser import HclFile, Syntax, operands
from collectors.files.syntax.hcl.values import Names, Pair, Site, entries, number_of, same, spelled, truth_of
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

DEEPEST = 100
"""Levels of expressions, those behind references counted, beyond which none is followed."""
SHOWN = 1600
"""Bytes of an expression that may be shown of it."""
EXPONENT = "e"
WRAPPERS = ("literal_value", "template_expr", "collection_value", "operation", "for_expr")
Number = Decimal
ARITHMETIC: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod,
}  # fmt: skip
COMPARISONS: Mapping[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
OPERATORS = (*ARITHMETIC, *COMPARISONS, "==", "!=", "&&", "||", "!")


class Evaluator:
    """Evaluates the expressions of one file; `own` are names that a loop or a resource's for_each gives."""

    def __init__(self, file: HclFile, names: Names, own: Mapping[str, TreeNode] | None = None) -> None:
        self.file = file
        self.names = names
        self.own = own or {}

    def with_names(self, own: Mapping[str, TreeNode]) -> Evaluator:
        """The same with more names."""
        return Evaluator(self.file, self.names, {**self.own, **own})

    def site(self, node: Syntax) -> Site:
        """Where a piece of syntax stands."""
        start, end = node.start_point, node.end_point
        code = self.file.bytes[node.start_byte : min(node.end_byte, node.start_byte + SHOWN)]
        budget = self.names.budget
        return Site(self.file.shown, start.row + 1, start.column + 1, (end.row + 1, end.column + 1), code, budget)

    def evaluate(self, node: Syntax) -> TreeNode:
        """The value of an expression."""
        budget = self.names.budget
        budget.depth += 1
        try:
            if budget.depth > DEEPEST:
                return self.site(node).unknown(f"it is nested deeper than {DEEPEST} levels")
            if not budget.take(1):
                return self.site(node).too_much()
            return self._evaluated(node)
        finally:
            budget.depth -= 1

    def _evaluated(self, node: Syntax) -> TreeNode:
        while node.type in WRAPPERS and node.named_child_count == 1:
            node = node.named_children[0]
        if node.type == "expression":
            return self.terms(operands(node), node)
        handler = HANDLERS.get(node.type)
        return handler(self, node) if handler is not None else self.site(node).unknown("it is not followed")

    def terms(self, nodes: Sequence[Syntax], whole: Syntax) -> TreeNode:
        """A term with what is taken of it: a.b, a[0], a[*].b."""
        if not nodes:
            return self.site(whole).unknown("it is empty")
        if nodes[0].type == "variable_expr":
            value, taken = self._variable(nodes, whole)
        else:
            value, taken = self.evaluate(nodes[0]), 1
        if taken == len(nodes):
            return value
        for accessor in nodes[taken:]:
            value = self._access(value, accessor, whole)
        return self.site(whole).moved(value)

    def _variable(self, nodes: Sequence[Syntax], whole: Syntax) -> tuple[TreeNode, int]:
        """(value, number of terms that it took) of a reference."""
        root, site = self.file.text(nodes[0]), self.site(whole)
        if root in self.own:
            return site.moved(self.own[root]), 1
        if root in ("local", "var") and len(nodes) > 1 and nodes[1].type == "get_attr":
            value = self.names.value(root, self.file.text(nodes[1]).lstrip(". "))
            return (site.unknown(value), len(nodes)) if isinstance(value, str) else (site.moved(value), 2)
        return site.unknown(f"{site.source[:80]} is known when Terraform runs"), len(nodes)

    def _access(self, value: TreeNode, accessor: Syntax, whole: Syntax) -> TreeNode:
        site = self.site(whole)
        if accessor.type == "splat":
            return self._splat(value, accessor, whole)
        if accessor.type == "get_attr":
            key = self.file.text(accessor).lstrip(". ")
        elif accessor.named_children and accessor.named_children[0].type == "new_index":
            index = self.evaluate(accessor.named_children[0].named_children[0])
            if index.unknown or index.kind != SCALAR:
                return site.unknown(index.unknown or "its index is not followed")
            key = index.text
        else:
            key = self.file.text(accessor).lstrip(". ")
        return member(value, key) or site.unknown(value.unknown or f"it has no {key[:40]}")

    def _splat(self, value: TreeNode, splat: Syntax, whole: Syntax) -> TreeNode:
        inner = operands(splat.named_children[0]) if splat.named_children else []
        if value.kind != SEQUENCE or value.unknown:
            return self.site(whole).unknown(value.unknown or "it is no list")
        children = value.children
        for accessor in inner:
            children = [self._access(child, accessor, whole) for child in children]
        return self.site(whole).sequence(children)

    def literal(self, node: Syntax) -> TreeNode:
        """A boolean or null."""
        return self.site(node).word(self.file.text(node))

    def number(self, node: Syntax) -> TreeNode:
        """A number; one with an exponent as Terraform writes it in a text."""
        word = self.literal(node)
        value = number_of(word) if EXPONENT in word.text.lower() else None
        return word if value is None else self.site(node).word(spelled(value))

    def string(self, node: Syntax) -> TreeNode:
        """A text in quotes, with what is filled in."""
        return templates.quoted(self, node)

    def heredoc(self, node: Syntax) -> TreeNode:
        """The lines of a heredoc, with what is filled in."""
        return templates.heredoc(self, node)

    def tuple(self, node: Syntax) -> TreeNode:
        """A list."""
        return self.site(node).sequence(
            self.evaluate(child) for child in node.named_children if child.type == "expression"
        )

    def object(self, node: Syntax) -> TreeNode:
        """A map; a pair whose key is not known makes the others uncertain."""
        pairs, unknown = [], ""
        for element in node.named_children:
            parts = operands(element) if element.type == "object_elem" else []
            if len(parts) == 2:
                key = self._key(parts[0])
                unknown = unknown or key.unknown
                pairs += [] if key.unknown else [(key, self.evaluate(parts[1]))]
        return self.site(node).mapping(pairs, unknown)

    def _key(self, node: Syntax) -> TreeNode:
        """The key of a pair: a bare word is a text, brackets hold an expression."""
        inner = operands(node)
        if len(inner) == 1 and inner[0].type == "variable_expr":
            return self.site(node).text(self.file.text(node))
        if inner and inner[0].type == "variable_expr" and all(each.type == "get_attr" for each in inner[1:]):
            return self.site(node).text(self.file.text(node))
        return self.evaluate(node)

    def conditional(self, node: Syntax) -> TreeNode:
        """The branch that a condition takes."""
        condition, *branches = (child for child in operands(node) if child.type == "expression")
        value = self.evaluate(condition)
        truth = truth_of(value)
        if truth is None or len(branches) != 2:
            return self.site(node).unknown(value.unknown or "its condition is not followed")
        return self.evaluate(branches[0 if truth else 1])

    def call(self, node: Syntax) -> TreeNode:
        """What a function returns."""
        name = self.file.text(node.named_children[0])
        arguments = next((child for child in node.named_children if child.type == "function_arguments"), None)
        nodes = operands(arguments) if arguments is not None else []
        values = [self.evaluate(child) for child in nodes if child.type == "expression"]
        site = self.site(node)
        if nodes and nodes[-1].type == "ellipsis":
            if values[-1].kind != SEQUENCE or values[-1].unknown:
                return site.unknown(values[-1].unknown or "its arguments are no list")
            values[-1:] = values[-1].children
        if name in file_functions.NAMES:
            return file_functions.call(name, values, site, self.names, self._of_template)
        return functions.call(name, values, site)

    def _of_template(self, file: HclFile, own: Mapping[str, TreeNode], node: Syntax) -> TreeNode:
        return Evaluator(file, self.names, own).evaluate(node)

    def operation(self, node: Syntax) -> TreeNode:
        """What an operator makes of one value or two."""
        at = next((number for number, child in enumerate(node.children) if child.type in OPERATORS), 0)
        sign = node.children[at].type
        before, behind = (
            [child for child in part if child.is_named and child.type != "comment"]
            for part in (node.children[:at], node.children[at + 1 :])
        )
        right = self.terms(behind, node)
        return (
            self._combined(sign, self.terms(before, node), right, node) if before else self._signed(sign, right, node)
        )

    def _signed(self, sign: str, value: TreeNode, node: Syntax) -> TreeNode:
        number, truth = number_of(value), truth_of(value)
        if sign == "-" and number is not None:
            return self.site(node).word(spelled(-number))
        if sign == "!" and truth is not None:
            return self.site(node).truth(not truth)
        return self.site(node).unknown(value.unknown or "it is not followed")

    def _combined(self, sign: str, left: TreeNode, right: TreeNode, node: Syntax) -> TreeNode:
        site = self.site(node)
        result = hcl_logic(sign, left, right)
        if isinstance(result, bool):
            return site.truth(result)
        numbers = number_of(left), number_of(right)
        if sign in ARITHMETIC and numbers[0] is not None and numbers[1] is not None:
            try:
                return site.word(spelled(ARITHMETIC[sign](numbers[0], numbers[1])))
            except (DivisionByZero, InvalidOperation):
                return site.unknown("it divides by zero")
        return site.unknown(left.unknown or right.unknown or "it is not followed")

    def loop(self, node: Syntax) -> TreeNode:
        """A `for` expression, which makes a list or a map."""
        intro = next(child for child in node.named_children if child.type == "for_intro")
        words = [self.file.text(child) for child in intro.named_children if child.type == "identifier"]
        source = self.evaluate(intro.named_children[-1])
        if source.kind == SCALAR:
            return self.site(node).unknown(source.unknown or "what it loops over is not followed")
        makes_map = node.type == "for_object_expr"
        pairs, unknown = list[Pair](), source.unknown
        refusals = self.names.budget.refusals
        for key, value in entries(source):
            reason = self.with_names(
                dict(zip(words[-2:], (key, value) if len(words) > 1 else (value,), strict=False))
            )._turn(node, pairs)
            if self.names.budget.refusals > refusals:
                return self.site(node).too_much()
            unknown = unknown or reason
        site = self.site(node)
        return site.mapping(pairs, unknown) if makes_map else site.sequence((value for _, value in pairs), unknown)

    def _turn(self, node: Syntax, pairs: list[Pair]) -> str:
        """Add what one turn of a loop makes; returns why that is not known."""
        condition = next((child for child in node.named_children if child.type == "for_cond"), None)
        parts = [child for child in node.named_children if child.type == "expression"]
        if condition is not None:
            value = self.evaluate(condition.named_children[-1])
            if truth_of(value) is None:
                return value.unknown or "its condition is not followed"
            if not truth_of(value):
                return ""
        if any(child.type == "ellipsis" for child in node.named_children):
            return "it groups values"
        key = self.evaluate(parts[0])
        if len(parts) > 1 and (key.unknown or key.kind != SCALAR):
            return key.unknown or "its key is not followed"
        pairs.append((key, self.evaluate(parts[1]) if len(parts) > 1 else key))
        return ""


HANDLERS: Mapping[str, Callable[[Evaluator, Syntax], TreeNode]] = {
    "numeric_lit": Evaluator.number, "bool_lit": Evaluator.literal, "null_lit": Evaluator.literal,
    "string_lit": Evaluator.string, "quoted_template": Evaluator.string, "heredoc_template": Evaluator.heredoc,
    "tuple": Evaluator.tuple, "object": Evaluator.object, "conditional": Evaluator.conditional,
    "function_call": Evaluator.call, "unary_operation": Evaluator.operation, "binary_operation": Evaluator.operation,
    "for_tuple_expr": Evaluator.loop, "for_object_expr": Evaluator.loop,
}  # fmt: skip


def member(value: TreeNode, key: str) -> TreeNode | None:
    """What a map has under a key, or a list at an index; None where that is not known."""
    if value.kind == MAPPING:
        pair = value.pairs().get(key)
        return pair[1] if pair is not None else None
    if value.kind == SEQUENCE and not value.unknown and key.isascii() and key.isdigit() and len(key) < 9:
        return value.children[int(key)] if int(key) < len(value.children) else None
    return None


def hcl_logic(sign: str, left: TreeNode, right: TreeNode) -> bool | None:
    """What a comparison or a connective says; None where it does not say, or the operator makes a number."""
    if sign in ("==", "!="):
        if left.unknown or right.unknown:
            return None
        equal = same(left, right)
        return None if equal is None else equal == (sign == "==")
    if sign in COMPARISONS:
        one, other = number_of(left), number_of(right)
        return None if one is None or other is None else COMPARISONS[sign](one, other)
    if sign not in ("&&", "||"):
        return None
    truths, decisive = (truth_of(left), truth_of(right)), sign == "||"
    if decisive in truths:
        return decisive
    return None if None in truths else not decisive
