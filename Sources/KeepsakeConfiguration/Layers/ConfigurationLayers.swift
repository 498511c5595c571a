#if Configuration
import KeepsakeCoding

/// The values of a configuration at one moment.
struct ConfigurationLayers: Sendable {
  var overrides = LayerTree(empty: .overrides)
  let arguments: TextLayer
  let variables: TextLayer
  var file: ConfigurationFile

  /// A value and its origin.
  struct Found: Sendable {
    let layer: ConfigurationLayer
    let content: Content
    /// The keys that lead to the value in its file.
    let path: [String]
    /// Whether strings are read as the requested type.
    var isUntyped = false

    /// The name as its layer spells it.
    func spelling(of name: ConfigurationName) -> ConfigurationName {
      layer.spelling(of: name, at: path)
    }
  }

  /// A value in a file, or the text of an argument or a variable.
  enum Content: Hashable, Sendable {
    case value(PropertyList.Value)
    case text(TextLayer.Text)
  }

  private enum Layer {
    case tree(LayerTree)
    case text(TextLayer)

    func find(_ name: ConfigurationName) -> Found? {
      switch self {
      case .tree(let tree):
        tree.node(name).map { node in
          Found(
            layer: tree.layer, content: .value(node.value), path: node.path,
            isUntyped: tree.isUntyped)
        }
      case .text(let layer):
        layer[name].map { Found(layer: layer.layer, content: .text($0), path: [$0.name]) }
      }
    }
  }

  private var ordered: [Layer] {
    [.tree(overrides), .text(arguments), .text(variables)] + file.sections.map(Layer.tree)
  }

  private var trees: [LayerTree] { [overrides] + file.sections }

  /// The value in effect.
  ///
  /// - Complexity: O(1) in the number of values.
  func first(_ name: ConfigurationName) -> Found? {
    for layer in ordered {
      if let found = layer.find(name) { return found }
      if case .tree(let tree) = layer, tree.hides(name) { return nil }
    }
    return nil
  }

  /// The values in all layers, in order of precedence.
  func all(_ name: ConfigurationName) -> [Found] {
    ordered.compactMap { $0.find(name) }
  }

  /// The keys of a dictionary in all layers that contain it.
  func children(of name: ConfigurationName) -> [ConfigurationName] {
    var children: [ConfigurationName] = []
    for tree in trees {
      if tree.hides(name) { break }
      guard let node = tree.node(name) else { continue }
      guard let own = node.children else { break }
      children += own.filter { !children.contains($0) }
    }
    return children
  }

  /// The names of all values below a name, each as the first layer spells it.
  func names(below name: ConfigurationName = .root) -> [ConfigurationName] {
    children(of: name).flatMap { child in
      let child = name.appending(child.spelled)
      let below = names(below: child)
      return below.isEmpty ? [child] : below
    }
  }
}

extension ConfigurationLayers.Content {
  var isDictionary: Bool { if case .value(.dictionary) = self { true } else { false } }
}
#endif
