import Foundation
import Keepsake

/// What a page tells the app.
enum PageMessage: Equatable {
  /// The user tapped an element, or chose it with the keyboard.
  case tap(id: String)
  /// The user changed what is in a field.
  case input(id: String, value: String)
  /// The user moved, resized or turned an element: its width, height, place and degrees, and
  /// whether a movement begins with it.
  case place(id: String, numbers: [Double], isFirst: Bool)
  /// The user pressed the delete key on an element.
  case delete(id: String)
  /// The user tapped an element twice, or pressed the return key on it.
  case edit(id: String)
  /// The user is done with a sheet.
  case dismiss(id: String)
  /// The window is now in this phase.
  case phase(ScenePhase)
  /// The window now has this size, in pixels of the page.
  case size(CGSize)
  /// The user looks at these of a grid's views.
  case range(id: String, Range<Int>)
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
    case kind, id, phase, value, place, width, height, inside, first, count
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func id() throws -> String { try container.decode(String.self, forKey: .id) }
    switch try container.decode(String.self, forKey: .kind) {
    case "tap":
      self = .tap(id: try id())
    case "input":
      self = .input(id: try id(), value: try container.decode(String.self, forKey: .value))
    case "place":
      self = .place(
        id: try id(), numbers: try container.decode([Double].self, forKey: .place),
        isFirst: try container.decodeIfPresent(Bool.self, forKey: .first) ?? false)
    case "delete":
      self = .delete(id: try id())
    case "edit":
      self = .edit(id: try id())
    case "dismiss":
      self = .dismiss(id: try id())
    case "phase":
      self = .phase(ScenePhase(page: try container.decode(String.self, forKey: .phase)))
    case "size":
      let width = try container.decode(Double.self, forKey: .width)
      let height = try container.decode(Double.self, forKey: .height)
      self = .size(CGSize(width: min(max(width, 1), 100_000), height: min(max(height, 1), 100_000)))
    case "range":
      let first = try container.decode(UInt32.self, forKey: .first)
      let count = try container.decode(UInt16.self, forKey: .count)
      self = .range(id: try id(), Int(first)..<Int(first) + Int(count))
    case "pointer":
      self = .pointer(isInside: try container.decode(Bool.self, forKey: .inside))
    case "leaving":
      self = .leaving
    case "ping":
      self = .ping
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
