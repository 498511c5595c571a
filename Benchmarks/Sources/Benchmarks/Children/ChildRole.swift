/// What a process does that the program starts of itself.
enum ChildRole: String {
  /// Opens settings once and says how long that took.
  case open
  /// Watches settings and says when it saw a change.
  case observe
  /// Decodes a text once and says how long that took, and how much memory.
  case decode
  /// Loads documents and says how much memory that took.
  case load
  /// Changes settings as often as it is told to.
  case write

  /// The role in a command line, and what follows it.
  static func parse(_ arguments: [String]) -> (role: ChildRole, arguments: [String])? {
    guard arguments.count > 1, arguments[0] == "--child" else { return nil }
    return ChildRole(rawValue: arguments[1]).map { ($0, Array(arguments.dropFirst(2))) }
  }

  func run(_ arguments: [String], in workspace: Workspace) async throws {
    switch self {
    case .open: try OpeningChild.main(arguments, in: workspace)
    case .decode: try DecodingChild.main(arguments, in: workspace)
    case .load: try await LoadingChild.main(arguments, in: workspace)
    case .write: try WritingChild.main(arguments, in: workspace)
    case .observe: try await ObservingChild.main(arguments, in: workspace)
    }
  }
}
