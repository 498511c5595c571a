import KeepsakeBase
import SystemPackage

/// One question in a terminal, from its text to the answer.
struct TerminalQuestion {
  let input: FileDescriptor
  let output: FileDescriptor
  let cancellation: FileDescriptor
  let typedPath: TypedPath
  private static let prompt = "> "

  // MARK: With keys

  /// Asks until the user chooses a directory or none, in a terminal that gives each key.
  func ask(_ panel: DirectoryPanel) throws -> FilePath? {
    try write(
      "\(panel.message.printable)\n"
        + "In \(typedPath.base.string.printable). Tab completes; an empty line chooses none.\n")
    var previous = ""
    do {
      while let line = try editLine(previous: previous), !line.isEmpty {
        do {
          return try typedPath.directory(in: line)
        } catch {
          try write("\(error.description.printable)\n")
          previous = line
        }
      }
      return nil
    } catch is CancellationError {
      try write("\n")
      throw CancellationError()
    }
  }

  /// Edits a line until Enter is pressed.
  ///
  /// - Parameter previous: What the Up key brings back.
  /// - Returns: The line; `nil` if it was interrupted.
  private func editLine(previous: String) throws -> String? {
    var editor = LineEditor()
    var isCompleted = false
    while true {
      // What is pasted is drawn once.
      if try !hasBytes(withinMilliseconds: 0) { try draw(editor) }
      let key = try TerminalKey.read(readByte) {
        try hasBytes(withinMilliseconds: 50) ? readByte() : nil
      }
      switch key {
      case .enter:
        try draw(editor)
        try write("\n")
        return editor.text
      case .endOfFile where !editor.text.isEmpty: editor.edit(.delete)
      case .interrupt, .endOfFile, .closed:
        try write("\n")
        return nil
      case .up: editor = LineEditor(before: previous)
      case .tab:
        let completion = DirectoryCompletion(editor.before, in: typedPath)
        let isUnchanged = completion.text.utf8.elementsEqual(editor.before.utf8)
        editor.before = completion.text
        if isCompleted, isUnchanged {
          try draw(editor)
          try list(completion.names)
        }
      default: editor.edit(key)
      }
      isCompleted = key == .tab
    }
  }

  private func draw(_ editor: LineEditor) throws {
    let columns = TerminalSettings.columns(of: output) - Self.prompt.count
    let (text, cursor) = editor.visiblePart(columns: columns)
    try write("\r\(Self.prompt)\(text)\u{1B}[K\r\u{1B}[\(Self.prompt.count + cursor)C")
  }

  /// Shows what can be chosen between, in columns.
  private func list(_ names: [String]) throws {
    let limit = 100
    let shown = names.prefix(limit).map(\.printable)
    let width = (shown.map(\.columns).max() ?? 0) + 2
    let count = max(1, TerminalSettings.columns(of: output) / width)
    var text = "\n"
    for (index, name) in shown.enumerated() {
      let isLast = index % count == count - 1 || index == shown.count - 1
      text += isLast ? name + "\n" : name + String(repeating: " ", count: width - name.columns)
    }
    if names.count > limit { text += "and \(names.count - limit) more\n" }
    try write(text)
  }

  // MARK: Without keys

  /// Reads one line of a pipe or a file, and no byte after it.
  func readLine(after panel: DirectoryPanel) throws -> FilePath? {
    try write("\(panel.message.printable): ")
    var bytes: [UInt8] = []
    while let byte = try readByte(), byte != UInt8(ascii: "\n") {
      bytes.append(byte)
      if bytes.count > 1 << 16 { throw Errno.fileNameTooLong }
    }
    let line = String(decoding: bytes, as: UTF8.self)
    return line.allSatisfy(\.isWhitespace) ? nil : try typedPath.directory(in: line)
  }

  // MARK: Bytes

  private func readByte() throws -> UInt8? {
    _ = try waitForBytes(in: input.rawValue, orCancellation: cancellation)
    var byte: UInt8 = 0
    do {
      let count = try withUnsafeMutableBytes(of: &byte) { try input.read(into: $0) }
      return count == 0 ? nil : byte
    } catch Errno.ioError {
      // The terminal was closed.
      return nil
    }
  }

  private func hasBytes(withinMilliseconds milliseconds: Int32) throws -> Bool {
    try waitForBytes(
      in: input.rawValue, orCancellation: cancellation, milliseconds: milliseconds)
  }

  private func write(_ text: String) throws { try output.writeAll(text.utf8) }
}
