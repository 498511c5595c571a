import KeepsakeLoopback
import Stage

/// An image or another file that the user has chosen or dropped. What the file of an image is called stays in the
/// browser.
struct Upload: Identifiable, Sendable {
  /// What tells the upload from others: the page sends it again, also to an app that was started again, if the
  /// answer is lost.
  let id: UUID
  /// What a file that is no image is called.
  var name: String?
  /// The bytes of the file, or of an image that every browser shows.
  let bytes: [UInt8]
  /// How large the image is, as the page says.
  let size: CGSize
  /// Where on a ``Board`` it was dropped, from the board's middle; nil for one that was chosen or pasted.
  let location: CGPoint?

  /// The most bytes that are taken of an image.
  private static let imageLimit = 16 << 20
}

extension Upload {
  init?(_ request: Loopback.Request) {
    func number(_ name: String) -> Double? {
      request.value(of: name).flatMap { Double($0) }.flatMap { abs($0) <= 1_000_000 ? $0 : nil }
    }
    guard let id = request.value(of: "upload").flatMap(UUID.init(uuidString:)) else { return nil }
    self.id = id
    name = request.value(of: "name")
    bytes = request.body
    size = CGSize(width: max(1, number("width") ?? 1), height: max(1, number("height") ?? 1))
    location = number("x").flatMap { x in number("y").map { CGPoint(x: x, y: $0) } }
  }

  /// Whether it is an image that every browser shows, and no larger than one may be.
  var isImage: Bool {
    bytes.count <= Self.imageLimit && Asset.ContentType.ofPageImage(bytes) != nil
  }
}

extension Element {
  /// Does something with an image, or another file, that the page sends.
  mutating func onUpload(
    areImages: Bool = true, perform action: @escaping @MainActor (Upload) -> Void
  ) {
    receive = { request in
      guard let upload = Upload(request) else { return Loopback.Response(status: 404) }
      if areImages, !upload.isImage { return Loopback.Response(status: 415) }
      action(upload)
      return Loopback.Response(status: 204)
    }
  }
}
