public import KeepsakeFiles
public import SystemPackage

extension SimulatedDisk {
  /// A call to a ``SimulatedDisk``.
  public struct Call: Hashable, Sendable, CustomStringConvertible {
    /// The requested operation.
    public var operation: FileError.Operation
    /// The file or directory.
    public var path: FilePath

    /// The operation and the path.
    public var description: String { "\(operation.rawValue) '\(path)'" }
  }
}
