import Stage
import SystemPackage

/// What the sheet shows in which a person chooses a directory.
struct DirectorySheet: View {
  /// No more names than a browser shows at once without delay.
  static let shownNames = 500

  @StateObject private var browser: DirectoryBrowser
  @State private var filter = ""
  @Environment(\.fileDialogMessage) private var message
  @Environment(\.fileDialogConfirmationLabel) private var confirmationLabel
  private let onCompletion: @MainActor (Result<URL, any Error>?) -> Void

  /// - Parameter onCompletion: Receives the directory, or nil if the person does not choose one.
  init(root: FilePath, onCompletion: @escaping @MainActor (Result<URL, any Error>?) -> Void) {
    _browser = StateObject(wrappedValue: DirectoryBrowser(root: root))
    self.onCompletion = onCompletion
  }

  private var names: [String] {
    filter.isEmpty
      ? browser.listing.names
      : browser.listing.names.filter {
        $0.range(of: filter, options: .caseInsensitive) != nil
      }
  }

  var body: some View {
    let names = names
    VStack(alignment: .leading, spacing: 12) {
      Text(message)
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      HStack(spacing: 8) {
        Button {
          filter = ""
          browser.goUp()
        } label: {
          Image(systemName: "arrow.up")
        }
        .buttonStyle(.bordered)
        .accessibilityLabel("Enclosing folder")
        .disabled(!browser.canGoUp)
        Text(browser.listing.path.string)
          .accessibilityStatus()
      }
      TextField("Filter", text: $filter)
        .accessibilityAddTraits(.isSearchField)
      VStack(alignment: .leading, spacing: 4) {
        ForEach(Array(names.prefix(Self.shownNames)), id: \.bytes) { name in
          Button {
            filter = ""
            browser.open(name)
          } label: {
            Label(name, systemImage: "folder")
          }
          .buttonStyle(.plain)
        }
      }
      .modified(Decoration(Element(attributes: ["class": "names"])))
      ForEach(remarks(count: names.count), id: \.self) { remark in
        Text(remark)
          .font(.caption)
          .accessibilityStatus()
      }
      HStack(spacing: 8) {
        Button("Cancel") { onCompletion(nil) }
          .buttonStyle(.bordered)
        Button(confirmationLabel) { onCompletion(Result { url(try browser.choose()) }) }
          .disabled(browser.failure != nil)
      }
    }
  }

  private func url(_ path: FilePath) -> URL {
    URL(filePath: path.string, directoryHint: .isDirectory)
  }

  /// What a person would otherwise miss.
  private func remarks(count: Int) -> [String] {
    if let failure = browser.failure { return [failure.description] }
    let listing = browser.listing
    func counted(_ count: Int, _ one: String, _ more: String) -> [String] {
      count == 0 ? [] : [count == 1 ? "1 \(one)" : "\(count) \(more)"]
    }
    return counted(
      max(0, count - Self.shownNames), "more folder: use the filter.",
      "more folders: use the filter.")
      + counted(
        listing.unexaminedCount, "entry was not examined.", "entries were not examined.")
      + (count == 0 ? [filter.isEmpty ? "No folders here." : "No folder has such a name."] : [])
      + counted(listing.fileCount, "file.", "files.")
      + counted(
        listing.linkCount, "link leads out and is not followed.",
        "links lead out and are not followed.")
  }
}

extension String {
  /// What makes two names different: strings are equal, too, if only their bytes differ.
  fileprivate var bytes: [UInt8] { Array(utf8) }
}
