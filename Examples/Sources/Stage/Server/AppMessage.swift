import Foundation

/// What the app tells a page.
enum AppMessage {
  /// All that a window shows, the session to come back to, the run of the app, and the page's last event
  /// that it performed.
  case scene(session: String, run: String, elements: [PageElement], received: Int)
  /// What has changed, with the page's last event that was performed before.
  case update(Update, received: Int)
  /// The page's last event that was performed; also the answer to a page that asks whether the app runs.
  case received(Int)

  var json: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }
}

extension AppMessage: Encodable {
  private enum CodingKeys: CodingKey {
    case session, run, elements, received
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .scene(let session, let run, let elements, let received):
      try container.encode(session, forKey: .session)
      try container.encode(run, forKey: .run)
      try container.encode(elements, forKey: .elements)
      try container.encode(received, forKey: .received)
    case .update(let update, let received):
      try update.encode(to: encoder)
      try container.encode(received, forKey: .received)
    case .received(let number):
      try container.encode(number, forKey: .received)
    }
  }
}
