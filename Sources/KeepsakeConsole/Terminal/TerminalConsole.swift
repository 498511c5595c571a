#if Console
import KeepsakeSettings

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The console in a terminal: changes as they come, and a line for each thing to be done.
struct TerminalConsole: Sendable {
  let model: ConsoleModel
  /// Writes a line.
  let write: @Sendable (String) -> Void

  static let help = """
    list [WORDS]        everything, or what has the words in it
    set NAME VALUE      changes a setting, or overrides a configuration key
    remove NAME         removes a setting or an override
    undo                takes back the last change that was made here
    show NAME           a value in full, a document's text, or what each layer of the configuration says
    recover NAME        recovers a quarantined document
    """

  /// Writes changes until the task is cancelled.
  func watch() async {
    var view = ConsoleView()
    _ = view.show(model.rows())
    while !Task.isCancelled {
      try? await Task.sleep(for: ConsoleView.interval)
      let difference = view.show(model.rows())
      for (row, old) in difference.changed where row.text != old?.text || row.digest != old?.digest
      {
        let was = old.map { " (was \"\($0.text)\")" } ?? ""
        write("\(Self.time) \(Self.name(row)) = \"\(row.text)\"\(was)")
      }
      for row in difference.removed { write("\(Self.time) \(Self.name(row)) removed") }
    }
  }

  /// Does what a line says.
  func perform(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    do throws(ConsoleRefusal) {
      switch (words.first, words.count) {
      case (nil, _): return
      case ("list", _): list(words.dropFirst().joined(separator: " "))
      case ("set", 3): try perform(.set, words[1], text: words[2])
      case ("remove", 2): try perform(.remove, words[1])
      case ("undo", 1): try model.perform(ConsoleRequest(action: .undo))
      case ("show", 2): show(try id(of: words[1]))
      case ("recover", 2): try perform(.recover, words[1])
      default: write(Self.help)
      }
    } catch {
      write("! \(error.message)")
    }
  }

  private func show(_ id: String) {
    write(model.detail(of: id)?.text ?? "There are no more details.")
  }

  private func perform(
    _ action: ConsoleRequest.Action, _ name: String, text: String? = nil
  ) throws(ConsoleRefusal) {
    try model.perform(ConsoleRequest(action: action, id: try id(of: name), text: text))
  }

  /// The row of a name, or of a part of its identity that no other has.
  private func id(of name: String) throws(ConsoleRefusal) -> String {
    let rows = model.rows()
    let same = rows.filter { $0.name == name || $0.id == name }
    let found = same.isEmpty ? rows.filter { $0.id.contains(name) } : same
    guard let first = found.first else { throw ConsoleRefusal("Nothing is called '\(name)'.") }
    guard found.count == 1 else {
      throw ConsoleRefusal(
        "Several are called '\(name)': " + found.map(\.id).joined(separator: ", "))
    }
    return first.id
  }

  private func list(_ words: String) {
    for row in model.rows()
    where words.isEmpty || "\(row.id) \(row.text)".lowercased().contains(words.lowercased()) {
      let words = [
        row.kind, row.layer.map { "from \($0)" }, row.isToBeSent ? "not sent" : nil,
      ]
      var line = "\(Self.name(row)) = \"\(row.text)\""
      let remarks = words.compactMap { $0 }
      if !remarks.isEmpty { line += "  (\(remarks.joined(separator: ", ")))" }
      if let problem = row.problem { line += "  ! \(problem)" }
      write(line)
    }
  }

  private static func name(_ row: ConsoleRow) -> String {
    SettingText.quoted(row.id).filter { $0 != "\"" }
  }

  private static var time: String {
    let date = Date.ISO8601FormatStyle(timeZone: .current).format(Date())
    return String(date.dropFirst(11).prefix(8))
  }
}
#endif
