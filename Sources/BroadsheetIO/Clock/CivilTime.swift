import Glibc

/// A date and a time of day in UTC (proleptic Gregorian calendar).
package struct CivilTime: Hashable, Sendable {
    /// The year, as the calendar numbers it: 2026.
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1 to 31.
    package let day: Int
    /// The day of the week, from 0 (Sunday) to 6.
    package let weekday: Int
    /// The hour, from 0 to 23.
    package let hour: Int
    /// The minute, from 0 to 59.
    package let minute: Int
    /// The second, from 0 to 59.
    package let second: Int

    /// Creates the time that lies `unixSeconds` after 1970-01-01T00:00:00Z, or before it when the
    /// number is negative.
    package init(unixSeconds: Int64) {
        var seconds = time_t(unixSeconds)
        var parts = tm()
        // Fails for a year that does not fit into 32 bits; all parts are then zero.
        gmtime_r(&seconds, &parts)
        year = Int(parts.tm_year) + 1900
        month = Int(parts.tm_mon) + 1
        day = Int(parts.tm_mday)
        weekday = Int(parts.tm_wday)
        hour = Int(parts.tm_hour)
        minute = Int(parts.tm_min)
        second = Int(parts.tm_sec)
    }
}
