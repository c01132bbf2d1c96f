import BroadsheetIO
import Synchronization
import Testing

@testable import BroadsheetStores

@Suite("Questions to a Redis server")
struct RedisQuestionsTests {
    /// What questions were finished with, in order.
    final class Outcomes: Sendable {
        let told = Mutex<[String]>([])

        func question(_ name: String, bytes: Int = 1, answers: Int = 1) -> RedisQuestion {
            RedisQuestion(
                bytes: [UInt8](repeating: 1, count: bytes), answerCount: answers,
                deadline: MonotonicInstant(nanoseconds: Int64(name.count))
            ) { result in
                let text = (try? result.get()).map { $0.compactMap(\.text).joined(separator: "+") }
                self.told.withLock { $0.append("\(name): \(text ?? "failed")") }
            }
        }

        /// Takes an answer, finishes the question if it is the last, and says whether one had asked.
        func take(_ answer: RESPValue, _ questions: inout RedisQuestions) -> Bool {
            switch questions.take(answer) {
            case .unasked: return false
            case .part: return true
            case .whole(let answers, let finish):
                finish(.success(answers))
                return true
            }
        }

        var all: [String] { told.withLock { $0 } }
    }

    @Test("get their answers in order, as many as each asked for")
    func order() {
        let outcomes = Outcomes()
        var questions = RedisQuestions()
        questions.ask(outcomes.question("a"))
        questions.ask(outcomes.question("b", answers: 3))
        questions.ask(outcomes.question("c"))
        for answer in ["1", "2", "3", "4", "5"] {
            #expect(questions.count > 0)
            #expect(outcomes.take(.simple(answer), &questions))
        }
        #expect(outcomes.all == ["a: 1", "b: 2+3+4", "c: 5"])
        #expect(questions.count == 0)
        #expect(!outcomes.take(.simple("6"), &questions))
    }

    @Test("that wait are sent together, and fail together with those half answered")
    func waiting() {
        let outcomes = Outcomes()
        var questions = RedisQuestions()
        questions.keep(outcomes.question("a", bytes: 2, answers: 2))
        questions.keep(outcomes.question("b", bytes: 3))
        #expect(questions.answerDeadline == nil)
        #expect(questions.nextDeadline == MonotonicInstant(nanoseconds: 1))
        let sent = questions.askAll()
        #expect(sent.count == 5)
        #expect(questions.answerDeadline == MonotonicInstant(nanoseconds: 1))
        #expect(outcomes.take(.simple("1"), &questions))
        questions.keep(outcomes.question("c"))
        #expect(questions.count == 3)
        for finish in questions.removeAll() { finish(.failure(.unavailable("gone"))) }
        #expect(outcomes.all == ["a: failed", "b: failed", "c: failed"])
        #expect(questions.count == 0)
    }

    @Test("that wait fail each at its own deadline, and make room for others")
    func overdue() {
        let outcomes = Outcomes()
        var questions = RedisQuestions()
        let large = RedisQuestions.maxWaitingBytes
        for (name, bytes) in [("a", 1), ("bb", large - 1), ("ccc", 0)] {
            questions.keep(outcomes.question(name, bytes: bytes))
        }
        #expect(!questions.hasRoom(forBytes: 1, waiting: true))
        let overdue = questions.removeWaiting(overdueAt: MonotonicInstant(nanoseconds: 2))
        for finish in overdue { finish(.failure(.unavailable("too late"))) }
        #expect(outcomes.all == ["a: failed", "bb: failed"])
        #expect(questions.nextDeadline == MonotonicInstant(nanoseconds: 3))
        #expect(questions.hasRoom(forBytes: large, waiting: true))
        #expect(questions.count == 1)
    }

    @Test("are refused beyond their limits in number and, while they wait, in bytes")
    func limits() {
        let outcomes = Outcomes()
        var questions = RedisQuestions()
        let large = RedisQuestions.maxWaitingBytes - 10
        #expect(questions.hasRoom(forBytes: .max, waiting: true))
        questions.keep(outcomes.question("a", bytes: large))
        #expect(questions.hasRoom(forBytes: 10, waiting: true))
        #expect(!questions.hasRoom(forBytes: 11, waiting: true))
        #expect(questions.hasRoom(forBytes: .max, waiting: false))
        let sent = questions.askAll()
        #expect(sent.count == large)
        #expect(questions.hasRoom(forBytes: 11, waiting: true))
        for _ in 1..<RedisQuestions.maxCount { questions.ask(outcomes.question("b")) }
        #expect(!questions.hasRoom(forBytes: 1, waiting: false))
        #expect(outcomes.take(.null, &questions))
        #expect(questions.hasRoom(forBytes: 1, waiting: false))
    }
}
