import Keepsake

/// An image that an app keeps, or another file that it offers, and how to read it.
public struct ImageFile: Sendable {
  /// What the app calls it; the same name is the same image as long as the app runs.
  public let name: String
  /// What kind of file it is, if it is no image.
  let mimeType: String?
  let bytes: @Sendable () throws -> [UInt8]

  /// Names an image, whose bytes are read when a page asks for them.
  ///
  /// - Parameter mimeType: The kind of a file that is no image.
  public init(
    name: String, mimeType: String? = nil, bytes: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.name = name
    self.mimeType = mimeType
    self.bytes = bytes
  }
}

extension Asset.ContentType {
  /// What kind an image has that every browser shows, and that holds nothing which it would run.
  package static func ofPageImage(_ bytes: [UInt8]) -> Asset.ContentType? {
    of(bytes, among: [.png, .jpeg, .gif, .webp])
  }
}
