/// The description by which a client draws the parts of items without a copy of the catalog
/// (docs/api.md, "Drawing").
extension Catalog {
    /// Returns the contents of cell types, and the fonts of their texts, as JSON.
    ///
    /// - Parameters:
    ///   - listsTypes: A Boolean value that indicates whether the names of all cell types and kinds
    ///     of decorations are listed, if the catalog has all of them.
    ///   - fontPath: Returns the path of a file of a font, by the name of the font and the index of
    ///     the file; `nil` for one that the daemon does not serve.
    /// - Complexity: O(bytes of the contents).
    package func cells(
        listsTypes: Bool = false, fontPath: (_ font: String, _ file: Int, TextFontFile) -> String?
    ) -> [UInt8] {
        let contents = registry.contents.sorted { $0.name < $1.name }
        var fonts: [CatalogFont] = []
        for font in contents.flatMap(\.tree.fonts) where !fonts.contains(font) {
            fonts.append(font)
        }
        var output = StructuredJSONWriter()
        output.object { output in
            output.object("cellTypes") { output in
                for (name, tree, style) in contents {
                    output.member(named: name)
                    output.object { output in
                        output.member("content")
                        output.raw(tree.json)
                        if !style.isEmpty {
                            output.member("style", style.joined(separator: " "))
                        }
                    }
                }
            }
            output.object("fonts") { output in
                for font in fonts.sorted(by: { $0.name < $1.name }) {
                    output.member(named: font.name)
                    font.write(to: &output, path: fontPath)
                }
            }
            if listsTypes, let names = registry.drawnNames {
                output.inlineArray("types") { output in
                    for name in names {
                        output.element()
                        output.string(name)
                    }
                }
            }
        }
        return output.bytes
    }

    /// The names of the styles of cell types and of the boxes of their contents, in the order of
    /// their letters.
    package var styleNames: [String] {
        registry.kinds.reduce(into: Set(registry.contents.flatMap(\.tree.styles))) {
            $0.formUnion($1.style)
        }.sorted()
    }

    package func files(ofFont name: String) -> [TextFontFile]? {
        let font = registry.contents.lazy.flatMap(\.tree.fonts).first { $0.name == name }
        return font?.font.files
    }
}

extension CatalogFont {
    fileprivate func write(
        to output: inout StructuredJSONWriter, path: (String, Int, TextFontFile) -> String?
    ) {
        output.object { output in
            output.exact("size", declaration.size)
            output.exact("lineHeight", metrics.lineHeight)
            output.exact("letterSpacing", declaration.letterSpacing)
            output.inlineArray("features") { output in
                for feature in declaration.features {
                    output.element()
                    output.string(feature)
                }
            }
            output.member("scales", declaration.scales)
            output.array("families") { output in
                for (index, file) in font.files.enumerated() {
                    output.element()
                    write(file, index: index, to: &output, path: path(name, index, file))
                }
            }
        }
    }

    private func write(
        _ file: TextFontFile, index: Int, to output: inout StructuredJSONWriter, path: String?
    ) {
        output.object { output in
            output.member("family", file.family)
            output.member("weight", file.weight)
            output.member("italic", file.isItalic)
            output.object("axes") { output in
                guard declaration.files.indices ~= index else { return }
                for axis in declaration.files[index].axes {
                    output.member(named: axis.tag)
                    output.exact(axis.value)
                }
            }
            if let path { output.member("file", path) }
        }
    }
}

extension StructuredJSONWriter {
    fileprivate mutating func exact(_ name: StaticString, _ value: Double) {
        member(name)
        exact(value)
    }

    /// Writes a number with all of its digits, without a fraction if it is whole: the thousandths
    /// to which frames are rounded would change the lines of texts.
    fileprivate mutating func exact(_ value: Double) {
        if let whole = Int(exactly: value) { integer(whole) } else { exactNumber(value) }
    }
}

extension CellRegistry {
    fileprivate typealias Content = (name: String, tree: ContentTree, style: [String])

    fileprivate var contents: [Content] {
        let own = declaredContents.compactMap { type -> Content? in
            codeContents.result(of: type).tree.map { (type.typeName, $0, []) }
        }
        let names = Set(own.map(\.name))
        return own
            + kinds.compactMap { kind in
                guard let tree = kind.contents, !names.contains(kind.name) else { return nil }
                return (kind.name, tree, kind.style)
            }
    }
}
