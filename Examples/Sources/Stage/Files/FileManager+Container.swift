import SystemPackage

extension FileManager {
  /// The user's directories of a kind: those of the container that the app was started with.
  ///
  /// A file that imports Stage calls this method instead of Foundation's, which it shadows.
  public func urls(
    for directory: SearchPathDirectory, in domain: SearchPathDomainMask
  ) -> [URL] {
    let container = AppContainer.main
    if domain == .userDomainMask {
      switch directory {
      case .documentDirectory: return [url(container.documents.string)]
      case .applicationSupportDirectory: return [url(container.applicationSupport.string)]
      case .cachesDirectory: return [url(container.caches.string)]
      default: break
      }
    }
    return NSSearchPathForDirectoriesInDomains(directory, domain, true).map(url)
  }

  private func url(_ path: String) -> URL { URL(filePath: path, directoryHint: .isDirectory) }
}
