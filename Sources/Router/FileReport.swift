import Control

/// What the thread of files has done, for the control thread.
package enum FileReport: Sendable {
  /// The state is on the disk.
  case saved
  /// The state is not on the disk, and why.
  case notSaved(String)
  /// Of so many changes that were to be recorded all but `lost` are in their file, and why not all.
  case recorded(Int, lost: Int, reason: String?)
  /// The configuration was read again and is sound.
  case configuration(RunOptions)
  /// The configuration was read again and has a mistake: a sentence.
  case noConfiguration(String)
}
