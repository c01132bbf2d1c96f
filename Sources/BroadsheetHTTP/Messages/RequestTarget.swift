/// What a request is for (RFC 9112 §3.2), split but not decoded.
package struct RequestTarget: Sendable, Hashable {
    /// The forms of a target that an origin server meets.
    package enum Form: Sendable, Hashable {
        /// `/path?query`.
        case origin
        /// `http://host/path?query`; its host counts, the Host field's does not.
        case absolute
        /// `*`, the server as a whole: OPTIONS alone.
        case asterisk
    }

    /// Which form it was sent in.
    package let form: Form
    /// The path, percent-escapes untouched, starting with `/`; `*` in asterisk-form.
    package let path: String
    /// What follows the first `?`, percent-escapes untouched; `nil` when there is no `?`.
    package let query: String?
    /// `host[:port]` of an absolute-form target.
    package let authority: String?

    init(form: Form, path: String, query: String?, authority: String?) {
        self.form = form
        self.path = path
        self.query = query
        self.authority = authority
    }

    /// A target in origin-form or absolute-form, or `*`; `nil` when `text` is none of them.
    package init?(_ text: String) {
        guard let target = Self(text.utf8.span, method: text == "*" ? .options : .get) else {
            return nil
        }
        self = target
    }
}
