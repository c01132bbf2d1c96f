/// The names that the members of an object may have, and the search for the one that a member of
/// another name was meant to have.
struct KnownNames: Sendable {
    /// A guess at what a member was meant to be.
    struct Guess: Sendable, Hashable {
        /// A question or a hint for the author, which follows the description of the member.
        let hint: String
        /// A Boolean value that indicates whether the name is at most
        /// ``NearestName/maxTypingErrors`` letters off a known one.
        var isMisspelling = false
        /// The name in the same object that the member was meant to have, if that is the guess.
        var name: String?
    }

    let names: [String]
    /// Names that authors know members by from elsewhere, each with the name that it has here.
    private let aliases: [String: String]
    /// The members that are objects with names that authors may write one level too high.
    private let inner: [(member: String, names: KnownNames)]

    init(
        _ names: [String], aliases: [String: String] = [:],
        inner: [(member: String, names: KnownNames)] = []
    ) {
        self.names = names
        self.aliases = aliases
        self.inner = inner
    }

    /// Returns what a member was meant to be whose name is not one of these, or `nil`.
    ///
    /// - Complexity: O(names × the product of the lengths).
    func guess(_ name: String) -> Guess? {
        if let holder = inner.first(where: { $0.names.names.contains(name) }) {
            return Guess(hint: "; it belongs in \"\(holder.member)\"")
        }
        let longer = endings(with: name)
        if aliases[name] == nil, !longer.isEmpty {
            return Guess(
                hint: "; did you mean \(longer.alternatives)?",
                name: longer.count == 1 ? longer[0] : nil)
        }
        if let own = nearest(to: name) {
            return Guess(
                hint: "; did you mean \"\(own.name)\"?", isMisspelling: own.isMisspelling,
                name: own.name)
        }
        for (member, names) in inner {
            guard let other = names.nearest(to: name) else { continue }
            return Guess(hint: "; did you mean \"\(other.name)\" in \"\(member)\"?")
        }
        return nil
    }

    func misspelt(_ name: String) -> String? {
        guard !inner.contains(where: { $0.names.names.contains(name) }), aliases[name] == nil,
            endings(with: name).isEmpty
        else { return nil }
        return NearestName.of(name, among: names, atMost: NearestName.maxTypingErrors)
    }

    /// The number of letters from which on a name may be the end of a longer one.
    private static let minLettersOfEnding = 5

    /// Returns the names that end with a name as a word, whatever the case: the shorter one was
    /// meant to be one of these rather than a name that resembles it (`spacing`).
    private func endings(with name: String) -> [String] {
        let word = name.lowercased()
        guard word.utf8.count >= Self.minLettersOfEnding else { return [] }
        return names.filter { known in
            let rest = known.utf8.count - word.utf8.count
            return rest > NearestName.maxTypingErrors && known.lowercased().hasSuffix(word)
                && known.utf8.dropFirst(rest).first.map { 65...90 ~= $0 } == true
        }
    }

    private func nearest(to name: String) -> (name: String, isMisspelling: Bool)? {
        if let misspelt = misspelt(name) { return (misspelt, true) }
        if let other = aliases[name] ?? endings(with: name).first { return (other, false) }
        return NearestName.of(name, among: names).map { ($0, false) }
    }

    /// The largest number of members of an object among which a missing one is searched for.
    private static let maxSearched = 64

    /// Returns a question about the member of an object that was meant to be the missing one called
    /// `name`, or an empty text.
    func hint(forMissing name: String, in object: JSONValue) -> String {
        for member in object.members.prefix(Self.maxSearched) {
            let other = member.name.string
            guard !names.contains(other), guess(other)?.name == name else { continue }
            return "; did you mean it by \"\(other)\"?"
        }
        return ""
    }
}

/// Names that the members of very many objects are compared with, without an allocation for each.
///
/// A name is near if it is at most ``NearestName/maxTypingErrors`` letters off one of these, where
/// upper and lower case are alike. Of a name with fewer than 6 letters, only another case is near,
/// because too many names resemble it.
struct NearNames: Sendable {
    private struct Target: Sendable {
        let exact: [UInt8]
        let bytes: [UInt8]
        let letters: UInt64
        let maxEdits: Int
    }

    private let targets: [Target]
    /// The sizes that a near name can have, in bytes.
    private let sizes: ClosedRange<Int>

    private static let minLettersWithErrors = 6

    init(_ names: [String]) {
        targets = names.map { name in
            let bytes = name.utf8.map(Self.lowercased)
            let hasErrors = bytes.count >= Self.minLettersWithErrors
            return Target(
                exact: Array(name.utf8), bytes: bytes, letters: Self.letters(of: bytes),
                maxEdits: hasErrors ? NearestName.maxTypingErrors : 0)
        }
        let shortest = targets.map { $0.bytes.count - $0.maxEdits }.min() ?? 0
        let longest = targets.map { $0.bytes.count + $0.maxEdits }.max() ?? 0
        sizes = shortest...max(shortest, longest)
    }

    /// Returns whether a name in UTF-8 is near one of these, and is none of these.
    ///
    /// - Complexity: O(names × length).
    func areNear(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard sizes.contains(name.count), !targets.contains(where: { $0.exact.elementsEqual(name) })
        else { return false }
        let letters = Self.letters(of: name)
        return targets.contains { target in
            // An edit adds at most one letter, and removes at most one.
            (letters ^ target.letters).nonzeroBitCount <= 2 * target.maxEdits
                && Self.isNear(name[...], to: target.bytes[...], within: target.maxEdits)
        }
    }

    private static func isNear(
        _ name: Slice<UnsafeBufferPointer<UInt8>>, to target: ArraySlice<UInt8>, within edits: Int
    ) -> Bool {
        var (name, target) = (name, target)
        while let first = name.first, let other = target.first, lowercased(first) == other {
            name.removeFirst()
            target.removeFirst()
        }
        guard !name.isEmpty, !target.isEmpty else { return name.count + target.count <= edits }
        guard edits > 0, abs(name.count - target.count) <= edits else { return false }
        let (restOfName, restOfTarget) = (name.dropFirst(), target.dropFirst())
        return isNear(restOfName, to: restOfTarget, within: edits - 1)
            || isNear(restOfName, to: target, within: edits - 1)
            || isNear(name, to: restOfTarget, within: edits - 1)
            || areSwapped(name, target)
                && isNear(restOfName.dropFirst(), to: restOfTarget.dropFirst(), within: edits - 1)
    }

    /// Returns whether the first two letters of one are those of the other the other way round.
    private static func areSwapped(
        _ name: Slice<UnsafeBufferPointer<UInt8>>, _ target: ArraySlice<UInt8>
    ) -> Bool {
        guard name.count > 1, target.count > 1 else { return false }
        return lowercased(name[name.startIndex]) == target[target.startIndex + 1]
            && lowercased(name[name.startIndex + 1]) == target[target.startIndex]
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    @inline(__always)
    private static func letters(of name: some Sequence<UInt8>) -> UInt64 {
        name.reduce(into: 0) { $0 |= 1 << UInt64(lowercased($1) & 63) }
    }
}
