#if Console
import KeepsakeBase
import KeepsakeConfiguration
import KeepsakeDocuments
import KeepsakeScenes
import KeepsakeSettings

/// What an app keeps, as of now, and the edits made with the console.
final class ConsoleModel: Sendable {
  let app: String
  private let settings: SettingsStore
  private let configuration: EnvironmentConfiguration?
  private let scenes: SceneSessions?
  private let documents: ConsoleDocuments?
  private let edits = Mutex<[ConsoleEdit]>([])

  init(
    app: String, settings: SettingsStore, configuration: EnvironmentConfiguration? = nil,
    scenes: SceneSessions?, documents: ConsoleDocuments? = nil
  ) {
    self.configuration = configuration
    self.app = app
    self.settings = settings
    self.scenes = scenes
    self.documents = documents
  }

  // MARK: Showing

  /// All rows, in the order in which they are shown.
  func rows() -> [ConsoleRow] { sources.flatMap { $0.rows() } + (documents?.rows() ?? []) }

  /// What more there is of a row, or `nil` where there is nothing.
  func detail(of id: String) -> ConsoleDetail? {
    if let (source, name) = source(of: id) { return source.detail(of: name) }
    return documents?.text(of: id).map { ConsoleDetail($0) }
  }

  /// What undoing the last edit would do.
  var undoing: String { edits.withLock { $0.last?.undoing ?? "" } }

  private var sources: [any ConsoleSource] {
    var sources: [any ConsoleSource] = [
      SettingsSource(id: "setting", section: "Settings", group: nil, store: settings)
    ]
    if let configuration { sources.append(ConfigurationSource(configuration: configuration)) }
    return sources
      + (scenes?.sessions ?? []).enumerated().map { number, session in
        SettingsSource(
          id: "scene/\(session.id)", section: "Scenes",
          group: "Window \(number + 1), \(session.phase)", store: session.store)
      }
  }

  // MARK: Changing

  /// Does what a page asks for.
  ///
  /// - Throws: ``ConsoleRefusal`` where it cannot be done; nothing was changed then.
  func perform(_ request: ConsoleRequest) throws(ConsoleRefusal) {
    switch request.action {
    case .undo: try undo()
    case .remove:
      try change(request.id) { (source, name) throws(ConsoleRefusal) in
        try source.restore(nil, for: name)
      }
    case .set:
      try change(request.id) { (source, name) throws(ConsoleRefusal) in
        try source.set(request.text ?? "", type: request.type, for: name)
      }
    case .recover: try recover(request.id)
    case .show: break
    }
  }

  private func change(
    _ id: String?, _ body: (any ConsoleSource, String) throws(ConsoleRefusal) -> Void
  ) throws(ConsoleRefusal) {
    guard let id, let (source, name) = source(of: id) else {
      throw ConsoleRefusal("That is not there any more.")
    }
    let old = source.value(of: name)
    try body(source, name)
    let edit = ConsoleEdit(source: source, name: name, old: old, new: source.value(of: name))
    edits.withLock { $0.append(edit) }
  }

  private func source(of id: String) -> (any ConsoleSource, name: String)? {
    sources.first { id.hasPrefix($0.id + "/") }.map { ($0, String(id.dropFirst($0.id.count + 1))) }
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
      throw ConsoleRefusal("'\(edit.name)' was changed since; it was not changed.")
    }
    try edit.source.restore(edit.old, for: edit.name)
    _ = edits.withLock { $0.popLast() }
  }
}

/// Why something that a page asked for was not done.
struct ConsoleRefusal: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
#endif
