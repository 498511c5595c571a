import Foundation

/// What the app tells a page.
enum AppMessage {
  /// All that a window shows, and the session to come back to.
  case scene(session: String, elements: [PageElement])
  /// What has changed.
  case update(Update)

  var json: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }
}

extension AppMessage: Encodable {
  private enum CodingKeys: CodingKey {
    case session, elements
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .scene(let session, let elements):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(session, forKey: .session)
      try container.encode(elements, forKey: .elements)
    case .update(let update):
      try update.encode(to: encoder)
    }
  }
}
