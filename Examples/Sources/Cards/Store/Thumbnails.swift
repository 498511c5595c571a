import Stage

/// Small pictures of cards, which the page draws once for each content of a card, and which are kept in
/// the folder for what can be made again.
@MainActor
final class Thumbnails: ObservableObject {
  /// The version of each card of which there is a picture.
  @Published private var versions: [UUID: String] = [:]
  private let directory: FilePath

  init(in container: AppContainer) {
    directory = container.caches.appending("thumbnails")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.string)) ?? []
    for name in names {
      guard let file = FilePath.Component(name), let id = UUID(uuidString: file.stem),
        let version = file.extension
      else { continue }
      versions[id] = version
    }
  }

  /// What tells a card's content from others.
  static func version(of card: Card) -> String {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .sortedKeys
    return String(stableHash((try? encoder.encodeToBytes(card)) ?? []), radix: 36)
  }

  /// The picture of a version of a card, if there is one.
  func image(of id: UUID, version: String) -> ImageFile? {
    guard versions[id] == version else { return nil }
    let path = path(id, version)
    return ImageFile(name: path) { [UInt8](try Data(contentsOf: URL(filePath: path))) }
  }

  /// Keeps a picture in place of an older one.
  ///
  /// One that cannot be written is drawn again when the card is shown the next time.
  func keep(_ bytes: [UInt8], of id: UUID, version: String) {
    let files = FileManager.default
    do {
      try files.createDirectory(atPath: directory.string, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(filePath: path(id, version)), options: .atomic)
    } catch {
      return
    }
    if let old = versions.updateValue(version, forKey: id), old != version {
      try? files.removeItem(atPath: path(id, old))
    }
  }

  /// Removes the pictures of cards that no longer exist.
  func removeAll(except ids: Set<UUID>) {
    for (id, version) in versions where !ids.contains(id) {
      try? FileManager.default.removeItem(atPath: path(id, version))
      versions[id] = nil
    }
  }

  private func path(_ id: UUID, _ version: String) -> String {
    directory.appending("\(id.uuidString).\(version)").string
  }
}
