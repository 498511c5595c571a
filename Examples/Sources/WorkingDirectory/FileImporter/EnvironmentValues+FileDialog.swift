import Stage

private struct MessageKey: EnvironmentKey {
  static let defaultValue = "Choose a folder"
}

private struct ConfirmationLabelKey: EnvironmentKey {
  static let defaultValue = "Choose"
}

extension EnvironmentValues {
  var fileDialogMessage: String {
    get { self[MessageKey.self] }
    set { self[MessageKey.self] = newValue }
  }

  var fileDialogConfirmationLabel: String {
    get { self[ConfirmationLabelKey.self] }
    set { self[ConfirmationLabelKey.self] = newValue }
  }
}
