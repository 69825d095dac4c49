import Glibc
import Router
import TextLines

/// Files that exist for one test.
struct Files {
  var contents: [String: String] = [:]

  func read(_ path: String) throws(OptionError) -> [UInt8] {
    guard let text = contents[path] else {
      throw OptionError("\(path) cannot be read: No such file or directory.")
    }
    return Array(text.utf8)
  }
}

/// Reads a command line, one word an argument.
func command(_ arguments: String..., files: [String: String] = [:]) throws(OptionError) -> Command {
  try Command(arguments, readFile: Files(contents: files).read)
}

/// The sentence that a command line is refused with, or nothing when it is taken.
func refusal(_ arguments: String..., files: [String: String] = [:]) -> String? {
  do throws(OptionError) {
    _ = try Command(arguments, readFile: Files(contents: files).read)
    return nil
  } catch {
    return error.description
  }
}

/// The options of `run` with a configuration and some arguments.
func runOptions(_ arguments: [String], configuration: String = "") throws -> RunOptions {
  let files = Files(contents: ["c": configuration])
  let command = try Command(["run", "--config", "c"] + arguments, readFile: files.read)
  guard case .run(let options) = command else { throw OptionError("not run") }
  return options
}

/// The sentence that a configuration is refused with, or nothing when it is taken.
func configurationRefusal(_ text: String) -> String? {
  refusal("run", "--config", "show.conf", files: ["show.conf": text])
}

/// Takes a file away; says whether there was one.
func removeFile(_ path: String) -> Bool { unlink(path) == 0 }
