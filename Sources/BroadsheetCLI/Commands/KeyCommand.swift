import BroadsheetIO
import BroadsheetService

extension Command {
    static let key = Command(
        name: "key", summary: "Makes keys of clients and of issuers for the daemon, and tokens",
        usage: [
            "key new NAME [OPTION ...]", "key issuer NAME --screens PATTERNS [OPTION ...]",
            "key token --issuer FILE [OPTION ...]",
        ],
        discussion: """
            'new' prints two lines: 'secret: ' and the secret of the key, which is not kept
            anywhere, and 'line: ' and the line to add to the file of 'broadsheet serve --keys',
            which has only the SHA-256 of the secret. Then send SIGHUP to the daemon. A client
            sends 'Authorization: Bearer SECRET'. No scope includes another one:
              read    reading screens, and laying out pages
              write   storing, editing and removing pages and screens
              events  posting what clients report
              admin   the list of all screens, the catalog, and the metrics

            'issuer' prints 'secret: ' and the private key of a backend that signs a token (JWT)
            for each reader, as a JWK, and 'line: ' and the line of the issuer for the same file;
            that of HS256 has the secret. {sub} in the patterns is the reader of the token.

            'token' prints a token that the key in FILE signs, which is the output of 'issuer'; '-'
            is standard input.
            """,
        settings: KeyConfiguration.settings,
        run: { call async throws(CommandError) in
            let configuration = try call.configuration()
            switch call.operands.first {
            case "new" where call.operands.count == 2:
                try call.refuseOptions(besides: ["scopes", "screens", "expires"])
                try call.printKey(configuration)
            case "issuer" where call.operands.count == 2:
                try call.refuseOptions(
                    besides: [
                        "scopes", "screens", "expires", "algorithm", "audience", "lifetime",
                        "catalogs", "flags",
                    ])
                try call.printIssuer(configuration)
            case "token" where call.operands.count == 1:
                try call.refuseOptions(
                    besides: ["issuer", "sub", "screen", "scopes", "audience", "expires"])
                try call.printToken(configuration)
            default:
                throw .usage("'new' or 'issuer' and a name, or 'token', is needed")
            }
            return .success
        })
}

private struct KeyConfiguration: Configurable {
    static let defaults = KeyConfiguration()

    /// The rights; `nil` for the default of the subcommand.
    var scopes: [AccessScope]?
    /// The patterns of screens as they were typed.
    var screens: String?
    /// The end of the key or the token; `nil` for the default of the subcommand.
    var end: KeyEnd?
    var algorithm = TokenAlgorithm.edDSA
    var audience: String?
    var lifetime: Int?
    var catalogs: String?
    var flags: String?
    /// The file with the output of `key issuer`.
    var issuer: String?
    /// The reader of a token.
    var subject: String?
    /// The patterns of screens of a token, separated by commas.
    var tokenScreens: String?

    static let settings = [
        SettingGroup<KeyConfiguration>(
            "Keys, issuers and tokens",
            [
                Setting(
                    "scopes", .scopes, \.scopes, default: "read; of a token those of its issuer",
                    "the rights"),
                Setting(
                    "expires", .end, \.end, default: "never; of a token 5m",
                    "the end of the key or the token"),
            ]),
        SettingGroup<KeyConfiguration>(
            "Keys and issuers",
            [
                Setting(
                    "screens", .screenPatterns, \.screens, default: "* for a key",
                    "the screens that the rights concern")
            ]),
        SettingGroup<KeyConfiguration>(
            "Issuers and tokens",
            [
                Setting(
                    "audience", .audience, \.audience,
                    default: "none; of a token that of its issuer", "the audience of tokens")
            ]),
        SettingGroup<KeyConfiguration>(
            "Issuers",
            [
                Setting(
                    "algorithm", .choice("ALGORITHM"), \.algorithm, "the algorithm of signatures"),
                Setting(
                    "lifetime", .lifetime, \.lifetime, default: "3600 seconds",
                    "the longest time from the beginning to the end of a token"),
                Setting(
                    "catalogs", .list("NAMES"), \.catalogs, default: "all",
                    "the catalogs that readers may name; default is that without a name"),
                Setting(
                    "flags", .list("NAMES"), \.flags, default: "all",
                    "the flags that readers may name"),
            ]),
        SettingGroup<KeyConfiguration>(
            "Tokens",
            [
                Setting("issuer", .file, \.issuer, "the output of 'key issuer'"),
                Setting("sub", .subject, \.subject, "the reader"),
                Setting(
                    "screen", .tokenScreens, \.tokenScreens, default: "all of the issuer",
                    "a screen that the token is for; may be repeated"
                ).repeatable(),
            ]),
    ]
}

/// The end of a key, or that of a token.
private enum KeyEnd: Sendable {
    case at(KeyExpiry)
    /// A number of seconds after the signature.
    case after(Int)

    init?(_ text: String) {
        if let expiry = KeyExpiry(text) {
            self = .at(expiry)
            return
        }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), 1...6 ~= digits.count,
            digits.allSatisfy({ "0"..."9" ~= $0 }), let count = Int(digits), count > 0
        else { return nil }
        self = .after(count * unit)
    }
}

extension CommandCall<KeyConfiguration> {
    fileprivate func refuseOptions(besides own: Set<String>) throws(CommandError) {
        guard let other = givenOptions.subtracting(own).min() else { return }
        throw .usage("'key \(operands[0])' takes no --\(other)")
    }

    private func newName() throws(CommandError) -> String {
        guard AccessKey.isName(operands[1]) else {
            throw .usage(
                "'\(operands[1])' is not a name of 1 to \(AccessKey.maxNameLength) of "
                    + "A-Z a-z 0-9 . _ -")
        }
        return operands[1]
    }

    private func expiry(_ configuration: KeyConfiguration) throws(CommandError) -> KeyExpiry {
        switch configuration.end {
        case nil: return .never
        case .at(let expiry): return expiry
        case .after: throw .usage("--expires of a key is a time, or never")
        }
    }

    /// Prints the secret and the line of a new key.
    fileprivate func printKey(_ configuration: KeyConfiguration) throws(CommandError) {
        let name = try newName()
        let expiry = try expiry(configuration)
        guard let screens = ScreenPatterns(configuration.screens ?? ScreenPatterns.all.text) else {
            throw .usage("--screens: {sub} is for issuers")
        }
        guard let secret = KeySecret.random() else { throw .noRandomNumbers }
        let key = AccessKey(
            name: name, scopes: configuration.scopes ?? [.read], screens: screens, expiry: expiry,
            digest: SecretDigest(of: secret.utf8))
        guard let key else { throw .usage("a key needs a name and a scope") }
        try console.print("secret: \(secret)\nline: \(key.line)\n")
    }

    /// Prints the private key and the line of a new issuer.
    fileprivate func printIssuer(_ configuration: KeyConfiguration) throws(CommandError) {
        let name = try newName()
        let expiry = try expiry(configuration)
        guard let screens = configuration.screens else {
            throw .usage("--screens is needed, such as 'home,user-{sub}-*'")
        }
        let scopes = (configuration.scopes ?? [.read]).map(\.rawValue).joined(separator: ",")
        guard let signer = TokenSigner.random(configuration.algorithm) else {
            throw .input(["broadsheet: OpenSSL 3's libcrypto is missing: apt install libssl3"])
        }
        var words = [name, scopes, screens, expiry.text, signer.lineKey]
        if let audience = configuration.audience { words.append("audience=\(audience)") }
        if let lifetime = configuration.lifetime { words.append("lifetime=\(lifetime)") }
        if let catalogs = configuration.catalogs { words.append("catalogs=\(catalogs)") }
        if let flags = configuration.flags { words.append("flags=\(flags)") }
        let line = try Self.issuer(words.joined(separator: " ")) { .usage($0) }
        try console.print("secret: \(signer.jwk)\nline: \(line.line)\n")
    }

    private static func issuer(
        _ text: String, _ invalid: (String) -> CommandError
    ) throws(CommandError) -> IssuerLine {
        do throws(KeyFileError) {
            if let line = try KeyRing(Array(text.utf8)).issuers.first { return line }
        } catch {
            throw invalid(error.violations.map(\.detail).joined(separator: "; "))
        }
        throw invalid("the line is not that of an issuer")
    }

    fileprivate func printToken(_ configuration: KeyConfiguration) throws(CommandError) {
        guard let path = configuration.issuer else {
            throw .usage("--issuer is needed: a file with the output of 'key issuer'")
        }
        let (signer, line) = try issuer(path)
        let seconds: Int
        switch configuration.end {
        case nil: seconds = Self.tokenSeconds
        case .after(let count): seconds = count
        case .at: throw .usage("--expires of a token is a duration such as 30s, 5m, 1h or 1d")
        }
        guard seconds <= line.options.lifetime else {
            throw .usage("--expires: the issuer's tokens last \(line.options.lifetime) seconds")
        }
        let now = TimeSource.system.unixSeconds
        var claims = TokenClaims(issuer: line.name, issuedAt: now, expiry: now + Int64(seconds))
        claims.subject = configuration.subject
        claims.audience = configuration.audience ?? line.options.audience
        claims.screens = configuration.tokenScreens?.split(separator: ",").map(String.init) ?? []
        claims.scopes = configuration.scopes ?? []
        guard claims.screens.count <= TokenClaims.maxScreens else {
            throw .usage("--screen: a token is for at most \(TokenClaims.maxScreens) screens")
        }
        guard let token = signer.token(claims) else {
            throw .input(["broadsheet: the token cannot be signed"])
        }
        try console.print(token + "\n")
    }

    /// The time for which a token is valid by default, in seconds.
    private static var tokenSeconds: Int { 300 }

    /// Reads the output of `key issuer`.
    private func issuer(_ path: String) throws(CommandError) -> (TokenSigner, IssuerLine) {
        let text = String(decoding: try console.contents(of: path, for: "--issuer"), as: UTF8.self)
        func value(_ name: String) -> String? {
            text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name): ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
        guard let line = value("line"), let signer = value("secret").flatMap(TokenSigner.init(jwk:))
        else { throw .input(["\(path): it is not the output of 'key issuer'"]) }
        let issuer = try Self.issuer(line) { .input(["\(path): \($0)"]) }
        guard signer.signs(for: issuer) else {
            throw .input(["\(path): the secret is not that of the line"])
        }
        return (signer, issuer)
    }
}

extension CommandError {
    fileprivate static var noRandomNumbers: CommandError {
        .input(["broadsheet: the system has no random numbers"])
    }
}

extension SettingValues<[AccessScope]?> {
    /// Rights separated by commas.
    fileprivate static var scopes: SettingValues {
        let all = AccessScope.allCases.map(\.rawValue).joined(separator: ",")
        return SettingValues<String>.text("SCOPES", "some of \(all)")
            .map({ AccessKey.scopes($0).map { .some($0) } }, describe: { _ in nil })
    }
}

extension SettingValues<KeyEnd?> {
    /// A time, `never`, or a duration.
    fileprivate static var end: SettingValues {
        SettingValues<String>.text(
            "TIME",
            "never, or a time such as 2030-01-31T00:00:00Z; of a token a duration such as 30s, 5m, "
                + "1h or 1d"
        ).map({ KeyEnd($0).map { .some($0) } }, describe: { _ in nil })
    }
}

extension SettingValues<Int?> {
    fileprivate static var lifetime: SettingValues {
        SettingValues<Int>.count(IssuerOptions.lifetimes, "SECONDS", unit: "seconds").optional
    }
}

extension SettingValues<String?> {
    /// Patterns of screens separated by commas.
    fileprivate static var screenPatterns: SettingValues {
        SettingValues<String>.text(
            "PATTERNS",
            "a comma-separated list of names such as checkout, home-* or *, of an issuer also "
                + "user-{sub}-*"
        ).accepting { ReaderPatterns.areValid($0) }
    }

    fileprivate static var tokenScreens: SettingValues {
        SettingValues<String>.text("SCREEN", "a name such as checkout, or home-*")
            .accepting { ScreenPatterns($0) != nil }
    }

    fileprivate static var audience: SettingValues {
        SettingValues<String>.text(
            "TEXT", "1 to \(IssuerOptions.maxAudienceLength) printable ASCII characters"
        ).accepting(IssuerOptions.isAudience)
    }

    fileprivate static var subject: SettingValues {
        SettingValues<String>.text(
            "SUB", "a text of 1 to \(TokenClaims.maxSubjectLength) bytes"
        ).accepting { $0.utf8.count <= TokenClaims.maxSubjectLength }
    }

    fileprivate static func list(_ placeholder: String) -> SettingValues {
        SettingValues<String>.text(placeholder, "names separated by commas")
            .accepting { _ in true }
    }
}

extension SettingValues<String> {
    fileprivate func accepting(
        _ isAccepted: @escaping @Sendable (String) -> Bool
    ) -> SettingValues<String?> {
        map({ isAccepted($0) ? .some($0) : nil }, describe: { _ in nil })
    }
}
