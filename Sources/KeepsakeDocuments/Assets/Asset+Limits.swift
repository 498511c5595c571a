extension Asset {
  /// What a store accepts as an asset.
  public struct Limits: Sendable {
    /// Scales an image that is too large down.
    ///
    /// The library has no codec; an app uses its own, such as libvips or a browser's canvas.
    ///
    /// - Parameters:
    ///   - bytes: The image.
    ///   - type: Its type.
    ///   - limit: The maximum width and height.
    /// - Returns: An image of any type that the store accepts, within the limits.
    public typealias Scaling =
      @Sendable (_ bytes: [UInt8], _ type: Asset.ContentType, _ limit: Int) throws -> [UInt8]

    /// The accepted types.
    public var types: [Asset.ContentType]
    /// The maximum number of bytes.
    public var byteCount: Int
    /// The maximum width and height of an image in pixels; `nil` for no limit.
    public var side: Int?
    /// Scales images that are too wide or high; without it they are refused.
    public var scaling: Scaling?

    /// Creates limits; by default all images of at most 64 MiB.
    public init(
      types: [Asset.ContentType] = Asset.ContentType.images, byteCount: Int = 64 << 20,
      side: Int? = nil,
      scaling: Scaling? = nil
    ) {
      self.types = types
      self.byteCount = byteCount
      self.side = side
      self.scaling = scaling
    }

    /// The content to keep, and its type.
    ///
    /// - Parameter type: The type that the content must have.
    func accept(
      _ bytes: [UInt8], as type: Asset.ContentType? = nil
    ) throws(Asset.ContentError) -> (bytes: [UInt8], type: Asset.ContentType) {
      let found = try check(bytes, as: type)
      guard let side, let size = Asset.ImageSize(of: bytes), max(size.width, size.height) > side
      else {
        return (bytes, found)
      }
      guard let scaling else { throw .tooManyPixels(size, limit: side) }
      let scaled: [UInt8]
      do {
        scaled = try scaling(bytes, found, side)
      } catch {
        throw .notScaled(size, reason: "\(error)")
      }
      let scaledType = try check(scaled, as: nil)
      if let left = Asset.ImageSize(of: scaled), max(left.width, left.height) > side {
        throw .tooManyPixels(left, limit: side)
      }
      return (scaled, scaledType)
    }

    private func check(
      _ bytes: [UInt8], as type: Asset.ContentType?
    ) throws(Asset.ContentError) -> Asset.ContentType {
      if bytes.count > byteCount { throw .tooManyBytes(bytes.count, limit: byteCount) }
      let found = Asset.ContentType.of(bytes, among: types)
      if let type, types.contains(type), type.matches(bytes) { return type }
      guard let found else { throw .unknownContent }
      if let type, type != found { throw .otherContent(than: type, found: found) }
      return found
    }
  }
}
