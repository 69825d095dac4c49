import Control
import Glibc
import Memory
import TestSupport
import Testing

@Suite("Saving, interrupted")
struct StateSavingCases {
  @Test("RT-06: kill -9 at any of 1,000 moments of saving leaves a whole state, and the one before")
  func killed() throws {
    // In memory, where it exists: a kill concerns the order of steps and not the disk's.
    let folder = TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    let path = folder.path + "/Main.json"
    var moments = SystemRandomNumberGenerator()
    var levels: Set<Double> = []
    for round in 0..<1_000 {
      let saver = RunningRouter.start([".build/release/state-saver", path])
      let microseconds = try #require(UInt32(saver.nextLine()))
      // Any moment of the next two saves or so.
      usleep(UInt32.random(in: 0..<2 * microseconds + 100, using: &moments))
      #expect(saver.stop(SIGKILL) == -SIGKILL)
      for name in ["Main.json", "Main.json.bak"] {
        let bytes = folder.read(name)
        if round == 0, bytes.isEmpty, name != "Main.json" { continue }
        let snapshot = try StateText.snapshot(bytes, file: name)
        let level = snapshot[0, 0].level
        #expect(snapshot.crosspoints.allSatisfy { $0.level == level })
        levels.insert(level)
      }
    }
    // It was killed at different places of its work.
    #expect(levels.count > 1)
  }
}
