public import SystemPackage

extension AppContainer {
  /// How a launch of an app relates to the previous one.
  @nonexhaustive public enum Launch: Hashable, Sendable {
    /// No version of the app has run with this container.
    case first
    /// The same version ran last.
    case same
    /// An older version ran last.
    case updated(from: String)
    /// A newer version ran last.
    case downgraded(from: String)
  }
}

extension AppContainer {
  /// Detects a first launch, an update or a downgrade, and stores the version.
  ///
  /// - Parameters:
  ///   - version: The running version, such as `2.10`, compared number by number.
  ///   - prepare: Prepares this launch, such as by ``copyDefaults(from:to:fileSystem:)`` on the first. The
  ///     version is stored only after it returns, so that interrupted work is done again.
  ///   - fileSystem: The file system that contains the container.
  /// - Throws: ``FileError`` if the container cannot be read or written; the error that `prepare` throws.
  @discardableResult
  public func launch(
    version: String, fileSystem: some FileSystem = LocalFileSystem(),
    prepare: (AppContainer.Launch) throws -> Void = { _ in }
  ) throws -> AppContainer.Launch {
    try fileSystem.createDirectories(applicationSupport)
    let record = applicationSupport.appending("version")
    let before = try fileSystem.readFile(at: record).map {
      String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self)
    }
    let launch = AppContainer.Launch(of: version, after: before)
    try prepare(launch)
    if launch != .same {
      try fileSystem.removeLeftovers(of: [record], in: applicationSupport)
      try fileSystem.replaceFile(at: record, with: Array("\(version)\n".utf8))
    }
    return launch
  }

  /// Copies the files of a directory of the app to a directory of the user, except files whose name
  /// exists there.
  ///
  /// - Throws: ``FileError``; the files that were already copied are complete.
  /// - Complexity: O(*n*) in the bytes copied.
  public func copyDefaults(
    from source: FilePath, to directory: FilePath,
    fileSystem: some FileSystem = LocalFileSystem()
  ) throws(FileError) {
    try fileSystem.createDirectories(directory)
    for name in try fileSystem.contents(ofDirectory: source).sorted() {
      let original = source.appending(name)
      let copy = directory.appending(name)
      switch try fileSystem.information(at: original)?.kind {
      case .directory:
        try copyDefaults(from: original, to: copy, fileSystem: fileSystem)
      case .file:
        guard try fileSystem.information(at: copy) == nil,
          let bytes = try fileSystem.readFile(at: original)
        else { continue }
        try fileSystem.replaceFile(at: copy, with: bytes)
      default: continue
      }
    }
  }
}

extension AppContainer.Launch {
  fileprivate init(of version: String, after before: String?) {
    guard let before else {
      self = .first
      return
    }
    let new = version.split(separator: ".", omittingEmptySubsequences: false)
    let old = before.split(separator: ".", omittingEmptySubsequences: false)
    self = .same
    for index in 0..<max(new.count, old.count) {
      let newPart = index < new.count ? new[index] : "0"
      let oldPart = index < old.count ? old[index] : "0"
      let isNewer =
        if let newNumber = Int(newPart), let oldNumber = Int(oldPart) {
          newNumber == oldNumber ? nil as Bool? : newNumber > oldNumber
        } else {
          newPart == oldPart ? nil as Bool? : newPart > oldPart
        }
      if let isNewer {
        self = isNewer ? .updated(from: before) : .downgraded(from: before)
        return
      }
    }
  }
}
