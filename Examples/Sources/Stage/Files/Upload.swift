public import Foundation

/// An image or another file that the user has chosen or dropped. What its file is called stays in the browser.
public struct Upload: Sendable {
  /// The bytes of the file, or of an image of a kind that Stage shows.
  public let bytes: [UInt8]
  /// How large the image is, as the page says.
  public let size: CGSize

  /// Where on a `Board` it was dropped, from the board's middle; nil for one that was chosen or pasted.
  public let location: CGPoint?

  /// The most bytes that are taken of an image.
  static let limit = 16 << 20
  /// The most bytes that are taken of another file.
  static let fileLimit = 64 << 20
}
