// In-memory stand-ins of the library's types, of exactly its shape, until it has them.
import Foundation
public import KeepsakeFiles

import Observation
import Synchronization

final class StandInCell: Sendable, Observable {
  private let registrar = ObservationRegistrar()
  private let stored = Mutex<(any Sendable)?>(nil)
  var value: (any Sendable)? {
    get {
      registrar.access(self, keyPath: \.value)
      return stored.withLock { $0 }
    }
    set {
      stored.withLock { $0 = newValue }
      registrar.withMutation(of: self, keyPath: \.value) {}
    }
  }
}

public final class SettingsStore: Sendable {
  public static let standard = SettingsStore()
  private let cells = Mutex<[String: StandInCell]>([:])
  init() {}
  func cell(_ key: String) -> StandInCell {
    cells.withLock { cells in
      if let cell = cells[key] { return cell }
      let cell = StandInCell()
      cells[key] = cell
      return cell
    }
  }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

public final class SceneSession: Sendable {
  @TaskLocal public static var current: SceneSession?
  public let id: String
  let store = SettingsStore()
  private let stored = Mutex(ScenePhase.background)
  public var phase: ScenePhase {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
  init(id: String) { self.id = id }
}

public final class SceneSessionStore: Sendable {
  private let stored = Mutex<[SceneSession]>([])
  public init(container: AppContainer) {}
  public var sessions: [SceneSession] { stored.withLock { $0 } }
  public func session(id: String?) -> SceneSession {
    stored.withLock { sessions in
      if let found = sessions.first(where: { $0.id == id }) { return found }
      let made = SceneSession(id: UUID().uuidString)
      sessions.append(made)
      return made
    }
  }
  public func discard(_ session: SceneSession) {
    stored.withLock { $0.removeAll { $0 === session } }
  }
}

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.get = get
    self.set = set
  }
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(get: { value }, set: { _ in })
  }
  public subscript<Member: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
  ) -> Binding<Member> {
    Binding<Member>(get: { get()[keyPath: path] }, set: { new in
      var value = get()
      value[keyPath: path] = new
      set(value)
    })
  }
}

@propertyWrapper
public struct AppStorage<Value: Sendable>: Sendable {
  private let initial: Value
  private let cell: StandInCell
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    initial = wrappedValue
    cell = (store ?? .standard).cell(key)
  }
  public init(_ key: String, store: SettingsStore? = nil) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key, store: store)
  }
  public var wrappedValue: Value {
    get { cell.value as? Value ?? initial }
    nonmutating set { cell.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }
}

@propertyWrapper
public struct SceneStorage<Value: Sendable>: Sendable {
  private let initial: Value
  private let cell: StandInCell
  public init(wrappedValue: Value, _ key: String) {
    initial = wrappedValue
    cell = (SceneSession.current?.store ?? .standard).cell(key)
  }
  public init(_ key: String) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key)
  }
  public var wrappedValue: Value {
    get { cell.value as? Value ?? initial }
    nonmutating set { cell.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }
}
