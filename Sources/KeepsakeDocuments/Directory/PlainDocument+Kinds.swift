import KeepsakeFiles
package import SystemPackage

extension PlainDocument {
  /// The path extensions of all stores that keep documents in a directory, sorted: each left its lock.
  package static func kinds(in directory: FilePath) -> [String] {
    let names = (try? LocalFileSystem().contents(ofDirectory: directory)) ?? []
    return names.filter { $0.hasPrefix(".") && $0.hasSuffix(".lock") && $0.count > 6 }
      .map { String($0.dropFirst().dropLast(5)) }.sorted()
  }
}
