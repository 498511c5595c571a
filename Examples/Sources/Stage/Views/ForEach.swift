/// A view for each element of a collection, known by the element's identity.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  private let data: Data
  private let id: (Data.Element) -> ID
  private let content: @MainActor (Data.Element) -> Content

  /// Makes a view for each element, identified by a property of it.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping @MainActor (Data.Element) -> Content
  ) {
    self.data = data
    self.id = { $0[keyPath: id] }
    self.content = content
  }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  /// Makes a view for each identifiable element.
  public init(
    _ data: Data, @ViewBuilder content: @escaping @MainActor (Data.Element) -> Content
  ) {
    self.init(data, id: \.id, content: content)
  }
}

extension ForEach where Data == Range<Int>, ID == Int {
  /// Makes a view for each number of a range.
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping @MainActor (Int) -> Content) {
    self.init(data, id: \.self, content: content)
  }
}

extension ForEach: ViewList {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void) {
    forEachChild(in: scope, at: 0..<data.count, visit)
  }
}

extension ForEach: IndexedViewList {
  var count: Int { data.count }

  func forEachChild(
    in scope: Scope, at range: Range<Int>, _ visit: (any View, Scope) -> Void
  ) {
    for element in data.dropFirst(range.lowerBound).prefix(range.count) {
      scope.child(.key(AnyHashable(id(element)))).forEachChild(of: content(element), visit)
    }
  }
}
