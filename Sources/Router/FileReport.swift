import Control

/// What the thread of files has done, for the control thread.
enum FileReport: Sendable {
  /// The state is on the disk.
  case saved
  /// The state is not on the disk, and why.
  case notSaved(String)
  /// So many recorded changes are in their file.
  case recorded(Int)
  /// So many recorded changes are lost, and why.
  case notRecorded(Int, String)
  /// The configuration was read again and is sound.
  case configuration(RunOptions)
  /// The configuration was read again and has a mistake: a sentence.
  case noConfiguration(String)
}
