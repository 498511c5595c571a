#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines of an article's Swift snippets that do not stand in a source file, which compiles the others.
///
/// - Parameters:
///   - article: The name of an article in the catalogue of the module `Keepsake`.
///   - source: The path of a test's source, `#filePath`.
package func linesOfSnippets(
  inArticle article: String, missingFrom source: String
) throws -> [String] {
  try linesOfSnippets(in: "Sources/Keepsake/Keepsake.docc/\(article).md", missingFrom: source)
}

/// The lines of a page's Swift snippets that do not stand in a source file, which compiles the others.
///
/// - Parameters:
///   - page: The path of a Markdown file in this package.
///   - source: The path of a test's source, `#filePath`.
package func linesOfSnippets(in page: String, missingFrom source: String) throws -> [String] {
  func lines(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.drop(while: \.isWhitespace) }
  }
  // Tests of this package are in others, too, by a symbolic link.
  let path = URL(fileURLWithPath: source).resolvingSymlinksInPath().path
  let root = path.split(separator: "/").dropLast(3).joined(separator: "/")
  let compiled = Set(try lines(source))
  var isSnippet = false
  return try lines("/\(root)/\(page)").compactMap { line in
    if line.hasPrefix("```") {
      isSnippet = line == "```swift"
      return nil
    }
    return isSnippet && !compiled.contains(line) ? String(line) : nil
  }
}
