# SPDX-License-Identifier: BSD-3-Clause
"""Writes a copy of include/ in which every mutant waits behind a run-time switch (mutant.hpp).

What to mutate is read off clang's syntax tree. Left out: what only constant evaluation sees
(constexpr variables, if constexpr, static_assert, template arguments, requires, checks that take no
argument), and the addresses that prefetch is given, which change nothing but speed.
"""
import collections
import json
import pathlib
import re
import subprocess

BINARY = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "bit_and", "|": "bit_or",
          "==": "eq", "!=": "ne", "+=": "add_to", "-=": "sub_from"}
BECOMES = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "==": "!=",
           "!=": "==", "+=": "-=", "-=": "+="}
COMPARISON = {"<": ("lt", "<=", ">="), "<=": ("le", "<", ">"), ">": ("gt", ">=", "<="),
              ">=": ("ge", ">", "<")}
SKIPPED = {"StaticAssertDecl", "ConceptDecl", "RequiresExpr", "ConceptSpecializationExpr",
           "EnumDecl", "UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr", "TypeTraitExpr",
           "TemplateArgument", "FullComment", "SizeOfPackExpr", "NonTypeTemplateParmDecl",
           "TemplateTypeParmDecl", "TemplateTemplateParmDecl", "CXXRewrittenBinaryOperator",
           "CXXDefaultArgExpr", "CXXDefaultInitExpr"}
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl",
             "CXXConversionDecl", "CXXDeductionGuideDecl"}
ARITHMETIC = {"bool", "int", "unsigned int", "index_t", "std::size_t", "std::int64_t",
              "std::uint64_t", "std::ptrdiff_t", "std::uintptr_t", "size_t"}


class Header:
    """One header: its text, the mutants found in it and the edits that switch them."""

    def __init__(self, path, text, mutants):
        self.path, self.text, self.mutants = path, text, mutants
        self.inserts = []  # (offset, 0 for the end of an edit or 1 for its begin, order, text)
        self.removed = {}  # offset: length
        self.done = set()

    def add(self, offset, what):
        line = self.text.count("\n", 0, offset) + 1
        code = self.text.splitlines()[line - 1]
        self.mutants.append({"file": self.path, "line": line, "what": what, "code": code.strip(),
                             "column": offset - self.text.rfind("\n", 0, offset)})
        return len(self.mutants) - 1

    def wrap(self, begin, end, before, after=")"):
        size = end - begin
        self.inserts.append((begin, 1, -size, len(self.inserts), before))
        self.inserts.append((end, 0, size, len(self.inserts), after))

    def call(self, node, what, function, at=None):
        begin, end = span(node)
        number = self.add(begin if at is None else at, what)
        self.wrap(begin, end, f"garner_mutant::{function}<{number}>(")

    def result(self):
        out, at = [], 0
        cuts = [(offset, 2, 0, 0, None) for offset in self.removed]
        for offset, _, _, _, text in sorted(self.inserts + cuts):
            out.append(self.text[at:offset])
            at = offset
            if text is None:
                out.append(",")
                at += self.removed[offset]
            else:
                out.append(text)
        out.append(self.text[at:])
        return "".join(out).replace("#pragma once\n", "#pragma once\n#include <mutant.hpp>\n", 1)


def span(node):
    """The offsets of a node's first character and past its last, or None (macros, implicit code)."""
    first, last = node.get("range", {}).get("begin", {}), node.get("range", {}).get("end", {})
    if "offset" not in first or "offset" not in last:
        return None
    return first["offset"], last["offset"] + last["tokLen"]


def plain(node):
    """The node below implicit conversions."""
    while node.get("kind") in ("ImplicitCastExpr", "ExprWithCleanups", "MaterializeTemporaryExpr",
                               "ConstantExpr"):
        node = node["inner"][0]
    return node


def operands(node):
    inner = node.get("inner", [])
    return inner[-2:] if len(inner) >= 2 else []


def operator_of(header, node):
    """(operator, its offset) of a binary expression as written, or None."""
    if node.get("kind") not in ("BinaryOperator", "CompoundAssignOperator", "CXXOperatorCallExpr"):
        return None
    two = operands(node)
    if len(two) < 2 or not (span(node) and span(two[0]) and span(two[1])):
        return None
    begin, end = span(two[0])[1], span(two[1])[0]
    written = header.text[begin:end]
    if begin >= end or span(two[0])[0] < span(node)[0] or not written.strip():
        return None
    return written.strip(), begin + len(written) - len(written.lstrip())


def is_condition(header, node):
    """Whether its own mutants negate it already."""
    found = operator_of(header, node)
    return bool(found) and found[0] in (*COMPARISON, "==", "!=", "&&", "||")


def callee(node):
    node = plain(node)
    while node.get("inner") and node.get("kind") not in ("DeclRefExpr", "UnresolvedLookupExpr",
                                                         "MemberExpr"):
        node = plain(node["inner"][0])
    return node.get("name") or node.get("referencedDecl", {}).get("name", "")


def asks_ahead(name):
    """Whether a function of this name does nothing but prefetch."""
    return name.removeprefix("__builtin_").startswith(("prefetch", "ask_for"))


def is_constant(header, node):
    """Whether a variable is declared constexpr; of specializations the tree does not tell."""
    begin, name = span(node), node.get("loc", {}).get("offset")
    return node.get("constexpr") or bool(begin and name) and \
        "constexpr" in header.text[begin[0]:name].split()


def is_failure(node):
    """Whether a statement does nothing but throw."""
    if node.get("kind") == "CompoundStmt" and len(node.get("inner", [])) == 1:
        node = node["inner"][0]
    node = plain(node)
    return node.get("kind") == "CallExpr" and (callee(node).startswith("fail_")
                                               or callee(node) == "raise")


def visit_condition(header, node, can_be_dropped):
    node = node or {}
    if not span(node) or ("cond", span(node)) in header.done:
        return
    header.done.add(("cond", span(node)))
    if can_be_dropped:
        header.call(node, "never", "or_false")
    if not is_condition(header, plain(node)):
        header.call(node, "negated", "negated")


def visit_statement(header, node):
    """Drops an expression that stands as a statement."""
    core = plain(node)
    if not span(core) or ("drop", span(core)) in header.done or is_failure(core):
        return
    if core.get("kind") not in ("CallExpr", "CXXMemberCallExpr", "BinaryOperator", "UnaryOperator",
                                "CompoundAssignOperator", "CXXOperatorCallExpr"):
        return
    if asks_ahead(callee(core)):
        return
    if callee(core).startswith("check_") and len(core.get("inner", [])) == 1:
        return  # by static_assert
    header.done.add(("drop", span(core)))
    begin, _ = span(core)
    number = header.add(begin, "dropped")
    header.inserts.append((begin, 1, -10**9, len(header.inserts),
                           f"if (garner_mutant::on<{number}>()) {{}} else "))


def visit(header, node, returns=None, compared=False):
    kind = node.get("kind", "")
    if not kind or kind in SKIPPED or kind.endswith(("Type", "Attr")) or node.get("isImplicit"):
        return
    if kind.startswith("Var") and is_constant(header, node):
        return
    if kind in FUNCTIONS and asks_ahead(node.get("name", "")):
        return
    if kind in ("CallExpr", "CXXMemberCallExpr") and asks_ahead(callee(node)):
        return
    inner = [child or {} for child in node.get("inner", [])]
    if kind in FUNCTIONS:
        returns = node.get("type", {}).get("qualType", "").split("(")[0].strip()
        inner = [child for child in inner
                 if child.get("kind") in ("ParmVarDecl", "CXXCtorInitializer", "CompoundStmt")]
    elif kind.endswith("TemplateDecl"):
        inner = [child for child in inner if child.get("kind", "").endswith("Decl")]

    statements = inner if kind == "CompoundStmt" else []
    if kind == "IfStmt":
        first = node.get("hasInit", False) + node.get("hasVar", False)
        if node.get("isConstexpr"):
            inner = inner[:first] + inner[first + 1:]
        else:
            if not node.get("hasVar"):
                visit_condition(header, inner[first], not node.get("hasElse"))
            first += 1
        statements = inner[first:]
        if not node.get("isConstexpr") and not node.get("hasElse"):
            statements = []  # to drop the only statement is to drop the condition
    elif kind == "ForStmt":
        visit_condition(header, inner[2], False)
        statements = inner[4:]
    elif kind == "WhileStmt":
        visit_condition(header, inner[-2], False)
        statements = inner[-1:]
    elif kind == "DoStmt":
        visit_condition(header, inner[1], False)
        statements = inner[:1]
    elif kind == "CXXForRangeStmt":
        inner = inner[-1:] + [child for child in inner[:2] if child]
        statements = inner[:1]
    elif kind in ("CaseStmt", "DefaultStmt"):
        inner = inner[-1:]
        statements = inner
    elif kind == "ConditionalOperator":
        visit_condition(header, inner[0], False)
    for child in statements:
        visit_statement(header, child)

    place = span(node)
    found = operator_of(header, node)
    # One place may be several nodes: in a template and in what is made of it.
    key = ("operator", found[1]) if found else (kind, place)
    if place and key not in header.done:
        header.done.add(key)
        if found:
            visit_binary(header, node, *found)
        elif kind == "IntegerLiteral" and not compared:
            header.call(node, f"{node['value']} -> {int(node['value']) + 1}", "next")
        elif kind == "UnaryOperator" and node.get("opcode") == "-" and header.text[place[0]] == "-":
            if plain(inner[0]).get("kind") != "IntegerLiteral" or not compared:
                header.call(node, "-a -> a", "minus")
        elif kind == "ReturnStmt" and returns in ARITHMETIC and inner and span(inner[0]):
            if not is_condition(header, plain(inner[0])) and \
                    plain(inner[0]).get("kind") not in ("InitListExpr", "IntegerLiteral"):
                header.call(inner[0], "another value returned", "other")
    for child in inner:
        visit(header, child, returns, bool(found) and found[0] in COMPARISON
              or compared and kind in ("ImplicitCastExpr", "UnaryOperator"))


def visit_binary(header, node, written, at):
    left, right = operands(node)
    begin, end = span(left)[0], span(right)[1]
    if written in COMPARISON:
        name, other, opposite = COMPARISON[written]
        number = header.add(at, f"{written} -> {other}")
        header.add(at, f"{written} -> {opposite}")
    elif written in BINARY:
        name = BINARY[written]
        number = header.add(at, f"{written} -> {BECOMES[written]}")
    elif written in ("&&", "||"):
        function = "or_true" if written == "&&" else "or_false"
        for side, which in ((left, "left"), (right, "right")):
            below = operator_of(header, plain(side))
            if not (below and below[0] == written) and plain(side)["kind"] not in SKIPPED:
                header.call(side, f"{written}: {which} operand dropped", function, span(side)[0])
        return
    else:
        return
    header.wrap(begin, end, f"garner_mutant::{name}<{number}>(")
    header.removed[at] = len(written)


def end_of(text, at, closing):
    """The offset of the first of `closing` from `at` on that is in no bracket, string or comment."""
    depth = 0
    while depth or text[at] not in closing:
        skipped = re.compile(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'|//[^\n]*').match(text, at)
        if skipped:
            at = skipped.end()
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    return at


def at_run_time(text):
    """A test whose static_asserts, and the constants they are about, are computed at run time."""
    out, at = [], 0
    for found in re.finditer(r"^static_assert\(|^constexpr (auto|hints) (\w+) =", text, re.M):
        if found.start() < at:
            continue
        out.append(text[at:found.start()])
        if found[2]:
            at = end_of(text, found.end(), ";")
            out.append(f"const {found[1]} {found[2]} = garner_mutant::at_run_time([] {{ return "
                       f"{text[found.end():at]}; }})")
        else:
            at = end_of(text, found.end(), ")")
            claim = re.sub(r',\s*("(\\.|[^"\\])*"\s*)+$', "", text[found.end():at])
            out.append(f"static const bool claim_{len(out)} = garner_mutant::require([] {{ return "
                       f"static_cast<bool>({claim}); }})")
            at += 1
    if not out:
        return text
    return "#include <at_run_time.hpp>\n" + "".join(out) + text[at:]


def copy_tests(root, out):
    for path in (root / "tests").rglob("*"):
        name = path.relative_to(root)
        if path.is_dir() or "corpus" in name.parts:
            continue
        is_test = path.suffix == ".cpp" and "compile_fail" not in name.parts
        write(out / name, at_run_time(path.read_text()) if is_test else path.read_text())


def documents(text):
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        at = text.find("{", at)
        if at < 0:
            return
        document, at = decoder.raw_decode(text, at)
        yield document


def generate(root, out, flags):
    """Writes out/include, and returns the mutants."""
    command = ["clang++", "-std=c++20", "-fsyntax-only", "-w", *flags, "-Iinclude",
               "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=garner",
               "include/garner/garner.hpp"]
    dump = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    mutants, headers = [], {}
    for document in documents(dump):
        path = document["loc"].get("file") or document["range"]["begin"].get("file")
        if not path or not path.startswith("include/"):
            continue
        if path not in headers:
            headers[path] = Header(path, (root / path).read_text(), mutants)
        visit(headers[path], document)
    count = collections.Counter()
    for mutant in mutants:
        alike = mutant["file"], mutant["column"], mutant["code"], mutant["what"]
        mutant["nth"] = count[alike]
        count[alike] += 1
    for path in (root / "include").rglob("*.hpp"):
        name = str(path.relative_to(root))
        text = headers[name].result() if name in headers else path.read_text()
        write(out / name, text)
    switches = pathlib.Path(__file__).with_name("mutant.hpp").read_text()
    write(out / "include/mutant.hpp", switches.replace("GARNER_MUTANT_COUNT", str(len(mutants))))
    write(out / "include/at_run_time.hpp",
          pathlib.Path(__file__).with_name("at_run_time.hpp").read_text())
    copy_tests(root, out)
    return mutants


def write(path, text):
    """Keeps the file as it is, and all that was built from it, if nothing changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
