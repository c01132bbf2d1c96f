import BroadsheetCollections

/// A deterministic automaton for a pattern: one look-up a code point.
///
/// It is made with the pattern and never changes, so threads share it. A pattern that would need
/// too many states has none, and is matched by its program.
struct PatternTable: Sendable {
    static let maxStates = 1_000
    /// The largest number of classes of code points, of which each set of the pattern has all or
    /// none.
    static let maxClasses = 250
    /// The largest number of steps in which the tables of one catalog are made.
    static let maxSteps = 4_000_000

    private let asciiClasses: [UInt8]
    /// The first code points of ranges of one class, ascending, and the classes.
    private let starts: [UInt32]
    private let classes: [UInt8]
    private let classCount: Int
    private let transitions: [UInt16]
    /// The states in which the end of the text is a match.
    private let acceptsEnd: [Bool]

    private static let matched = UInt16.max

    /// Creates the automaton, unless it would be too large.
    ///
    /// - Parameter steps: The number of steps left, from which those made are subtracted.
    init?(_ program: PatternProgram, steps: inout Int) {
        guard let partition = PatternPartition(program, steps: &steps) else { return nil }
        var builder = PatternTableBuilder(program, partition)
        guard builder.build(&steps) else { return nil }
        starts = partition.starts
        classes = partition.classes
        classCount = partition.samples.count
        asciiClasses = (0..<128).map { partition.index(of: $0) }
        transitions = builder.transitions
        acceptsEnd = builder.acceptsEnd
    }

    /// The number of bytes that are matched before the steps are compared with their limits.
    private static let bytesOfPart = 1 << 16

    /// Returns whether the pattern matches a part of a text, and adds a step for each byte.
    ///
    /// - Complexity: O(code points).
    func matches(_ text: borrowing PatternText, _ cost: inout SchemaCost) -> Bool {
        var state: UInt16 = 0
        var index = 0
        while index < text.count {
            let end = min(index + Self.bytesOfPart, text.count)
            cost.steps += end - index
            while index < end {
                let codePoint = text.codePoint(at: &index)
                state = transitions[Int(state) * classCount + Int(classIndex(of: codePoint))]
                if state == Self.matched { return true }
            }
            guard index == text.count || cost.proceed(0) else { return false }
        }
        return acceptsEnd[Int(state)]
    }

    @inline(__always)
    private func classIndex(of codePoint: UInt32) -> UInt8 {
        if codePoint < 128 { return asciiClasses[Int(codePoint)] }
        return classes[starts.partitioningIndex { $0 > codePoint } - 1]
    }
}

/// The classes of code points of which each set of a pattern has all or none.
private struct PatternPartition {
    /// The first code points of ranges of one class, ascending from 0.
    private(set) var starts: [UInt32] = []
    private(set) var classes: [UInt8] = []
    private(set) var samples: [UInt32] = []

    init?(_ program: PatternProgram, steps: inout Int) {
        var sets = program.sets
        if program.readsWords { sets.append(.wordCharacters) }
        var bounds: Set<UInt32> = [0]
        for range in sets.lazy.flatMap(\.ranges) {
            bounds.insert(range.lowerBound)
            if range.upperBound < CodePointSet.last { bounds.insert(range.upperBound + 1) }
        }
        steps -= bounds.count * (sets.count + 4)
        guard steps > 0 else { return nil }
        var classNumbers: [[Bool]: UInt8] = [:]
        for start in bounds.sorted() {
            let membership = sets.map { $0.contains(start) }
            let number = classNumbers[membership] ?? UInt8(classNumbers.count)
            if classNumbers[membership] == nil {
                classNumbers[membership] = number
                samples.append(start)
                guard samples.count <= PatternTable.maxClasses else { return nil }
            }
            starts.append(start)
            classes.append(number)
        }
    }

    func index(of codePoint: UInt32) -> UInt8 {
        classes[starts.partitioningIndex { $0 > codePoint } - 1]
    }
}

/// A builder of the states of a deterministic automaton from sets of states of a program.
private struct PatternTableBuilder {
    private struct Key: Hashable {
        let states: [Int]
        let previous: PatternNeighbour
    }

    private let program: PatternProgram
    private let samples: [UInt32]
    private(set) var transitions: [UInt16] = []
    private(set) var acceptsEnd: [Bool] = []
    private var numbers: [Key: UInt16] = [:]
    private var pending: [Key] = []
    private var current: PatternStates
    private var next: PatternStates

    init(_ program: PatternProgram, _ partition: PatternPartition) {
        self.program = program
        samples = partition.samples
        current = PatternStates(program)
        next = PatternStates(program)
        _ = number(of: Key(states: [], previous: program.readsStart ? .none : .other))
    }

    /// Makes all states; returns whether the limits permit it.
    mutating func build(_ steps: inout Int) -> Bool {
        var index = 0
        while index < pending.count {
            let key = pending[index]
            for sample in samples {
                let work = key.states.count + 1
                guard let target = target(of: key, reading: sample) else { return false }
                steps -= work + current.list.count + next.list.count
                guard steps > 0 else { return false }
                transitions.append(target)
            }
            acceptsEnd.append(follow(key, before: .none))
            index += 1
        }
        return true
    }

    private mutating func follow(_ key: Key, before next: PatternNeighbour) -> Bool {
        current.removeAll()
        for state in key.states { current.insert(state) }
        // A match may begin at each position.
        current.insert(0)
        return program.follow(&current, between: key.previous, and: next)
    }

    private mutating func target(of key: Key, reading sample: UInt32) -> UInt16? {
        let neighbour: PatternNeighbour =
            program.readsWords ? PatternNeighbour(sample) : .other
        if follow(key, before: neighbour) { return .max }
        next.removeAll()
        program.step(current, to: &next) { set, _ in set.contains(sample) }
        return number(of: Key(states: next.list.sorted(), previous: neighbour))
    }

    private mutating func number(of key: Key) -> UInt16? {
        if let number = numbers[key] { return number }
        guard pending.count < PatternTable.maxStates else { return nil }
        let number = UInt16(pending.count)
        numbers[key] = number
        pending.append(key)
        return number
    }
}
