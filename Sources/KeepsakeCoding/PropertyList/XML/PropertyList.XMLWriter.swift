#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Writes XML property lists in the layout of Apple's own writer.
  struct XMLWriter: ~Copyable {
    var output: OutputBuffer

    init(capacity: Int) { output = OutputBuffer(capacity: capacity + 256) }
  }
}

extension PropertyList.XMLWriter {
  /// What stands before the value.
  static let head: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  mutating func beginDocument() { output.append(Self.head) }

  mutating func endDocument() { output.append("</plist>\n") }

  @inline(__always)
  mutating func appendIndent(_ indent: Int) {
    output.reserve(indent &+ 8)
    Self.storeTabs(indent, to: output.next)
    output.next += indent
  }
}
