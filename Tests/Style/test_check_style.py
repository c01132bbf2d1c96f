#!/usr/bin/env python3
"""Tests of the style check: each rule finds a violation made for it, and lets plain text pass."""

import unittest
from pathlib import Path

import check_style
import code_map
import folder_order
import phone_imports
import type_names


def messages(name, text):
    return [str(violation) for violation in check_style.violations(Path(name), text)]


class StyleCheck(unittest.TestCase):
    SWIFT = "Sources/Broadsheet/Example.swift"

    def assert_violation(self, name, text, expected):
        found = messages(name, text)
        self.assertEqual(1, len(found), found)
        self.assertIn(expected, found[0])

    def test_long_lines_of_documents_are_found_outside_of_tables_and_fences(self):
        long = "word " * 21
        self.assert_violation("docs/example.md", long, "columns")
        self.assertEqual([], messages("docs/example.md", f"| {long} |"))
        self.assertEqual([], messages("docs/example.md", f"```\n{long}\n```"))

    def test_lines_with_links_may_be_longer_up_to_a_limit(self):
        link = "[api.md](../docs/api.md) "
        self.assertEqual([], messages("docs/example.md", link + "word " * 19))
        self.assert_violation("docs/example.md", link + "word " * 20, "at most 120")

    def test_long_comments_of_code_are_found(self):
        long = "word " * 21
        self.assert_violation(self.SWIFT, f"    /// {long}", "columns")
        self.assertEqual([], messages(self.SWIFT, f'let text = "{long}"'))

    def test_names_of_tests_begin_with_a_capital_letter_a_digit_or_a_term(self):
        for name in ["writes a file", "is empty"]:
            self.assert_violation(self.SWIFT, f'@Test("{name}") func a() {{}}', "test's name")
            self.assert_violation(self.SWIFT, f'@Test(\n    "{name}")', "test's name")
        for name in ["It is.", "1 is odd", "--port is", "`version` is", '\\"a\\" is']:
            self.assertEqual([], messages(self.SWIFT, f'@Test("{name}") func a() {{}}'))

    def test_folders_are_at_most_two_below_a_module(self):
        deep = "Sources/Broadsheet/One/Two/Three/Example.swift"
        self.assert_violation(deep, "let value = 1", "folders")

    def test_locks_have_no_functions_as_values(self):
        for text in ["let a = Mutex<(@Sendable (Int) -> Void)?>(nil)",
                     "let a = Mutex<StoreInvalidation.Handler?>(nil)",
                     "let a: LockedValue<@Sendable () -> Void>"]:
            self.assert_violation(self.SWIFT, text, "in a structure")
        for text in ["let a = Mutex<[@Sendable () -> Void]>([])", "let a = Mutex<State>(State())"]:
            self.assertEqual([], messages(self.SWIFT, text))

    def test_tasks_are_suspended_by_waiters(self):
        for text in ["var a: CheckedContinuation<Int, Never>",
                     "await withUnsafeThrowingContinuation { _ in }"]:
            self.assert_violation(self.SWIFT, text, "suspended by Waiter")
        for text in ["var a: AsyncStream<Int>.Continuation", "var a: Waiter<Int>"]:
            self.assertEqual([], messages(self.SWIFT, text))
        app = "Sources/BroadsheetKit/Example.swift"
        self.assertEqual([], messages(app, "var a: CheckedContinuation<Int, Never>"))

    def test_references_to_headings_anchors_rules_and_paths_hold(self):
        self.assert_violation(self.SWIFT, '// See docs/api.md, "No Such Heading".', "no heading")
        for text in [
            '// See (docs/operations.md, "Pages on\n// demands").',
            '    /// See docs/operations.md,\n    /// "Pages on demands".',
        ]:
            self.assert_violation(self.SWIFT, text, "no heading “Pages on demands”")
            self.assertEqual([], messages(self.SWIFT, text.replace("demands", "demand")))
        self.assert_violation(self.SWIFT, "// See docs/nothing.md.", "does not exist")
        self.assert_violation(self.SWIFT, "// See docs/api.md#nothing-here", "no anchor")
        self.assert_violation(self.SWIFT, "// Rule F99 is not defined.", "no rule F99")
        self.assert_violation("docs/example.md", "[text](nothing.md)", "does not exist")
        self.assert_violation("docs/example.md", "`Sources/Nothing`", "does not exist")
        self.assertEqual([], messages(self.SWIFT, "// Rule F1, see docs/layout.md."))

    def test_a_diff_of_a_document_applies_to_the_tree(self):
        diff = "--- a/{0}\n+++ b/{0}\n@@ -1 +1,2 @@\n+# new\n {1}\n"
        path = check_style.ROOT / "Makefile"
        first = path.read_text("utf-8").splitlines()[0]
        for line, expected in [(first, 0), ("something else", 1)]:
            text = f"```diff\n{diff.format('Makefile', line)}```\n"
            self.assertEqual(expected, len(messages("docs/example.md", text)), line)



class FolderOrder(unittest.TestCase):
    ORDER = ["Module", "Low", "High"]
    HIGH = {"Sources/Module/High/B.swift":
            "struct Top { struct Inner {} }\nextension Bottom { enum Part {} }\n"}
    LOW = {"Sources/Module/Low/A.swift": "struct Bottom {}\n",
           "Sources/Module/Z.swift": "private struct Hidden {}\n"}

    def found(self, text, path="Sources/Module/Low/Sub/C.swift"):
        files = {**self.HIGH, **self.LOW, path: text}
        return [f"{line}: {message}" for _, line, message in
                folder_order.violations("Module", self.ORDER, files)]

    def test_a_name_of_a_later_folder_is_found_in_code_and_in_interpolations(self):
        for text in [
            "let a: Top", "let a: [Top.Inner]", "extension Top {}", "let a = Bottom.Part.self",
            'let a = "\\(Top.self)"', 'let a = #"\\#(f("x", Top()))"#',
            "let a: Box<Top>", "let a: [Box<Top, Int>]", "extension Box<Top> {}", "let a: `Top`",
            "func f<A: Box<Top>>(_ a: A) {}", "let a: Module.Top", "let a: `Module`.`Top`",
            "private enum Top {}; let a: Module.Top", "func f<A>(_ a: () -> Box<A>, _ b: Top) {}",
        ]:
            self.assertEqual(1, len(self.found(text)), text)
        self.assertEqual(["2: names Top of High, a later row"], self.found("let b = 1\nlet a: Top"))

    def test_comments_strings_members_and_types_of_the_file_pass(self):
        for text in [
            "// Top", "/* /* Top */ Top */", '"Top"', '"""\nTop\n"""', '#"\\(Top)"#',
            "let a = b.Top", "struct C { enum Top {}; let a: Top }", "func f<Top>(_ a: Top) {}",
            "let a: Bottom", "let a: Bottom.Other", "let a: Other.Top", "let a = b.`Top`",
            "struct C<A, each Top> { let a: Top }", "init?<Top: P>(a: Top)",
            "func == <A: Box<Int>, Top>(_ a: Top, _ b: A) -> Bool", "subscript<Top>(a: Top) -> Top",
        ]:
            self.assertEqual([], self.found(text), text)

    def test_a_folder_may_name_itself_and_earlier_ones(self):
        self.assertEqual([], self.found("let a: (Top, Bottom)", "Sources/Module/High/C.swift"))
        self.assertEqual([], self.found("let a: Hidden", "Sources/Module/Low/C.swift"))

    def test_rows_and_folders_are_the_same(self):
        found = self.found("", "Sources/Module/Other/C.swift")
        self.assertEqual(["1: Other of Module has no row"], found)
        found = list(folder_order.violations("Module", self.ORDER, self.LOW))
        self.assertEqual("High of Module has a row and no folder", found[0][2])

    def test_the_folders_of_tests_are_those_of_the_module(self):
        paths = [f"Tests/BroadsheetTests/{path}" for path in
                 ["A.swift", "Goldens/C.swift", "High/B.swift", "Other/D.swift"]]
        found = list(folder_order.test_violations("Broadsheet", ["Broadsheet", "High"], paths))
        self.assertEqual([(paths[3], 1, "Other is not a folder of Broadsheet")], found)
        path = "Tests/BroadsheetServiceTests/Goldens/A.swift"
        found = list(folder_order.test_violations("BroadsheetService", ["High"], [path]))
        self.assertEqual([(path, 1, "Goldens is not a folder of BroadsheetService")], found)

    def test_the_tables_of_the_document_are_read(self):
        document = (check_style.ROOT / folder_order.DOCUMENT).read_text("utf-8")
        for module in folder_order.MODULES:
            self.assertGreater(len(folder_order.rows(document, module)), 5)


class PhoneImports(unittest.TestCase):
    ELSE = "#if canImport({})\n#else\nimport {}\n#endif"

    def found(self, text, module="BroadsheetClient"):
        return [f"{line}: {message.split()[0]} {message.split()[1]}" for _, line, message in
                phone_imports.violations({f"Sources/{module}/A.swift": text})]

    def test_an_import_without_a_condition_is_found(self):
        for text in ["import Glibc", "public import Foundation", "@testable import Foundation",
                     "package import Synchronization", "private import Glibc",
                     "import struct Foundation.Date", "@_spi(Internal) import Glibc",
                     "@_exported public import Glibc", "public @_exported import Glibc",
                     "#if canImport(UIKit)\n#endif\nimport Glibc"]:
            self.assertEqual(1, len(self.found(text)), text)
        self.assertEqual([], self.found("public import Foundation", "BroadsheetKit"))
        self.assertEqual(["1: imports UIKit"], self.found("import UIKit", "BroadsheetKit"))
        self.assertEqual(["1: imports Glibc"], self.found("import Glibc", "Broadsheet"))
        self.assertEqual([], self.found("import Glibc", "BroadsheetServer"))

    def test_an_import_under_the_condition_of_its_module_passes(self):
        text = ("#if canImport(Glibc)\n    import Glibc\n#elseif canImport(Darwin)\n"
                "    import Darwin\n#endif\nlet text = 1 // import Glibc")
        self.assertEqual([], self.found(text))
        text = ("#if canImport(UIKit) && !os(watchOS)\n    public import BroadsheetClient\n"
                "    #if DEBUG\n    @_spi(Test) public import UIKit\n    #endif\n#endif")
        self.assertEqual([], self.found(text, "BroadsheetKit"))

    def test_an_import_under_another_condition_is_found(self):
        for condition in ["os(Linux)", "canImport(Darwin)", "!canImport(Glibc)", "DEBUG",
                          "canImport(Glibc) || DEBUG", "canImport(Glibc2)"]:
            text = f"#if {condition}\nimport Glibc\n#endif"
            self.assertEqual(["2: imports Glibc"], self.found(text), text)
        text = ("#if canImport(Glibc)\n#if DEBUG\n#endif\n#elseif canImport(Musl)\n"
                "import Glibc\n#endif")
        self.assertEqual(["5: imports Glibc"], self.found(text))
        self.assertEqual(["3: imports Glibc"], self.found(self.ELSE.format("Glibc", "Glibc")))
        self.assertEqual(["3: imports Glibc"], self.found(self.ELSE.format("Musl", "Glibc")))

    def test_the_rest_of_a_chain_that_phones_do_not_compile_passes(self):
        self.assertEqual([], self.found(self.ELSE.format("Darwin", "Synchronization")))
        text = "#if canImport(Darwin)\n#elseif DEBUG\nimport Synchronization\n#endif"
        self.assertEqual([], self.found(text))
        text = "#if !canImport(Darwin)\nimport Synchronization\n#else\nimport Glibc\n#endif"
        self.assertEqual(["4: imports Glibc"], self.found(text))
        text = "#if canImport(Darwin) && DEBUG\n#else\nimport Synchronization\n#endif"
        self.assertEqual(["3: imports Synchronization"], self.found(text))

    def test_foundation_stands_in_for_its_essentials_alone(self):
        text = self.ELSE.format("FoundationEssentials", "Foundation")
        self.assertEqual([], self.found(text, "Broadsheet"))
        text = self.ELSE.format("Glibc", "Foundation")
        self.assertEqual(["3: imports Foundation"], self.found(text, "Broadsheet"))

    def test_an_import_that_the_module_uses_under_no_condition_is_found(self):
        for name in ["Foundation", "FoundationEssentials", "UIKit", "CByteMasks"]:
            text = f"#if canImport({name})\nimport {name}\n#endif"
            self.assertEqual([f"2: imports {name}"], self.found(text), text)

    def test_128_bit_integers_are_found(self):
        self.assertEqual(["1: uses 128-bit"], self.found("let a: UInt128 = 1"))
        self.assertEqual(["2: uses 128-bit"], self.found("\nInt128(1)", "Broadsheet"))
        for text in ["// UInt128", "a.multipliedFullWidth(by: b)"]:
            self.assertEqual([], self.found(text))

    def test_what_is_newer_than_the_declared_systems_is_found(self):
        for text in [
            "text.span.withUnsafeBufferPointer { $0 }", "let first = bytes.span[0]",
            "let span = bytes.span", "text.utf8Span.count", "var a: UTF8Span", "a.mutableSpan",
            "let a: InlineArray<4, Int>", "let a: [4 of Int]",
            "String(validating: a, as: UTF8.self)",
            "let a = RangeSet(0..<1)", "a.indices(where: { $0 > 0 })", "a.enumerated().count",
            "Duration(attoseconds: 1)", "let a = Mutex(1)", "let a: Mutex<Int>",
            "let a = Atomic(false)", "@Observable final class A {}",
            "await withDiscardingTaskGroup { _ in }", "Task(executorPreference: nil) {}",
            "let a: any AsyncSequence<Int, Never>", "try await a.next(isolation: nil)",
            "isolated deinit {}", 'Task(name: "a") {}', "let a: StaticBigInt = 1",
        ]:
            self.assertEqual(1, len(self.found(text)), text)
            self.assertEqual([], self.found(f"// {text}"), text)
            self.assertEqual([], self.found(text, "BroadsheetServer"), text)
            self.assertEqual([], self.found(f"#if canImport(Darwin)\n#else\n{text}\n#endif"), text)

    def test_what_has_only_a_part_of_such_a_name_passes(self):
        for text in [
            "kinds.contains { $0.span.fixed == nil }", "self.span = span", "order.span(frame)",
            "case .span: 1", "(taken?.span, 1)", "a.map(Cell.span)", "a.indices.contains(1)",
            "String(validatingUTF8: a)", "let a: [4: Int]", "a.enumerated().map { $1 }",
            "let a: any AsyncSequence<Int>", "Task { await a.next() }", "deinit {}",
            "a.withUnsafeBufferPointer { $0 }", "let isAtomic = (1)",
        ]:
            self.assertEqual([], self.found(text, "Broadsheet"), text)


class CodeMap(unittest.TestCase):
    """A map of files in a row, each of which names the type of the one before."""
    ROUTE = [f"Sources/Module/File{number}.swift" for number in range(6)]
    FILES = {path: f"struct Type{number} {{ let before: Type{number - 1}? }}\n"
             for number, path in enumerate(ROUTE)}
    HELD = {code_map.SERVICE + "Low/Held.swift": "let a = Mutex(1) // KeyedAsyncLock<Int>\n",
            code_map.SERVICE + "Low/Free.swift": "// Mutex(1)\nimport Mutex\n"}

    def found(self, route=ROUTE, verbs=code_map.VERBS, locks=("Held",), files=None):
        steps = "".join(f"{number}. Text:\n   `{path}`.\n" for number, path in enumerate(route, 1))
        text = "".join(f"## {name}\n{steps}" for name in code_map.ROUTES)
        text += "## Verbs and types\n" + "".join(f"| {verb} | a | b |\n" for verb in verbs)
        text += "## Locks\n" + "".join(f"| a | `{name}.swift` |\n" for name in locks)
        files = {**self.FILES, **self.HELD, **(files or {})}
        return sorted({message for _, message in code_map.violations(text, files)})

    def test_a_map_that_holds_passes(self):
        self.assertEqual([], self.found())

    def test_files_in_a_row_name_each_other(self):
        middle = self.ROUTE[2]
        for text in ["struct Type2 {}", "// Type1", 'let a = "Type1"', "let a = b.Type1"]:
            found = self.found(files={middle: text})
            self.assertTrue(any(f"{self.ROUTE[1]} nor {middle}" in each for each in found), text)
        for text in ["struct Type2 {}\nextension Type1 {}", "struct Type2 { let a: Type1.Part }"]:
            self.assertEqual([], self.found(files={middle: text}), text)

    def test_a_route_has_6_to_20_files_that_exist(self):
        self.assertIn("has 5 steps", self.found(route=self.ROUTE[:5])[0])
        self.assertIn("has 21 steps", "".join(self.found(route=self.ROUTE[:1] * 21)))
        self.assertIn("names no file", "".join(self.found(route=self.ROUTE + ["Sources/No.swift"])))

    def test_each_verb_has_one_row(self):
        self.assertIn("“edit” has 0 rows", self.found(verbs=code_map.VERBS[1:])[0])
        self.assertIn("“edit” has 2 rows", self.found(verbs=code_map.VERBS + ("edit",))[0])

    def test_the_locks_are_those_of_the_service(self):
        self.assertIn("Held.swift of the service holds a lock", self.found(locks=())[0])
        self.assertIn("no file of that name holds one", self.found(locks=("Held", "Free"))[0])
        self.assertIn("is twice", self.found(locks=("Held", "Held"))[0])


class TypeNames(unittest.TestCase):
    def found(self, *texts):
        files = {f"Sources/M{index}/A.swift": text for index, text in enumerate(texts)}
        return [f"{path}:{line}: {message}" for path, line, message in type_names.violations(files)]

    def test_two_types_of_one_name_are_found_across_modules(self):
        message = "Sources/M1/A.swift:2: the type Top has the name of one in Sources/M0/A.swift"
        for text in ["enum Top {}", "public struct Top {}", "typealias Top = Int"]:
            self.assertEqual([message], self.found("actor Top {}", f"let a = 1\n{text}"), text)

    def test_nested_and_private_types_extensions_and_comments_pass(self):
        for text in ["struct B { enum Top {} }", "private struct Top {}", "extension Top {}",
                     "// struct Top {}", "extension B { struct Top {} }"]:
            self.assertEqual([], self.found("struct Top {}", text), text)


if __name__ == "__main__":
    unittest.main()
