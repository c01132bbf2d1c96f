import BroadsheetIO
import BroadsheetService

extension Command {
    static let key = Command(
        name: "key", summary: "Makes a key of a client for the daemon",
        usage: ["key new NAME [OPTION ...]"],
        discussion: """
            Prints two lines: 'secret: ' and the secret of the key, which is not kept anywhere,
            and 'line: ' and the line to add to the file of 'broadsheet serve --keys', which has
            only the SHA-256 of the secret. Then send SIGHUP to the daemon. A client sends
            'Authorization: Bearer SECRET'. No scope includes another one:
              read    reading screens, and laying out pages
              write   storing, editing and removing pages and screens
              events  posting what clients report
              admin   the list of all screens, the catalog, and the metrics
            """,
        settings: KeyConfiguration.settings,
        run: { call async throws(CommandError) in
            let name = try call.nameOfNewKey()
            let configuration = try call.configuration()
            guard let secret = KeySecret.random() else {
                throw .input(["broadsheet: the system has no random numbers"])
            }
            let key = AccessKey(
                name: name, scopes: configuration.scopes, screens: configuration.screens,
                expiry: configuration.expiry, digest: SecretDigest(of: secret.utf8))
            guard let key else { throw .usage("a key needs a name and a scope") }
            try call.console.print("secret: \(secret)\nline: \(key.line)\n")
            return .success
        })
}

private struct KeyConfiguration: Configurable {
    static let defaults = KeyConfiguration()

    var scopes: [AccessScope] = [.read]
    /// The screens that the rights concern.
    var screens = ScreenPatterns.all
    var expiry = KeyExpiry.never

    static let settings = [
        SettingGroup<KeyConfiguration>(
            "The key",
            [
                Setting("scopes", .scopes, \.scopes, "the rights of the key"),
                Setting(
                    "screens", .screenPatterns, \.screens,
                    "the screens that the key may read and write"),
                Setting("expires", .expiry, \.expiry, "the end of the key"),
            ])
    ]
}

extension CommandCall<KeyConfiguration> {
    /// Returns the name in `new NAME`.
    ///
    /// - Throws: `CommandError.usage` for other operands, and for a name that a key cannot have.
    fileprivate func nameOfNewKey() throws(CommandError) -> String {
        guard operands.count == 2, operands[0] == "new" else {
            throw .usage("'new' and the name of the key are needed")
        }
        guard AccessKey.isName(operands[1]) else {
            throw .usage(
                "'\(operands[1])' is not a name of 1 to \(AccessKey.maxNameLength) of "
                    + "A-Z a-z 0-9 . _ -")
        }
        return operands[1]
    }
}

extension SettingValues<[AccessScope]> {
    /// Rights separated by commas.
    fileprivate static var scopes: SettingValues {
        let all = AccessScope.allCases.map(\.rawValue).joined(separator: ",")
        return SettingValues<String>.text("SCOPES", "some of \(all)")
            .map(AccessKey.scopes, describe: { $0.map(\.rawValue).joined(separator: ",") })
    }
}

extension SettingValues<ScreenPatterns> {
    /// Patterns of screens separated by commas.
    fileprivate static var screenPatterns: SettingValues {
        SettingValues<String>.text(
            "PATTERNS", "a comma-separated list of names such as checkout, home-* or *"
        ).map({ ScreenPatterns($0) }, describe: { $0.text })
    }
}

extension SettingValues<KeyExpiry> {
    /// A time, or `never`.
    fileprivate static var expiry: SettingValues {
        SettingValues<String>.text("TIME", "never, or a time such as 2030-01-31T00:00:00Z")
            .map({ KeyExpiry($0) }, describe: { $0.text })
    }
}
