import Foundation

/// The memory of this process, as the kernel reports it in `/proc/self/status`.
enum ProcessMemory {
  /// The bytes that are resident.
  static var resident: Int { status("VmRSS") }
  /// The most bytes that were resident since the process started, or since ``resetPeak()``.
  static var peak: Int { status("VmHWM") }

  /// Has the kernel measure the peak again, from what is resident now.
  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  private static func status(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      * 1024
  }
}
