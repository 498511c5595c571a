public import Foundation

/// An image that the user has chosen or dropped. What its file is called stays in the browser.
public struct Upload: Sendable {
  /// The bytes of an image of a kind that Stage shows.
  public let bytes: [UInt8]
  /// How large the image is, as the page says.
  public let size: CGSize

  /// The most bytes that are taken.
  static let limit = 16 << 20
}
