package import KeepsakeCoding

extension SettingsStore {
  /// The values that the app's own settings contain, sorted by key.
  ///
  /// - Complexity: O(*n* log *n*) in the number of settings.
  package var ownValues: [(key: String, value: PropertyList.Value)] {
    // No dictionary by string, for which two keys that differ in their bytes alone can be equal.
    app.all.map { ($0.key.string, $0.value) }.sorted { PropertyList.precedes($0.key, $1.key) }
  }

  /// The values of a setting in all layers that have one, in the order of precedence.
  package func layerValues(of name: String) -> [(layer: SettingsLayer, value: PropertyList.Value)] {
    let name = SettingsName(name)
    return layers.snapshot.compactMap { layer, values in values[name].map { (layer, $0) } }
  }
}
