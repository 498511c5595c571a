/// A button to choose a file of at most 64 MB with.
public struct FilePicker<Label: View>: View {
  /// It has no body.
  public typealias Body = Never

  private let pathExtension: String
  private let action: @MainActor (Upload) -> Void
  private let label: Label

  /// Makes a button of the extension of the files, what it does with one, and what it shows.
  public init(
    _ pathExtension: String, action: @escaping @MainActor (Upload) -> Void,
    @ViewBuilder label: () -> Label
  ) {
    self.pathExtension = pathExtension
    self.action = action
    self.label = label()
  }
}

extension FilePicker: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    scope.resolvePicker(["data-upload": "file", "accept": ".\(pathExtension)"], action, label)
  }
}
