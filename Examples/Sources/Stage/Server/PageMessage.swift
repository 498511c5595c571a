import Foundation
import Keepsake

/// What a page tells the app.
enum PageMessage: Equatable {
  /// The user did something with an element.
  case event(Event)
  /// The window is now in this phase.
  case phase(ScenePhase)
  /// The window now has this size, in pixels of the page.
  case size(CGSize)
  /// The pointer has come into the window, or left it.
  case pointer(isInside: Bool)
  /// The page is being closed, or loaded again.
  case leaving
  /// The page asks whether the app runs.
  case ping

  /// A message, and its number if it is something that the user did.
  struct Numbered: Decodable {
    let number: Int?
    let message: PageMessage

    private enum CodingKeys: CodingKey { case number }

    init(from decoder: any Decoder) throws {
      number = try decoder.container(keyedBy: CodingKeys.self)
        .decodeIfPresent(Int.self, forKey: .number)
      message = try PageMessage(from: decoder)
    }
  }
}

extension PageMessage: Decodable {
  private enum CodingKeys: CodingKey {
    case kind, phase, width, height, inside
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .kind) {
    case "phase":
      self = .phase(ScenePhase(page: try container.decode(String.self, forKey: .phase)))
    case "size":
      let width = try container.decode(Double.self, forKey: .width)
      let height = try container.decode(Double.self, forKey: .height)
      self = .size(CGSize(width: min(max(width, 1), 100_000), height: min(max(height, 1), 100_000)))
    case "pointer":
      self = .pointer(isInside: try container.decode(Bool.self, forKey: .inside))
    case "leaving": self = .leaving
    case "ping": self = .ping
    default: self = .event(try Event(from: decoder))
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
