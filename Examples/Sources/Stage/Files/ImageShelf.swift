import Keepsake
import KeepsakeLoopback
import Synchronization

/// The images that the windows show, each at an address which nobody can guess.
///
/// An image's address cannot carry a header as the page's other requests do, and the app's token
/// must not stand in one, for addresses get copied. So each image has a secret of its own, which is
/// good for that image and this run.
final class ImageShelf: Sendable {
  private struct Content {
    var secrets: [String: String] = [:]
    var files: [String: ImageFile] = [:]
  }

  private let content = Mutex(Content())

  /// Where a page finds an image.
  func path(of file: ImageFile) -> String {
    content.withLock { content in
      let secret = content.secrets[file.name] ?? Loopback.Token().string
      content.secrets[file.name] = secret
      content.files[secret] = file
      return "/image/" + secret
    }
  }

  /// The image or file at a path, and its kind; nil where there is none that a page may have.
  func image(at path: String) -> (bytes: [UInt8], type: String)? {
    let secret = path.dropFirst("/image/".count)
    guard let file = content.withLock({ $0.files[String(secret)] }),
      let bytes = try? file.bytes(),
      let type = file.mimeType
        ?? Asset.ContentType.ofPageImage(bytes)?.mimeType
    else { return nil }
    return (bytes, type)
  }
}
