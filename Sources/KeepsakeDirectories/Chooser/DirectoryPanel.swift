public import SystemPackage

/// What the user sees when asked for a directory; the names are those of `NSOpenPanel`.
public struct DirectoryPanel: Hashable, Sendable {
  /// What to choose.
  public var message: String
  /// What the button that accepts says.
  public var prompt: String
  /// The directory to begin at; if `nil`, the platform's choice.
  public var directory: FilePath?

  /// Creates a panel.
  public init(
    message: String = "Choose a directory", prompt: String = "Choose", directory: FilePath? = nil
  ) {
    self.message = message
    self.prompt = prompt
    self.directory = directory
  }
}
