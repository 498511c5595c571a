#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Asset {
  /// Why content is not accepted as an asset; nothing of it was kept.
  @nonexhaustive public enum ContentError: Error, Hashable, Sendable {
    /// It has more bytes than the store accepts.
    case tooManyBytes(Int, limit: Int)
    /// It is an image that is wider or higher than the store accepts.
    case tooManyPixels(Asset.ImageSize, limit: Int)
    /// It has no type that the store accepts.
    case unknownContent
    /// It has another type than was specified.
    case otherContent(than: Asset.ContentType, found: Asset.ContentType)
    /// It is an image that is too large and could not be scaled.
    case notScaled(Asset.ImageSize, reason: String)
  }
}

extension Asset.ContentError: CustomStringConvertible, LocalizedError {
  /// One sentence.
  public var description: String {
    switch self {
    case .tooManyBytes(let count, let limit):
      "the asset has \(count) bytes, and the store takes \(limit)"
    case .tooManyPixels(let size, let limit):
      "the image has \(size.width) × \(size.height) pixels, and the store takes \(limit) each way"
    case .unknownContent: "the asset's content is of no type that the store takes"
    case .otherContent(let type, let found):
      "the asset is said to be \(type.mimeType), but its content is \(found.mimeType)"
    case .notScaled(let size, let reason):
      "the image of \(size.width) × \(size.height) pixels could not be made smaller: \(reason)"
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}
