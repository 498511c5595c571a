import KeepsakeDocuments
import KeepsakeTestSupport
import SystemPackage

/// A process that keeps documents as its command line says, and writes a line for all that it was
/// told is done.
@main struct DocumentsWorker {
  static func main() {}
}
