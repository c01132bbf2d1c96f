import BroadsheetClient

/// The sets of code points that `\p{…}` names (ECMA-262 §22.2.1.4): general categories and binary
/// properties, by the Unicode version of Swift's standard library.
///
/// The standard library does not know scripts.
enum UnicodeProperty {
    /// Returns the set that the text between the braces names, or `nil`.
    ///
    /// - Complexity: O(code points) at the first use of a property in a process.
    static func set(named name: String) -> CodePointSet? {
        let parts = name.split(separator: "=", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return category(name) ?? binary(name)
        case 2 where parts[0] == "General_Category" || parts[0] == "gc":
            return category(String(parts[1]))
        default: return nil
        }
    }

    /// The sets that have been made; their number is that of the names below.
    private static let sets = LockedValue<[String: CodePointSet]>([:])

    private static func cached(_ name: String, _ make: () -> CodePointSet) -> CodePointSet {
        if let set = sets.withLock({ $0[name] }) { return set }
        let set = make()
        sets.withLock { $0[name] = set }
        return set
    }

    private static func scan(_ isMember: (Unicode.Scalar) -> Bool) -> CodePointSet {
        var ranges: [ClosedRange<UInt32>] = []
        var start: UInt32?
        for codePoint in 0...CodePointSet.last + 1 {
            let isIn = Unicode.Scalar(codePoint).map(isMember) ?? false
            if isIn, start == nil { start = codePoint }
            if !isIn, let first = start {
                ranges.append(first...codePoint - 1)
                start = nil
            }
        }
        return CodePointSet(ranges)
    }

    // MARK: General categories

    private static func category(_ name: String) -> CodePointSet? {
        let short = categoryAliases[name] ?? name
        guard let members = groups[short] else { return nil }
        return cached("gc=\(short)") {
            CodePointSet(members.flatMap { categories[$0]?.ranges ?? [] })
        }
    }

    private static let categories: [String: CodePointSet] = {
        var ranges: [String: [ClosedRange<UInt32>]] = [:]
        var start: UInt32 = 0
        var current = name(ofCategoryOf: 0)
        for codePoint in 1...CodePointSet.last + 1 {
            let next = codePoint > CodePointSet.last ? "" : name(ofCategoryOf: codePoint)
            guard next != current else { continue }
            ranges[current, default: []].append(start...codePoint - 1)
            (start, current) = (codePoint, next)
        }
        return ranges.mapValues(CodePointSet.init)
    }()

    private static func name(ofCategoryOf codePoint: UInt32) -> String {
        guard let scalar = Unicode.Scalar(codePoint) else { return "Cs" }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }

    /// The categories of two letters that a short name covers.
    private static let groups: [String: [String]] = {
        let all = [
            "L": ["Lu", "Ll", "Lt", "Lm", "Lo"], "M": ["Mn", "Mc", "Me"], "N": ["Nd", "Nl", "No"],
            "P": ["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"], "S": ["Sm", "Sc", "Sk", "So"],
            "Z": ["Zs", "Zl", "Zp"], "C": ["Cc", "Cf", "Cs", "Co", "Cn"],
        ]
        var groups = all.merging(["LC": ["Lu", "Ll", "Lt"]]) { first, _ in first }
        for member in all.values.joined() { groups[member] = [member] }
        return groups
    }()

    /// The short names of the categories by their other names (ECMA-262, table 67).
    private static let categoryAliases: [String: String] = [
        "Cased_Letter": "LC", "Close_Punctuation": "Pe", "Connector_Punctuation": "Pc",
        "Control": "Cc", "cntrl": "Cc", "Currency_Symbol": "Sc", "Dash_Punctuation": "Pd",
        "Decimal_Number": "Nd", "digit": "Nd", "Enclosing_Mark": "Me", "Final_Punctuation": "Pf",
        "Format": "Cf", "Initial_Punctuation": "Pi", "Letter": "L", "Letter_Number": "Nl",
        "Line_Separator": "Zl", "Lowercase_Letter": "Ll", "Mark": "M", "Combining_Mark": "M",
        "Math_Symbol": "Sm", "Modifier_Letter": "Lm", "Modifier_Symbol": "Sk",
        "Nonspacing_Mark": "Mn", "Number": "N", "Open_Punctuation": "Ps", "Other": "C",
        "Other_Letter": "Lo", "Other_Number": "No", "Other_Punctuation": "Po",
        "Other_Symbol": "So", "Paragraph_Separator": "Zp", "Private_Use": "Co",
        "Punctuation": "P", "punct": "P", "Separator": "Z", "Space_Separator": "Zs",
        "Spacing_Mark": "Mc", "Surrogate": "Cs", "Symbol": "S", "Titlecase_Letter": "Lt",
        "Unassigned": "Cn", "Uppercase_Letter": "Lu",
    ]

    // MARK: Binary properties

    private static func binary(_ name: String) -> CodePointSet? {
        switch name {
        case "Any": return CodePointSet([0...CodePointSet.last])
        case "ASCII": return CodePointSet([0...0x7F])
        case "Assigned": return category("Cn")?.inverted
        case "Emoji_Component", "EComp": return emojiComponents
        case "Extended_Pictographic", "ExtPict": return cached(name) { scan(isPictographic) }
        case "Regional_Indicator", "RI": return regionalIndicators
        case "Terminal_Punctuation", "Term": return binary("STerm")?.union(otherTerminals)
        default: break
        }
        guard let property = binaryProperties[binaryAliases[name] ?? name] else { return nil }
        return cached(name) { scan { $0.properties[keyPath: property] } }
    }

    // The standard library does not have these four.

    /// Returns whether a scalar is pictographic.
    ///
    /// Only then does a zero-width joiner not divide it from a pictographic one (UAX #29, GB11).
    /// The planes after the first two have none.
    private static func isPictographic(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x2_0000 && "\(scalar)\u{200D}\u{A9}".count == 1
    }

    private static let regionalIndicators = CodePointSet([0x1_F1E6...0x1_F1FF])

    /// `#`, `*`, the digits, and what joins, encloses, selects and tags.
    private static let emojiComponents = CodePointSet([
        0x23...0x23, 0x2A...0x2A, 0x30...0x39, 0x200D...0x200D, 0x20E3...0x20E3, 0xFE0F...0xFE0F,
        0x1_F1E6...0x1_F1FF, 0x1_F3FB...0x1_F3FF, 0x1_F9B0...0x1_F9B3, 0xE_0020...0xE_007F,
    ])

    /// The terminal punctuation that does not end a sentence (Unicode 17, PropList.txt).
    private static let otherTerminals = CodePointSet([
        0x2C...0x2C, 0x3A...0x3B, 0x37E...0x37E, 0x387...0x387, 0x5C3...0x5C3, 0x60C...0x60C,
        0x61B...0x61B, 0x703...0x70A, 0x70C...0x70C, 0x7F8...0x7F8, 0x830...0x835, 0x838...0x838,
        0x83A...0x83C, 0x85E...0x85E, 0xE5A...0xE5B, 0xF08...0xF08, 0xF0D...0xF12, 0x1361...0x1361,
        0x1363...0x1366, 0x16EB...0x16ED, 0x17D6...0x17D6, 0x17DA...0x17DA, 0x1802...0x1802,
        0x1804...0x1805, 0x1808...0x1808, 0x1B5D...0x1B5D, 0x1C3D...0x1C3F, 0x2E41...0x2E41,
        0x2E4C...0x2E4C, 0x2E4E...0x2E4F, 0x3001...0x3001, 0xA4FE...0xA4FE, 0xA60D...0xA60D,
        0xA6F4...0xA6F6, 0xA9C7...0xA9C7, 0xAADF...0xAADF, 0xFE50...0xFE51, 0xFE54...0xFE55,
        0xFF0C...0xFF0C, 0xFF1A...0xFF1B, 0xFF64...0xFF64, 0x1_039F...0x1_039F, 0x1_03D0...0x1_03D0,
        0x1_0857...0x1_0857, 0x1_091F...0x1_091F, 0x1_0AF0...0x1_0AF5, 0x1_0B3A...0x1_0B3F,
        0x1_0B99...0x1_0B9C, 0x1_1049...0x1_104D, 0x1_123A...0x1_123A, 0x1_144D...0x1_144D,
        0x1_145A...0x1_145B, 0x1_15C4...0x1_15C5, 0x1_1AA1...0x1_1AA2, 0x1_1C43...0x1_1C43,
        0x1_1C71...0x1_1C71, 0x1_2470...0x1_2474, 0x1_6B39...0x1_6B39, 0x1_6E97...0x1_6E97,
        0x1_DA87...0x1_DA87, 0x1_DA89...0x1_DA8A,
    ])

    private typealias Property = any KeyPath<Unicode.Scalar.Properties, Bool> & Sendable

    /// The properties that both ECMA-262 (table 66) and the standard library have.
    private static let binaryProperties: [String: Property] = [
        "ASCII_Hex_Digit": \.isASCIIHexDigit, "Alphabetic": \.isAlphabetic,
        "Bidi_Control": \.isBidiControl, "Bidi_Mirrored": \.isBidiMirrored,
        "Case_Ignorable": \.isCaseIgnorable, "Cased": \.isCased,
        "Changes_When_Casefolded": \.changesWhenCaseFolded,
        "Changes_When_Casemapped": \.changesWhenCaseMapped,
        "Changes_When_Lowercased": \.changesWhenLowercased,
        "Changes_When_NFKC_Casefolded": \.changesWhenNFKCCaseFolded,
        "Changes_When_Titlecased": \.changesWhenTitlecased,
        "Changes_When_Uppercased": \.changesWhenUppercased, "Dash": \.isDash,
        "Default_Ignorable_Code_Point": \.isDefaultIgnorableCodePoint,
        "Deprecated": \.isDeprecated, "Diacritic": \.isDiacritic, "Emoji": \.isEmoji,
        "Emoji_Modifier": \.isEmojiModifier, "Emoji_Modifier_Base": \.isEmojiModifierBase,
        "Emoji_Presentation": \.isEmojiPresentation, "Extender": \.isExtender,
        "Grapheme_Base": \.isGraphemeBase, "Grapheme_Extend": \.isGraphemeExtend,
        "Hex_Digit": \.isHexDigit, "IDS_Binary_Operator": \.isIDSBinaryOperator,
        "IDS_Trinary_Operator": \.isIDSTrinaryOperator, "ID_Continue": \.isIDContinue,
        "ID_Start": \.isIDStart, "Ideographic": \.isIdeographic, "Join_Control": \.isJoinControl,
        "Logical_Order_Exception": \.isLogicalOrderException, "Lowercase": \.isLowercase,
        "Math": \.isMath, "Noncharacter_Code_Point": \.isNoncharacterCodePoint,
        "Pattern_Syntax": \.isPatternSyntax, "Pattern_White_Space": \.isPatternWhitespace,
        "Quotation_Mark": \.isQuotationMark, "Radical": \.isRadical,
        "Sentence_Terminal": \.isSentenceTerminal, "Soft_Dotted": \.isSoftDotted,
        "Unified_Ideograph": \.isUnifiedIdeograph, "Uppercase": \.isUppercase,
        "Variation_Selector": \.isVariationSelector, "White_Space": \.isWhitespace,
        "XID_Continue": \.isXIDContinue, "XID_Start": \.isXIDStart,
    ]

    private static let binaryAliases = [
        "AHex": "ASCII_Hex_Digit", "Alpha": "Alphabetic", "Bidi_C": "Bidi_Control",
        "Bidi_M": "Bidi_Mirrored", "CI": "Case_Ignorable", "CWCF": "Changes_When_Casefolded",
        "CWCM": "Changes_When_Casemapped", "CWL": "Changes_When_Lowercased",
        "CWKCF": "Changes_When_NFKC_Casefolded", "CWT": "Changes_When_Titlecased",
        "CWU": "Changes_When_Uppercased", "DI": "Default_Ignorable_Code_Point",
        "Dep": "Deprecated", "Dia": "Diacritic", "EMod": "Emoji_Modifier",
        "EBase": "Emoji_Modifier_Base", "EPres": "Emoji_Presentation", "Ext": "Extender",
        "Gr_Base": "Grapheme_Base", "Gr_Ext": "Grapheme_Extend", "Hex": "Hex_Digit",
        "IDSB": "IDS_Binary_Operator", "IDST": "IDS_Trinary_Operator", "IDC": "ID_Continue",
        "IDS": "ID_Start", "Ideo": "Ideographic", "Join_C": "Join_Control",
        "LOE": "Logical_Order_Exception", "Lower": "Lowercase",
        "NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax",
        "Pat_WS": "Pattern_White_Space", "QMark": "Quotation_Mark",
        "STerm": "Sentence_Terminal", "SD": "Soft_Dotted", "UIdeo": "Unified_Ideograph",
        "Upper": "Uppercase", "VS": "Variation_Selector", "space": "White_Space",
        "XIDC": "XID_Continue", "XIDS": "XID_Start",
    ]
}
