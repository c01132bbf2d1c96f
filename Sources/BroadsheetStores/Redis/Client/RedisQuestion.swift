internal import BroadsheetIO

/// Commands that are sent in one go, and what to call with their answers, exactly once.
struct RedisQuestion: Sendable {
    /// The commands as they go over the wire.
    var bytes: [UInt8]
    /// How many answers are to come.
    var answerCount: Int
    /// Until when they are of use.
    var deadline: MonotonicInstant
    /// Takes the answers, in the order of the commands.
    var finish: Finish

    /// What a question is finished by.
    typealias Finish = @Sendable (Result<[RESPValue], StoreError>) -> Void
}

/// The questions of one connection, in the order in which they were asked: those that wait for it to
/// stand, and those whose answers it owes.
///
/// Bounded in questions and in the bytes of those that wait. Finishes none itself: who is answered may
/// ask the next thing at once.
struct RedisQuestions {
    private struct Asked {
        var answers: [RESPValue] = []
        var missing: Int
        var deadline: MonotonicInstant
        let finish: RedisQuestion.Finish

        init(_ question: RedisQuestion) {
            missing = question.answerCount
            deadline = question.deadline
            finish = question.finish
        }
    }

    /// The most questions that may be unanswered.
    static let maxCount = 10_000
    /// The most bytes of questions that wait for a connection; a lone one may have more.
    static let maxWaitingBytes = 64 * 1024 * 1024

    private var waiting = FIFO<RedisQuestion>()
    private var waitingBytes = 0
    private var asked = FIFO<Asked>()
    /// The oldest question, some of whose answers have come.
    private var current: Asked?

    /// How many are unanswered.
    var count: Int { waiting.count + asked.count + (current == nil ? 0 : 1) }
    /// When the oldest answer is due; nil when none is owed.
    var answerDeadline: MonotonicInstant? { current?.deadline ?? asked.first?.deadline }
    /// When the oldest question of all is overdue; nil when there is none.
    ///
    /// All are given the same time, so those that are asked are older than those that wait.
    var nextDeadline: MonotonicInstant? { answerDeadline ?? waiting.first?.deadline }

    /// Whether one more of `bytes` may be taken in, to be sent at once or to wait.
    func hasRoom(forBytes bytes: Int, waiting mustWait: Bool) -> Bool {
        guard count < Self.maxCount else { return false }
        return !mustWait || waiting.isEmpty || bytes <= Self.maxWaitingBytes - waitingBytes
    }

    /// Keeps a question until there is a connection.
    mutating func keep(_ question: RedisQuestion) {
        waiting.append(question)
        waitingBytes += question.bytes.count
    }

    /// Counts a question as asked; its bytes are the caller's to send.
    mutating func ask(_ question: RedisQuestion) { asked.append(Asked(question)) }

    /// Counts all that wait as asked, and answers their bytes.
    mutating func askAll() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(waitingBytes)
        for question in waiting.removeAll() {
            bytes += question.bytes
            ask(question)
        }
        waitingBytes = 0
        return bytes
    }

    /// What an answer came to.
    enum Taken {
        /// Nobody has asked.
        case unasked
        /// More answers are to come.
        case part
        /// The question is answered, and to be finished with these.
        case whole([RESPValue], RedisQuestion.Finish)
    }

    /// Takes the next answer.
    mutating func take(_ answer: RESPValue) -> Taken {
        guard var question = current ?? asked.popFirst() else { return .unasked }
        current = nil
        question.answers.append(answer)
        question.missing -= 1
        if question.missing == 0 { return .whole(question.answers, question.finish) }
        current = question
        return .part
    }

    /// Takes out those that still wait and are of no use any more at `now`; they are to be finished.
    mutating func removeWaiting(overdueAt now: MonotonicInstant) -> [RedisQuestion.Finish] {
        var removed: [RedisQuestion.Finish] = []
        while let first = waiting.first, first.deadline <= now, let question = waiting.popFirst() {
            waitingBytes -= question.bytes.count
            removed.append(question.finish)
        }
        return removed
    }

    /// Takes out all; they are to be finished.
    mutating func removeAll() -> [RedisQuestion.Finish] {
        defer { self = RedisQuestions() }
        return (current.map { [$0.finish] } ?? []) + asked.removeAll().map(\.finish)
            + waiting.removeAll().map(\.finish)
    }
}
