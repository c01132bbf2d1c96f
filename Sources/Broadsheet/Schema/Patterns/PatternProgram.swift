/// A nondeterministic automaton for a pattern, without look-around and back-references.
///
/// It reads a text once, with the set of all states that it may be in, so the time for a code point
/// is at most the number of instructions, whatever the pattern and the text (Thompson 1968).
struct PatternProgram: Sendable {
    /// One instruction; a state of the automaton is the index of one.
    enum Instruction: Sendable {
        /// Reads a code point of a set, by its index, and goes to the next instruction.
        case set(Int)
        /// Goes to both of two instructions without reading.
        case split(Int, Int)
        case jump(Int)
        case assertion(PatternAssertion)
        case match
    }

    /// The largest number of instructions, in which counted repetitions are written out.
    static let maxInstructions = 5_000

    /// The instructions; the first one is the start.
    private(set) var instructions: [Instruction] = []
    let sets: [CodePointSet]
    /// A Boolean value that indicates whether a condition depends on word characters.
    private(set) var readsWords = false
    /// A Boolean value that indicates whether a condition depends on the start of the text.
    private(set) var readsStart = false

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - budget: What the patterns of the catalog may still take; a pattern that is refused has
    ///     taken something, too.
    /// - Throws: The reason if it is not a pattern of ECMA-262, or needs look-around,
    ///   back-references, more than ``maxInstructions`` or more than the budget.
    init(_ pattern: String, budget: inout PatternBudget) throws(PatternError) {
        let parsed = try PatternParser.parse(pattern, budget: &budget)
        sets = parsed.sets
        do throws(PatternError) {
            try emit(parsed.node)
            try append(.match)
        } catch {
            try budget.take(instructions.count)
            throw error
        }
        try budget.take(instructions.count)
    }

    private mutating func append(_ instruction: Instruction) throws(PatternError) {
        guard instructions.count < Self.maxInstructions else {
            throw PatternError(
                "repeats so much that it has more than \(Self.maxInstructions) states")
        }
        instructions.append(instruction)
    }

    private mutating func emit(_ node: PatternNode) throws(PatternError) {
        switch node {
        case .empty: break
        case .set(let index): try append(.set(index))
        case .sequence(let parts): for part in parts { try emit(part) }
        case .alternatives(let parts): try emit(alternatives: parts)
        case .assertion(let assertion):
            switch assertion {
            case .wordBoundary, .noWordBoundary: readsWords = true
            case .start: readsStart = true
            case .end: break
            }
            try append(.assertion(assertion))
        case .repeated(let part, let minimum, let maximum):
            // A part without instructions can be repeated any number of times at once.
            let start = instructions.count
            for _ in 0..<minimum {
                try emit(part)
                if instructions.count == start { return }
            }
            try emit(part, upTo: maximum.map { $0 - minimum })
        }
    }

    private mutating func emit(alternatives parts: [PatternNode]) throws(PatternError) {
        var jumps: [Int] = []
        for part in parts.dropLast() {
            let split = instructions.count
            try append(.split(split + 1, 0))
            try emit(part)
            jumps.append(instructions.count)
            try append(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        if let last = parts.last { try emit(last) }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    /// Emits any number of repetitions, or at most a number of them.
    private mutating func emit(
        _ part: PatternNode, upTo maximum: Int?
    ) throws(PatternError) {
        guard let maximum else {
            let split = instructions.count
            try append(.split(split + 1, 0))
            try emit(part)
            try append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return
        }
        var splits: [Int] = []
        for _ in 0..<maximum {
            splits.append(instructions.count)
            try append(.split(instructions.count + 1, 0))
            try emit(part)
            // A part without instructions is the same once and often.
            if instructions.count == (splits.last ?? 0) + 1 { break }
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }
}

/// The states of an automaton between two code points, before conditions are tested.
struct PatternStates: Sendable {
    /// The states in the order of their arrival.
    private(set) var list: [Int] = []
    private var marks: [Bool]

    init(_ program: PatternProgram) {
        marks = Array(repeating: false, count: program.instructions.count)
    }

    mutating func insert(_ state: Int) {
        guard !marks[state] else { return }
        marks[state] = true
        list.append(state)
    }

    mutating func removeAll() {
        for state in list { marks[state] = false }
        list.removeAll(keepingCapacity: true)
    }
}

extension PatternProgram {
    /// Follows the instructions that do not read, and adds the states that they lead to.
    ///
    /// - Returns: A Boolean value that indicates whether the pattern has matched.
    /// - Complexity: O(instructions).
    func follow(
        _ states: inout PatternStates, between previous: PatternNeighbour,
        and next: PatternNeighbour
    ) -> Bool {
        var index = 0
        while index < states.list.count {
            let state = states.list[index]
            switch instructions[state] {
            case .set: break
            case .jump(let target): states.insert(target)
            case .split(let one, let other):
                states.insert(one)
                states.insert(other)
            case .assertion(let assertion):
                if assertion.holds(between: previous, and: next) { states.insert(state + 1) }
            case .match: return true
            }
            index += 1
        }
        return false
    }

    /// Adds to `results` the states after a code point, of all states that were followed.
    func step(
        _ states: PatternStates, to results: inout PatternStates,
        reading isRead: (CodePointSet, Int) -> Bool
    ) {
        for state in states.list {
            if case .set(let index) = instructions[state], isRead(sets[index], index) {
                results.insert(state + 1)
            }
        }
    }
}
