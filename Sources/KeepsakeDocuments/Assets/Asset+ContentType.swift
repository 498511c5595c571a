extension Asset {
  /// A type of asset: how its content is recognized and its file is named.
  ///
  /// An app with other content adds a type as a static member, and adds it to the limits of its store:
  ///
  /// ```swift
  /// extension Asset.ContentType {
  ///   static let pdf = Asset.ContentType(
  ///     pathExtension: "pdf", mimeType: "application/pdf", signatures: [Array("%PDF-".utf8)])
  /// }
  /// ```
  ///
  /// SVG is not among the images, because it can contain a program, which a browser would run.
  public struct ContentType: Hashable, Sendable {
    /// The path extension, in lowercase letters.
    public let pathExtension: String
    /// The media type for browsers.
    public let mimeType: String
    /// The content begins with one of these; `nil` stands for any byte.
    public let signatures: [[UInt8?]]

    /// Creates a type.
    ///
    /// - Precondition: The extension consists of lowercase ASCII letters and digits.
    public init(pathExtension: String, mimeType: String, signatures: [[UInt8?]]) {
      precondition(
        !pathExtension.isEmpty
          && pathExtension.utf8.allSatisfy { Self.isLetterOrDigit($0) },
        "'\(pathExtension)' is no extension of small letters and digits")
      self.pathExtension = pathExtension
      self.mimeType = mimeType
      self.signatures = signatures
    }

    /// Whether content begins with a signature of this type.
    public func matches(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
      signatures.contains { signature in
        bytes.count >= signature.count && zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
      }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }
}

extension Asset.ContentType {
  /// A PNG image.
  public static let png = Asset.ContentType(
    pathExtension: "png", mimeType: "image/png",
    signatures: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]])

  /// A JPEG image.
  public static let jpeg = Asset.ContentType(
    pathExtension: "jpeg", mimeType: "image/jpeg", signatures: [[0xFF, 0xD8, 0xFF]])

  /// A GIF image.
  public static let gif = Asset.ContentType(
    pathExtension: "gif", mimeType: "image/gif",
    signatures: [Array("GIF87a".utf8), Array("GIF89a".utf8)])

  /// A WebP image.
  public static let webp = Asset.ContentType(
    pathExtension: "webp", mimeType: "image/webp",
    signatures: [Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)])

  /// A HEIC image.
  public static let heic = Asset.ContentType(
    pathExtension: "heic", mimeType: "image/heic",
    signatures: ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"].map(fileType))

  /// An AVIF image.
  public static let avif = Asset.ContentType(
    pathExtension: "avif", mimeType: "image/avif", signatures: ["avif", "avis"].map(fileType))

  /// All image types.
  public static let images: [Asset.ContentType] = [png, jpeg, gif, webp, avif, heic]

  /// The first box of an ISO base media file, with its main brand.
  private static func fileType(_ brand: String) -> [UInt8?] {
    [nil, nil, nil, nil] + Array("ftyp".utf8) + Array(brand.utf8)
  }

  /// The type of content by its first bytes.
  public static func of(
    _ bytes: some RandomAccessCollection<UInt8>, among types: [Asset.ContentType] = images
  ) -> Asset.ContentType? {
    types.first { $0.matches(bytes) }
  }

  /// The type with a media type, whose parameters are ignored.
  public static func named(
    mimeType: String, among types: [Asset.ContentType] = images
  ) -> Asset.ContentType? {
    let name = mimeType.prefix { $0 != ";" && $0 != " " }.lowercased()
    return types.first { $0.mimeType == name }
  }

  /// The type with a path extension, in any case; `jpg` is `jpeg`.
  public static func named(
    pathExtension: String, among types: [Asset.ContentType] = images
  ) -> Asset.ContentType? {
    let name = pathExtension.lowercased()
    return types.first { $0.pathExtension == (name == "jpg" ? "jpeg" : name) }
  }
}
