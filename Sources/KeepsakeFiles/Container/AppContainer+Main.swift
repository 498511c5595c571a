import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AppContainer {
  /// The directories of the running app.
  ///
  /// Unless an app sets it, before anything is read or kept, the executable's name is the
  /// identifier.
  public static var main: AppContainer {
    get {
      current.withLock { current in
        if let current { return current }
        let new = AppContainer(identifier: ProcessInfo.processInfo.processName)
        current = new
        return new
      }
    }
    set { current.withLock { $0 = newValue } }
  }

  private static let current = Mutex<AppContainer?>(nil)
}
