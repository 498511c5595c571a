import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// What the Tab key does: the names of directories that continue a path.
struct DirectoryCompletion {
  /// The text with what is certain to follow.
  let text: String
  /// The directories to choose between, in order; hidden ones only after a dot.
  let names: [String]

  /// Completes the last part of the path before the cursor.
  ///
  /// - Complexity: O(*n* log *n*) in the number of entries of the directory.
  init(_ text: String, in typedPath: TypedPath) {
    guard text != "~" else {
      (self.text, names) = ("~/", [])
      return
    }
    let prefix = text[(text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex)...]
    let parent = text[..<prefix.startIndex]
    names = Self.directories(in: typedPath.expand(parent))
      .filter { $0.hasPrefix(prefix) && ($0.first != "." || prefix.first == ".") }.sorted()
    guard let first = names.first else {
      self.text = text
      return
    }
    // In the directory's own bytes: what is typed may be equal to it in another Unicode form.
    let common = names.reduce(first) { $0.commonPrefix(with: $1) }
    self.text = parent + common + (names.count == 1 ? "/" : "")
  }

  /// The names of the directories in a directory, and of links to one; none if it cannot be read.
  private static func directories(in directory: FilePath) -> [String] {
    let disk = LocalFileSystem()
    var names: [String] = []
    try? disk.visitEntries(ofDirectory: directory) { name, type in
      switch Int32(type) {
      case Int32(DT_DIR): names.append(name)
      case Int32(DT_LNK), Int32(DT_UNKNOWN):
        // Only a directory has an entry of that name.
        let entry = try? disk.information(at: directory.appending(name).appending("."))
        if entry != nil { names.append(name) }
      default: break
      }
    }
    return names
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
