import Keepsake

/// What a page tells the app.
enum PageMessage: Equatable {
  /// The user tapped an element, or chose it with the keyboard.
  case tap(id: String)
  /// The window is now in this phase.
  case phase(ScenePhase)
  /// The page is being closed, or loaded anew.
  case leaving
}

extension PageMessage: Decodable {
  private enum CodingKeys: CodingKey {
    case kind, id, phase
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .kind) {
    case "tap":
      self = .tap(id: try container.decode(String.self, forKey: .id))
    case "phase":
      self = .phase(ScenePhase(page: try container.decode(String.self, forKey: .phase)))
    case "leaving":
      self = .leaving
    case let kind:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container, debugDescription: "A page says nothing like \(kind).")
    }
  }
}

extension ScenePhase {
  /// The phase as a page names it; what is not known is not seen either.
  init(page name: String) {
    switch name {
    case "active": self = .active
    case "inactive": self = .inactive
    default: self = .background
    }
  }
}
