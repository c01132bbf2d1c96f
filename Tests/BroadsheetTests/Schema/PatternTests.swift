@testable import Broadsheet
import Testing

@Suite("Patterns (ECMA-262 §22.2 with the flag u)") struct PatternTests {
    /// Returns whether a pattern matches, by its table and by its program, which must agree.
    private func matches(_ pattern: String, _ text: String) throws -> Bool {
        var (budget, noTables) = (PatternBudget(), PatternBudget(tableSteps: 0))
        var cost = SchemaCost(limits: SchemaLimits())
        let byTable = try Pattern(pattern, budget: &budget)
        let byProgram = try Pattern(pattern, budget: &noTables)
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            let result = byProgram.matches(PatternText(bytes), &cost)
            #expect(byTable.matches(PatternText(bytes), &cost) == result, "\(pattern)")
            return result
        }
    }

    @Test(
        "A pattern matches a part of a text",
        arguments: [
            ("", ["", "a"], []), ("a", ["a", "xax"], ["", "b"]), ("^a", ["ab"], ["ba"]),
            ("a$", ["ba"], ["ab", "a\n"]), ("^$", [""], ["a", "\n"]),
            ("a|bc|", ["a", "bc", ""], []), ("^(a|bc)$", ["a", "bc"], ["abc", "b"]),
            ("^a*b+c?$", ["b", "aabbc"], ["a", "abcc"]),
            ("^(?:ab){2,3}$", ["abab", "ababab"], ["ab", "abababab"]),
            ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaaa"], ["a"]),
            ("^a{0}$", [""], ["a"]),
            ("^a*?b$", ["aab"], ["aa"]), ("^(?<name>a)$", ["a"], ["b"]),
            ("^(a*)*$", ["", "aaa"], ["b"]),
            ("^(a|b)*abb$", ["abb", "babaabb"], ["ab", "abba"]),
            (
                "^.$", ["a", "é", "💩", "\r\u{85}".last.map(String.init) ?? ""],
                ["\n", "\r", "\u{2028}", ""]
            ),
            ("^[abc]$", ["a", "c"], ["d", ""]), ("^[^abc]$", ["d", "\n"], ["a"]),
            ("^[a-cx-z]$", ["b", "y"], ["d", "-"]),
            ("^[-a]$", ["-", "a"], ["b"]), ("^[a-]$", ["-", "a"], ["b"]),
            ("^[\\w-]$", ["-", "a"], ["é"]),
            ("^[]$", [], ["", "a"]), ("^[^]$", ["\n", "a"], [""]), ("^[\\]]$", ["]"], ["a"]),
            ("^[\\b]$", ["\u{8}"], ["b"]),
            ("^\\d\\D$", ["1a"], ["a1", "٣a"]),
            ("^\\s\\S$", [" a", "\u{2028}x", "\u{FEFF}x"], ["a "]), ("^\\w\\W$", ["_é"], ["éa"]),
            ("\\bcat\\b", ["cat", "a cat!", "cat-"], ["cats", "scat", "_cat"]),
            ("^\\Bx", [], ["x"]), ("a\\Bb", ["ab"], ["a b"]),
            ("\\b", ["a", " a"], ["", "é", "-"]), ("\\B", ["", "é"], ["a"]),
            ("^\\t\\n\\v\\f\\r\\0$", ["\t\n\u{B}\u{C}\r\0"], ["t"]),
            ("^\\cJ\\x41\\u0042\\u{43}\\u{0001F4A9}$", ["\nABC💩"], ["JABC"]),
            ("^\\ud83d\\udca9$", ["💩"], ["\u{FFFD}"]),
            ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", ["^$\\.*+?()[]{}|/"], [""]),
            ("^\\p{Lu}\\p{L}\\P{L}$", ["Éa1"], ["éa1", "Éab"]),
            ("^\\p{General_Category=Decimal_Number}$", ["৪"], ["x"]),
            ("^[\\p{gc=Lu}_]$", ["É", "_"], ["é"]),
            ("^\\p{Alphabetic}\\p{White_Space}\\p{Any}$", ["α \0"], ["1 a"]),
            ("^\\p{Emoji}\\p{ASCII}$", ["💩a"], ["aa"]), ("^💩{2}$", ["💩💩"], ["💩"]),
            ("^\\p{Extended_Pictographic}\\p{ExtPict}$", ["💩©", "\u{1FAFF}❤"], ["1a", "🇩🏽"]),
            ("^\\p{Emoji_Component}\\p{EComp}$", ["1#", "🇩🏽", "\u{200D}\u{FE0F}"], ["a©"]),
            ("^\\p{Regional_Indicator}\\p{RI}$", ["🇩🇪", "🇦🇿"], ["DE", "🅰🅱"]),
            ("^\\p{Terminal_Punctuation}\\p{Term}$", ["!,", "。、", "؟،", "：;"], ["-a", "(¿"]),
            ("é", ["cafés"], ["cafe\u{301}s"]),
        ] as [(String, [String], [String])])
    func matching(pattern: String, matching: [String], others: [String]) throws {
        for text in matching { #expect(try matches(pattern, text), "\(pattern) on \(text)") }
        for text in others { #expect(try !matches(pattern, text), "\(pattern) on \(text)") }
    }

    @Test(
        "All binary properties of ECMA-262, table 66, have the code points of Unicode 17",
        arguments: [
            ("ASCII", "ASCII", 128), ("ASCII_Hex_Digit", "AHex", 22),
            ("Alphabetic", "Alpha", 147421), ("Any", "Any", 1114112),
            ("Assigned", "Assigned", 299382), ("Bidi_Control", "Bidi_C", 12),
            ("Bidi_Mirrored", "Bidi_M", 554), ("Case_Ignorable", "CI", 2794),
            ("Cased", "Cased", 4632), ("Changes_When_Casefolded", "CWCF", 1561),
            ("Changes_When_Casemapped", "CWCM", 3037), ("Changes_When_Lowercased", "CWL", 1488),
            ("Changes_When_NFKC_Casefolded", "CWKCF", 10583),
            ("Changes_When_Titlecased", "CWT", 1507), ("Changes_When_Uppercased", "CWU", 1580),
            ("Dash", "Dash", 31), ("Default_Ignorable_Code_Point", "DI", 4174),
            ("Deprecated", "Dep", 15), ("Diacritic", "Dia", 1247), ("Emoji", "Emoji", 1438),
            ("Emoji_Component", "EComp", 146), ("Emoji_Modifier", "EMod", 5),
            ("Emoji_Modifier_Base", "EBase", 134), ("Emoji_Presentation", "EPres", 1219),
            ("Extended_Pictographic", "ExtPict", 2848), ("Extender", "Ext", 62),
            ("Grapheme_Base", "Gr_Base", 157494), ("Grapheme_Extend", "Gr_Ext", 2232),
            ("Hex_Digit", "Hex", 44), ("IDS_Binary_Operator", "IDSB", 13),
            ("IDS_Trinary_Operator", "IDST", 2), ("ID_Continue", "IDC", 149240),
            ("ID_Start", "IDS", 145916), ("Ideographic", "Ideo", 110943),
            ("Join_Control", "Join_C", 2), ("Logical_Order_Exception", "LOE", 19),
            ("Lowercase", "Lower", 2595), ("Math", "Math", 2322),
            ("Noncharacter_Code_Point", "NChar", 66), ("Pattern_Syntax", "Pat_Syn", 2760),
            ("Pattern_White_Space", "Pat_WS", 11), ("Quotation_Mark", "QMark", 30),
            ("Radical", "Radical", 329), ("Regional_Indicator", "RI", 26),
            ("Sentence_Terminal", "STerm", 170), ("Soft_Dotted", "SD", 50),
            ("Terminal_Punctuation", "Term", 291), ("Unified_Ideograph", "UIdeo", 101996),
            ("Uppercase", "Upper", 2006), ("Variation_Selector", "VS", 260),
            ("White_Space", "space", 25), ("XID_Continue", "XIDC", 149221),
            ("XID_Start", "XIDS", 145893),
        ])
    func binaryProperties(name: String, alias: String, count: Int) throws {
        for name in [name, alias] {
            let set = try #require(UnicodeProperty.set(named: name))
            #expect(set.ranges.reduce(0) { $0 + $1.count } == count, "\(name)")
        }
    }

    @Test(
        "What no automaton matches in linear time, and what is not a pattern, is refused",
        arguments: [
            ("(?=a)", "look-around"), ("(?!a)", "look-around"), ("(?<=a)", "look-around"),
            ("(?<!a)", "look-around"),
            ("(a)\\1", "back-reference"), ("(?<n>a)\\k<n>", "back-reference"),
            ("(", "without its end"), (")", "unexpected"),
            ("[a", "without its end"), ("*", "unexpected"), ("a**", "unexpected"),
            ("^*", "repeats an assertion"),
            ("\\b+", "repeats an assertion"), ("{", "unexpected"),
            ("a{", "does not begin a quantifier"),
            ("a{2,1}", "out of order"), ("}", "unexpected"), ("]", "unexpected"),
            ("\\", "ends with a backslash"), ("\\a", "does not define"), ("\\-", "does not define"),
            ("\\c1", "does not define"), ("\\x4", "does not define"),
            ("\\u{110000}", "does not define"),
            ("\\u12", "does not define"), ("\\u{}", "does not define"), ("\\01", "does not define"),
            ("[b-a]", "a range without order"), ("[\\d-x]", "a range without order"),
            ("(?i:a)", "unknown kind"), ("(?<1>a)", "an invalid name"),
            ("(?<a>b)(?<a>c)", "two groups"), ("\\p", "without a name"),
            ("\\p{Nope}", "unknown Unicode property"),
            ("\\p{Script=Greek}", "unknown Unicode property"),
            ("a{5000}", "more than 5000 states"), ("((a{100}){100}){100}", "more than 5000 states"),
            ("a{99999999999999999999}", "more than 5000 states"),
            (
                String(repeating: "(", count: 101) + String(repeating: ")", count: 101),
                "more than 100 groups"
            ), (String(repeating: "a", count: 10_001), "more than 10000 characters"),
        ])
    func refused(pattern: String, reason: String) {
        var budget = PatternBudget()
        let error = #expect(throws: PatternError.self) { try Pattern(pattern, budget: &budget) }
        #expect(error?.detail.contains(reason) == true, "\(pattern): \(error?.detail ?? "")")
    }

    @Test(
        "Repeated emptiness ends",
        arguments: ["(){99999}", "(|){5000}", "((){9}|a){3}", "^(^){3}a"])
    func emptiness(pattern: String) throws {
        var budget = PatternBudget()
        _ = try? Pattern(pattern, budget: &budget)
    }

    @Test(
        "Hostile patterns take steps in proportion to the text",
        arguments: [
            "^(a+)+$", "^(a|aa)+$", "^(a*)*$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$",
            "(a?){50}a{50}$",
            "^(a|a|a|a|a|a|a|a)*b$", "(.*)(.*)(.*)(.*)(.*)b", "(a|b)*a(a|b){12}c",
            "\\b(\\w+\\s?)*$",
        ])
    func linear(pattern: String) throws {
        for tableSteps in [0, PatternTable.maxSteps] {
            var budget = PatternBudget(tableSteps: tableSteps)
            let form = try Pattern(pattern, budget: &budget)
            let perCharacter = form.hasTable ? 1 : form.instructionCount
            for length in [1_000, 2_000] {
                let text = Array(repeating: UInt8(ascii: "a"), count: length) + [UInt8(ascii: "!")]
                var cost = SchemaCost(limits: SchemaLimits())
                _ = text.withUnsafeBufferPointer { form.matches(PatternText($0), &cost) }
                let limit = Pattern.stepsOfStart + perCharacter * (length + 3)
                #expect(cost.steps <= limit, "\(pattern)")
            }
        }
    }

    @Test("A table that would be too large is left out, and the pattern matches all the same")
    func bounded() throws {
        var budget = PatternBudget()
        let pattern = try Pattern("(a|b)*a(a|b){20}$", budget: &budget)
        #expect(!pattern.hasTable)
        #expect(try matches("(a|b)*a(a|b){3}$", "bbabbb"))
    }

    @Test("A text of no characters takes steps, too, by the table and by the program")
    func startOfMatch() throws {
        for tableSteps in [0, PatternTable.maxSteps] {
            var budget = PatternBudget(tableSteps: tableSteps)
            var cost = SchemaCost(limits: SchemaLimits())
            let pattern = try Pattern("^a{4000}", budget: &budget)
            _ = [UInt8]().withUnsafeBufferPointer {
                pattern.matches(PatternText($0), &cost)
            }
            #expect(cost.steps >= (pattern.hasTable ? 8 : pattern.instructionCount))
        }
    }

    @Test(
        "Patterns take their states and ranges from a budget, also those that are refused",
        arguments: [
            ("a{90}", 90), (".{90}", 90), ("[a-c]{90}", 90), ("\\p{L}", 600), ("[\\p{L}]", 600),
            ("\\P{L}", 600), ("[a\\p{L}\\p{L}]", 1200), ("\\p{L}(", 600), ("a{5000}", 5000),
        ])
    func parts(pattern: String, atLeast parts: Int) {
        var budget = PatternBudget(maxParts: parts - 1)
        let error = #expect(throws: PatternError.self) { try Pattern(pattern, budget: &budget) }
        #expect(error?.detail.contains("beyond the \(parts - 1) states") == true)
        #expect(throws: PatternError.self) { try Pattern("", budget: &budget) }
    }
}
