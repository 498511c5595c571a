import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeScenes
import KeepsakeSettings
import Synchronization

/// What an app keeps, as of now, and the edits made with the console.
final class ConsoleModel: Sendable {
  let app: String
  private let settings: SettingsStore
  private let scenes: SceneSessions?
  private let documents: ConsoleDocuments?
  private let edits = Mutex<[ConsoleEdit]>([])

  init(
    app: String, settings: SettingsStore, scenes: SceneSessions?, documents: ConsoleDocuments? = nil
  ) {
    self.app = app
    self.settings = settings
    self.scenes = scenes
    self.documents = documents
  }

  // MARK: Showing

  /// All rows, in the order in which they are shown.
  func rows() -> [ConsoleRow] { sources.flatMap { $0.rows() } + (documents?.rows() ?? []) }

  /// The whole text of a document, or `nil` where there is none.
  func text(of id: String) -> String? { documents?.text(of: id) }

  /// What undoing the last edit would do.
  var undoing: String { edits.withLock { $0.last?.undoing ?? "" } }

  private var sources: [ConsoleSource] {
    let windows = (scenes?.sessions ?? []).enumerated().map { number, session in
      ConsoleSource(
        id: "scene/\(session.id)", section: "Scenes",
        group: "Window \(number + 1), \(session.phase)", store: session.store)
    }
    return [ConsoleSource(id: "setting", section: "Settings", group: nil, store: settings)]
      + windows
  }

  // MARK: Changing

  /// Does what a page asks for.
  ///
  /// - Throws: ``ConsoleRefusal`` where it cannot be done; nothing was changed then.
  func perform(_ request: ConsoleRequest) throws(ConsoleRefusal) {
    switch request.action {
    case .undo: try undo()
    case .remove: try change(request.id) { _ in nil }
    case .recover: try recover(request.id)
    case .show: break
    case .set:
      try change(request.id) { (old) throws(ConsoleRefusal) in
        let type = request.type ?? old.map { SettingType(of: $0) } ?? .string
        let text = request.text ?? ""
        guard let new = type.value(of: text) else {
          throw ConsoleRefusal("‘\(text)’ is no \(type.name); nothing was changed.")
        }
        return new
      }
    }
  }

  private func change(
    _ id: String?, to new: (PropertyList.Value?) throws(ConsoleRefusal) -> PropertyList.Value?
  ) throws(ConsoleRefusal) {
    guard let id, let source = sources.first(where: { id.hasPrefix($0.id + "/") }) else {
      throw ConsoleRefusal("That is not there any more.")
    }
    let name = String(id.dropFirst(source.id.count + 1))
    let old = source.value(of: name)
    let edit = ConsoleEdit(source: source, name: name, old: old, new: try new(old))
    try set(edit.new, of: edit)
    edits.withLock { $0.append(edit) }
  }

  private func recover(_ id: String?) throws(ConsoleRefusal) {
    do throws(DocumentError) {
      if let id, try documents?.recover(id) == true { return }
    } catch {
      throw ConsoleRefusal("\(error)")
    }
    throw ConsoleRefusal("That is not there any more.")
  }

  private func undo() throws(ConsoleRefusal) {
    guard let edit = edits.withLock({ $0.last }) else {
      throw ConsoleRefusal("There is nothing to undo.")
    }
    // What somebody else made of it since is not the console's to undo.
    guard edit.source.value(of: edit.name) == edit.new else {
      _ = edits.withLock { $0.popLast() }
      throw ConsoleRefusal("‘\(edit.name)’ was changed since; it stays as it is.")
    }
    try set(edit.old, of: edit)
    _ = edits.withLock { $0.popLast() }
  }

  private func set(
    _ value: PropertyList.Value?, of edit: ConsoleEdit
  ) throws(ConsoleRefusal) {
    do throws(SettingsError) {
      try edit.source.set(value, for: edit.name)
    } catch {
      throw ConsoleRefusal("\(error)")
    }
  }
}

/// Why something that a page asked for was not done.
struct ConsoleRefusal: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
