/// A type that shows an example of a view.
@MainActor
public protocol PreviewProvider {
  /// What the example is made of.
  associatedtype Previews: View

  /// The example.
  @ViewBuilder static var previews: Previews { get }
}

/// The size that a preview is shown in.
public enum PreviewLayout: Sendable {
  /// As large as a device.
  case device
  /// As large as the view.
  case sizeThatFits
}
