/// What a store takes as an asset.
public struct AssetLimits: Sendable {
  /// Makes an image smaller, on request of a store that was given one too large.
  ///
  /// There is no codec here: the app brings one, such as a binding of libvips or a browser's canvas.
  ///
  /// - Parameters:
  ///   - bytes: The image.
  ///   - type: What kind it is.
  ///   - limit: The width and height that it may have at most.
  /// - Returns: An image of any type that the store takes, within the limits.
  public typealias Scaling =
    @Sendable (_ bytes: [UInt8], _ type: AssetType, _ limit: Int) throws -> [UInt8]

  /// The types that are taken, each recognised by its content.
  public var types: [AssetType]
  /// The most bytes that an asset may have.
  public var byteCount: Int
  /// The most pixels that an image may be wide or high; `nil` for any number.
  public var side: Int?
  /// Makes images smaller that are too wide or high; without it they are refused.
  public var scaling: Scaling?

  /// Limits; without arguments all images of up to 64 MiB.
  public init(
    types: [AssetType] = AssetType.images, byteCount: Int = 64 << 20, side: Int? = nil,
    scaling: Scaling? = nil
  ) {
    self.types = types
    self.byteCount = byteCount
    self.side = side
    self.scaling = scaling
  }

  /// The content to keep and its type.
  ///
  /// - Parameter type: What it is said to be; its content must agree.
  func accept(
    _ bytes: [UInt8], as type: AssetType? = nil
  ) throws(AssetError) -> (bytes: [UInt8], type: AssetType) {
    let found = try check(bytes, as: type)
    guard let side, let size = ImageSize(of: bytes), max(size.width, size.height) > side else {
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
    if let left = ImageSize(of: scaled), max(left.width, left.height) > side {
      throw .tooManyPixels(left, limit: side)
    }
    return (scaled, scaledType)
  }

  private func check(
    _ bytes: [UInt8], as type: AssetType?
  ) throws(AssetError) -> AssetType {
    if bytes.count > byteCount { throw .tooManyBytes(bytes.count, limit: byteCount) }
    let found = AssetType.of(bytes, among: types)
    if let type, types.contains(type), type.matches(bytes) { return type }
    guard let found else { throw .unknownContent }
    if let type, type != found { throw .otherContent(than: type, found: found) }
    return found
  }
}
