import CPlatform
import Engine
import Glibc
import Router
import Testing

@Suite("The thread of files")
struct FileThreadTests {
  @Test("While the disk keeps it at one thing, since when can be seen, and then no longer")
  func busy() throws {
    let files = try FileThread()
    guard let thread = EngineThread(name: "files", body: { files.run() }) else {
      Issue.record("no thread")
      return
    }
    #expect(files.busySince == nil)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let before = crosspoint_monotonic_ns()
    for number in 1...2 {
      // As long as nobody writes, this is a disk that does not answer.
      let end = ends[0]
      files.submit {
        var byte: UInt8 = 0
        return read(end, &byte, 1) == 1 ? .recorded(number, lost: 0, reason: nil) : .saved
      }
    }
    let first = try #require(files.busySince)
    #expect(first >= before && first <= crosspoint_monotonic_ns())
    for number in 1...2 {
      let written = crosspoint_monotonic_ns()
      #expect(write(ends[1], "x", 1) == 1)
      var ready = pollfd(fd: files.reportDescriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&ready, 1, 10_000) == 1)
      guard case .recorded(number, lost: 0, reason: nil)? = files.takeReports().first else {
        Issue.record("no report of job \(number)")
        continue
      }
      // The second one has waited since it could begin, and not since the first one did.
      if number == 1 { #expect(try #require(files.busySince) >= written) }
    }
    #expect(files.busySince == nil)
    files.end()
    let hasEnded = thread.join(milliseconds: 10_000)
    #expect(hasEnded)
  }
}
