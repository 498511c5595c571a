import Stage

extension View {
  /// Shows a warning over the window while a value is true.
  func alert(_ title: some StringProtocol, isPresented: Binding<Bool>) -> some View {
    let title = String(title)
    return sheet(isPresented: isPresented) {
      VStack(spacing: 20) {
        Image(systemName: "exclamationmark.triangle")
          .font(.title)
        Text(title)
          .font(.title2)
          .accessibilityAddTraits(.isHeader)
        Button("OK") { isPresented.wrappedValue = false }
      }
      .frame(maxWidth: .infinity)
    }
  }
}
