import Keepsake

/// An image that an app keeps, and how to read it.
public struct ImageFile: Sendable {
  /// What the app calls it; the same name is the same image as long as the app runs.
  public let name: String
  let bytes: @Sendable () throws -> [UInt8]

  /// Names an image, whose bytes are read when a page asks for them.
  public init(name: String, bytes: @escaping @Sendable () throws -> [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension Asset.ContentType {
  /// The images that every browser shows, and that hold nothing which it would run.
  static let pageImages: [Asset.ContentType] = [.png, .jpeg, .gif, .webp]
}
