import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AppContainer {
  /// The directories of the running app.
  ///
  /// The executable's name is the identifier by default. An app that sets this property must do so
  /// before it reads or stores anything.
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
