import Broadsheet
import BroadsheetText
import Foundation
import Testing
import TextTestSupport

@Suite("Fonts are checked whole, and failures say what is wrong")
struct FontTests {
    /// A folder that exists during a test.
    private static func withFiles<Result>(
        _ files: [String: [UInt8]], _ body: (URL) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-fonts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
        return try body(folder)
    }

    private static func failure(folder: String, _ declaration: FontDeclaration) -> FontFailure? {
        do throws(FontFailure) {
            _ = try FontMeasurer(folder: folder).open(declaration)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the failure of a font with one file.
    private static func failure(
        _ bytes: [UInt8], _ change: (inout FontDeclaration) -> Void = { _ in }
    ) throws -> FontFailure? {
        try withFiles(["font.ttf": bytes]) { folder in
            var declaration = FontDeclaration(files: [.init(path: "font.ttf")], size: 10)
            change(&declaration)
            return failure(folder: folder.path, declaration)
        }
    }

    @Test("A small font without layout tables is a font")
    func smallFont() throws {
        #expect(try Self.failure(FontBuilder().file()) == nil)
    }

    @Test(
        "Every font of the system's packages is accepted, whole collections too",
        arguments: [TestFonts.noto, "opentype/inter/"])
    func systemFonts(folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: "\(TestFonts.folder)/\(folder)")
        var files = names.filter { $0.hasSuffix("tf") }.map {
            FontDeclaration.File(path: folder + $0)
        }
        files += (0..<10).map { FontDeclaration.File(path: TestFonts.cjk, index: $0) }
        #expect(files.count > 20)
        let measurer = FontMeasurer(folder: TestFonts.folder)
        for file in files {
            #expect(throws: Never.self, "\(file.path)") {
                try measurer.open(FontDeclaration(files: [file], size: 17))
            }
        }
    }

    @Test("A file that is cut anywhere is refused, and so is one without a required table")
    func cuts() throws {
        let whole = FontBuilder().file()
        for length in stride(from: 0, to: whole.count, by: 7) {
            #expect(try Self.failure(Array(whole[..<length])) != nil, "\(length) bytes")
        }
        for tag in ["cmap", "head", "hhea", "hmtx", "maxp"] {
            var file = whole
            let place = try #require(file.firstRange(of: Array(tag.utf8)))
            file[place.lowerBound] = UInt8(ascii: "x")
            #expect(try Self.failure(file)?.detail.contains("no table \"\(tag)\"") == true)
        }
    }

    @Test("Tables that contradict themselves are named")
    func damagedTables() throws {
        for tag in ["head", "maxp", "hhea", "hmtx", "cmap", "GSUB", "GPOS"] {
            let file = FontBuilder(tables: [tag: [0, 1, 0, 0, 0xFF]]).file()
            #expect(
                try Self.failure(file)?.detail.contains("table \"\(tag)\" is cut") == true, "\(tag)"
            )
        }
    }

    @Test("What is not a font, missing, too large or not a file is refused with its reason")
    func notFonts() throws {
        let web = try Self.failure(Array("wOF2 and more".utf8))
        #expect(
            web == FontFailure(pointer: "/files/0", detail: "is not a TrueType or OpenType font"))
        let missing = FontDeclaration(
            files: [.init(path: TestFonts.sans), .init(path: "a.ttf")], size: 10)
        #expect(
            Self.failure(folder: TestFonts.folder, missing)
                == FontFailure(
                    pointer: "/files/1",
                    detail: "cannot be read at \"\(TestFonts.folder)/a.ttf\": No such file or "
                        + "directory (--fonts names the folder of the fonts)"))
        let folder = FontDeclaration(files: [.init(path: "truetype")], size: 10)
        #expect(
            Self.failure(folder: TestFonts.folder, folder)?.detail
                == "cannot be read at \"\(TestFonts.folder)/truetype\": it is not a file (--fonts "
                + "names the folder of the fonts)")
        try Self.withFiles(["large.ttf": []]) { folder in
            truncate(folder.appending(path: "large.ttf").path, (64 << 20) + 1)
            let large = FontDeclaration(files: [.init(path: "large.ttf")], size: 10)
            #expect(
                Self.failure(folder: folder.path, large)?.detail
                    == "has 67108865 bytes, of which 67108864 are permitted")
        }
    }

    @Test("A link that leaves the folder of fonts is refused; one that stays is followed")
    func links() throws {
        try Self.withFiles(["font.ttf": FontBuilder().file()]) { outer in
            let inner = outer.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            symlink("../font.ttf", inner.appending(path: "link.ttf").path)
            symlink("font.ttf", outer.appending(path: "link.ttf").path)
            let link = FontDeclaration(files: [.init(path: "link.ttf")], size: 10)
            #expect(Self.failure(folder: outer.path, link) == nil)
            #expect(
                Self.failure(folder: inner.path, link)
                    == FontFailure(
                        pointer: "/files/0", detail: "is outside of the folder of fonts"))
        }
    }

    @Test("The font of a collection, and the axes of a font, have to exist")
    func collectionsAndAxes() throws {
        let file = FontBuilder().file()
        #expect(
            try Self.failure(file) { $0.files[0].index = 1 }
                == FontFailure(
                    pointer: "/files/0/index", detail: "must be 0, since the file has one font"))
        let weight = FontDeclaration.AxisValue(tag: "wght", value: 650)
        #expect(
            try Self.failure(file) { $0.files[0].axes = [weight] }
                == FontFailure(
                    pointer: "/files/0/axes/wght",
                    detail: "is not an axis of the font, which has none"))
        let axes = FontBuilder.axes([("wght", 100, 400, 900)])
        let variable = FontBuilder(tables: ["fvar": axes]).file()
        #expect(try Self.failure(variable) { $0.files[0].axes = [weight] } == nil)
        #expect(
            try Self.failure(variable) { $0.files[0].axes = [.init(tag: "wght", value: 901)] }
                == FontFailure(
                    pointer: "/files/0/axes/wght",
                    detail: "must be from 100.0 to 900.0 in this font"))
        #expect(
            try Self.failure(variable) { $0.files[0].axes = [.init(tag: "wdth", value: 100)] }?
                .detail == "is not an axis of the font, which has wght")
    }

    @Test(
        "Advances are those of the positions on the axes; opsz follows the size, if it is not set")
    func positionsOnAxes() throws {
        func width(
            _ axis: (String, Int, Int, Int), _ values: [FontDeclaration.AxisValue], size: Double,
            scale: Double = 1
        ) throws -> Double {
            let tables = [
                "fvar": FontBuilder.axes([axis]), "HVAR": FontBuilder.advances(plus: 200),
            ]
            return try Self.withFiles(["font.ttf": FontBuilder(tables: tables).file()]) { folder in
                let file = FontDeclaration.File(path: "font.ttf", axes: values)
                let font = try FontMeasurer(folder: folder.path)
                    .open(FontDeclaration(files: [file], size: size))
                let request = TextRequest(width: TextRequest.wide, textScale: scale)
                return font.shape("a").measure(request).longestLine
            }
        }
        // The advances are 1,000 of 1,000 units at the default, and 1,200 at the end of the axis.
        let weight = ("wght", 100, 400, 900)
        #expect(try width(weight, [], size: 20) == 20)
        for (value, expected) in [(400, 20), (650, 22), (900, 24), (100, 20)] as [(Double, Double)]
        {
            let found = try width(weight, [.init(tag: "wght", value: value)], size: 20)
            #expect(abs(found - expected) < 0.01, "\(value)")
        }
        let opticalSize = ("opsz", 8, 14, 34)
        #expect(try abs(width(opticalSize, [], size: 24) - 24 * 1.1) < 0.01)
        #expect(try abs(width(opticalSize, [], size: 24, scale: 2) - 48 * 1.1) < 0.01)
        #expect(try abs(width(opticalSize, [], size: 100) - 100 * 1.2) < 0.01)
        #expect(try width(opticalSize, [.init(tag: "opsz", value: 14)], size: 24) == 24)
    }

    @Test("A font has the line height and the hash of its files")
    func lineHeightsAndHashes() throws {
        // Noto Sans: ascent 1069, descent 293 and no line gap, of 1000 units.
        let font = try TestFonts.font()
        #expect(abs(font.naturalLineHeight - 27.24) < 0.001)
        #expect(try TestFonts.font().contentHash == font.contentHash)
        let cjk = try (0..<2).map {
            try TestFonts.font([.init(path: TestFonts.cjk, index: $0)]).contentHash
        }
        #expect(Set(cjk + [font.contentHash]).count == 3)
    }
}

@Suite("Files of fonts for clients that draw with them (docs/api.md, \"Drawing\")")
struct FontNamesTests {
    /// Returns a table `name` of names with their platforms, languages and numbers, in UTF-16.
    private static func names(
        _ names: [(platform: UInt16, language: UInt16, id: UInt16, text: String)]
    ) -> [UInt8] {
        var (records, storage) = ([UInt16](), [UInt8]())
        for name in names {
            let text =
                name.platform == 1
                ? Array(name.text.utf8) : FontBuilder.bytes(Array(name.text.utf16))
            records += [
                name.platform, 1, name.language, name.id, UInt16(text.count),
                UInt16(storage.count),
            ]
            storage += text
        }
        let header: [UInt16] = [0, UInt16(names.count), UInt16(6 + 12 * names.count)]
        return FontBuilder.bytes(header + records) + storage
    }

    private static func style(weight: UInt16, selection: UInt16) -> [UInt8] {
        var table = [UInt16](repeating: 0, count: 40)
        (table[2], table[31]) = (weight, selection)
        return FontBuilder.bytes(table)
    }

    private static func file(
        _ tables: [String: [UInt8]], axes: [FontDeclaration.AxisValue] = []
    ) throws -> TextFontFile {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = FontBuilder(tables: tables).file()
        try Data(bytes).write(to: folder.appending(path: "font.ttf"))
        let font = try FontMeasurer(folder: folder.path).open(
            FontDeclaration(files: [.init(path: "font.ttf", axes: axes)], size: 10))
        let file = try #require(font.files.first)
        #expect(file.bytes == bytes && file.byteCount == bytes.count)
        return file
    }

    @Test("The family is that of all styles, in English, or else the best that there is")
    func families() throws {
        let all: [(platform: UInt16, language: UInt16, id: UInt16, text: String)] = [
            (1, 0, 1, "Mac"), (3, 0x0412, 1, "가족"), (3, 0x0409, 1, "Inter SemiBold"),
            (3, 0x0409, 16, "Inter"), (3, 0x0409, 4, "Full"),
        ]
        for (count, family) in [(1, "Mac"), (2, "가족"), (3, "Inter SemiBold"), (5, "Inter")] {
            let table = Self.names(Array(all.prefix(count)))
            #expect(try Self.file(["name": table]).family == family)
        }
        for table in [[], [0, 0], Self.names(all).dropLast(60)] as [[UInt8]] {
            _ = try Self.file(["name": table]).family
        }
    }

    @Test("Weight and style are those of the font, and the axis of the declaration is the weight")
    func styles() throws {
        let plain = try Self.file([:])
        #expect(plain.weight == 400 && !plain.isItalic && plain.format == .ttf)
        #expect(plain.family.isEmpty && !plain.isCollection)
        let bold = try Self.file(["OS/2": Self.style(weight: 650, selection: 1)])
        #expect(bold.weight == 650 && bold.isItalic)
        let axes = FontBuilder.axes([(tag: "wght", lower: 100, normal: 400, upper: 900)])
        let variable = try Self.file(["fvar": axes], axes: [.init(tag: "wght", value: 601.5)])
        #expect(variable.weight == 602)
    }
}
