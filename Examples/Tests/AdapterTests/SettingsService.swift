import Keepsake
import ServiceLifecycle

/// Writes what a server keeps before it ends.
struct SettingsService: Service {
  let settings: SettingsStore

  func run() async throws {
    // It throws if the task is canceled instead: the settings are written as well.
    try? await gracefulShutdown()
    try await settings.synchronize()  // survives a power cut
    try settings.save()  // the property list contains every change
  }
}
