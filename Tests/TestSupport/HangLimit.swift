/// The time limit, in minutes, of tests that could hang.
///
/// The time of a test begins when it is started, together with the others of its module: on a busy
/// machine most of it is not the test's own, so one generous limit holds for all.
package let hangMinutes = 10
