import KeepsakeDirectories
import Stage
import SystemPackage

/// The files below a directory, and what was left out.
struct FileList: View {
  private static let shownFiles = 500

  let path: FilePath
  let contents: DirectoryContents

  var body: some View {
    VStack(alignment: .leading, spacing: 6) {
      Text(path.string)
        .font(.headline)
        .accessibilityAddTraits(.isHeader)
      Text(contents.files.count == 1 ? "1 file" : "\(contents.files.count) files")
        .accessibilityStatus()
      ForEach(Array(contents.files.prefix(Self.shownFiles)), id: \.self) { file in
        Text(file.string)
      }
      if contents.files.count > Self.shownFiles {
        Text("and \(contents.files.count - Self.shownFiles) more")
      }
      ForEach(contents.skipped, id: \.self) { entry in
        Text("Left out: \(entry.description)")
          .font(.caption)
      }
    }
  }
}
