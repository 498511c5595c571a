#if os(Linux) || os(Android)
import CSystemCalls
import KeepsakeBase
import SystemPackage

/// The coordination of processes through one page of memory that all of them map.
///
/// The page is the file's own. A lock that nobody else wants is one atomic exchange; the position
/// is two words that need no system call to read. Each holder of the coordinator owns a slot, and
/// keeps a kernel lock (an open file description lock, which the kernel drops however the process
/// dies) on the slot's byte: whoever waits for the lock asks the kernel whether the holder still
/// lives. The first to come when no slot is taken starts the page anew, so that what a power cut
/// left in it is never believed. SQLite's wal-index works on the same principle.
final class SharedMemoryCoordinator: FileCoordinator {
  private let file: LocalFile
  private let page: SharedPage
  private let slot: Int
  private let watch = Mutex<(any FileWatch)?>(nil)
  let cameAlone: Bool

  /// - Throws: ``FileError`` with `notSupported` where the file system cannot share memory
  ///   between all who might open the file.
  init(path: FilePath) throws(FileError) {
    let file = try Self.openFile(at: path)
    self.file = file
    guard Self.sharesMemory(file) else { throw FileError(.lock, path, .notSupported) }
    // Nobody comes, and nobody takes over a dead holder's lock, while this is held.
    try Self.setKernelLock(file, on: Layout.arrivalByte, waiting: true)
    defer { SharedMemoryCoordinator.dropKernelLock(file, on: Layout.arrivalByte) }

    cameAlone = try !Self.isLocked(file, Layout.firstSlotByte, count: Layout.slotCount)
    if cameAlone {
      // Cutting it would wait for the disk.
      if try file.information().size > Layout.size { try file.truncate(to: 0) }
      try file.writeAll([UInt8](repeating: 0, count: Layout.size))
    } else {
      Self.restoreSize(of: file)
    }
    page = try SharedPage(mapping: file, size: Layout.size)
    if cameAlone {
      page.word(at: Layout.endOffset).pointee.store(Layout.unknownEnd, ordering: .relaxed)
    }
    // Zero is what somebody leaves who empties the file.
    _ = page.word(at: Layout.magicOffset).pointee.compareExchange(
      expected: 0, desired: Layout.magic, ordering: .acquiringAndReleasing)
    guard page.word(at: Layout.magicOffset).pointee.load(ordering: .acquiring) == Layout.magic
    else {
      throw FileError(
        .lock, path, Errno(rawValue: EPROTO), effect: "another version of the library uses it")
    }
    slot = try Self.takeSlot(file)
    countSlot()
    if lockWord.pointee.load(ordering: .relaxed) == owned {
      // The slot's last owner died with the lock.
      forgetPosition()
      lockWord.pointee.store(0, ordering: .releasing)
    }
  }

  deinit {
    bell(of: slot).pointee.store(0, ordering: .relaxed)
  }

  // MARK: Lock

  func lock() throws(FileError) {
    if take(from: 0) { return }
    var attempt = 0
    while true {
      let holder = lockWord.pointee.load(ordering: .relaxed)
      if holder == 0 {
        if take(from: 0) { return }
        continue
      }
      attempt += 1
      if attempt <= 100 {
        sched_yield()
      } else if try takeOver(from: holder) {
        return
      } else {
        usleep(UInt32(min(1000, 20 * (attempt - 100))))
      }
    }
  }

  func unlock() {
    lockWord.pointee.store(0, ordering: .releasing)
  }

  /// What the lock's word holds while this coordinator has it.
  private var owned: UInt32 { UInt32(slot + 1) }

  private func take(from holder: UInt32) -> Bool {
    lockWord.pointee.compareExchange(
      expected: holder, desired: owned, ordering: .acquiring
    ).exchanged
  }

  /// Takes the lock from a holder that died, which is when the kernel's lock on its slot is free.
  private func takeOver(from holder: UInt32) throws(FileError) -> Bool {
    let byte = Layout.firstSlotByte + Int(holder) - 1
    guard try !Self.isLocked(file, byte, count: 1) else { return false }
    // Asked again where no newcomer can be given the dead holder's slot.
    try Self.setKernelLock(file, on: Layout.arrivalByte, waiting: true)
    defer { Self.dropKernelLock(file, on: Layout.arrivalByte) }
    guard try !Self.isLocked(file, byte, count: 1), take(from: holder) else { return false }
    forgetPosition()
    return true
  }

  // MARK: Position and doorbell

  var position: SharedPosition? {
    let generation = page.word(at: Layout.generationOffset).pointee.load(ordering: .acquiring)
    let end = page.word(at: Layout.endOffset).pointee.load(ordering: .sequentiallyConsistent)
    if end == Layout.unknownEnd { return nil }
    return SharedPosition(generation: generation, end: Int64(bitPattern: end))
  }

  func publish(_ position: SharedPosition?) {
    if let position {
      page.word(at: Layout.generationOffset).pointee.store(
        position.generation, ordering: .releasing)
      page.word(at: Layout.endOffset).pointee.store(
        UInt64(bitPattern: position.end), ordering: .sequentiallyConsistent)
    } else {
      forgetPosition()
    }
    var wanted = false
    for other in 0..<slotCount where other != slot {
      let bell = bell(of: other)
      // A burst of writes rings once for each who waits.
      if bell.pointee.load(ordering: .sequentiallyConsistent) == 1 {
        bell.pointee.store(0, ordering: .relaxed)
        wanted = true
      }
    }
    if wanted { ring() }
  }

  func armDoorbell() {
    countSlot()
    bell(of: slot).pointee.store(1, ordering: .sequentiallyConsistent)
  }

  func onDoorbell(_ handler: (@Sendable () -> Void)?) throws(FileError) {
    var new: (any FileWatch)?
    if let handler {
      new = try FileWatcher.shared.watch(file.path, for: .bytes) { [file] in
        Self.restoreSize(of: file)
        handler()
      }
    }
    let old = watch.withLock { [new] watch in
      defer { watch = new }
      return watch
    }
    // Let go of outside the lock.
    withExtendedLifetime(old) {}
    armDoorbell()
  }

  private func forgetPosition() {
    page.word(at: Layout.endOffset).pointee.store(
      Layout.unknownEnd, ordering: .sequentiallyConsistent)
  }

  /// Writes a byte that nobody reads: the kernel tells everyone who watches the file.
  private func ring() {
    var byte: UInt8 = 1
    _ = pwrite(file.descriptor, &byte, 1, off_t(Layout.ringOffset))
  }

  private var lockWord: UnsafeMutablePointer<Atomic<UInt32>> {
    page.halfWord(at: Layout.lockOffset)
  }

  /// One more than the highest slot that was ever taken.
  private var slotCount: Int {
    // Whatever was written over the page, no slot lies outside of it.
    min(
      Layout.slotCount,
      Int(page.halfWord(at: Layout.slotCountOffset).pointee.load(ordering: .relaxed)))
  }

  /// Makes sure that whoever rings comes to this coordinator's slot.
  private func countSlot() {
    if slotCount > slot { return }
    page.halfWord(at: Layout.slotCountOffset).pointee.max(
      UInt32(slot + 1), ordering: .sequentiallyConsistent)
  }

  private func bell(of slot: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    page.halfWord(at: Layout.firstBellOffset + slot * 4)
  }
}

// MARK: - The file

extension SharedMemoryCoordinator {
  /// What stands where in the file, whose words are the machine's own: it never leaves it.
  private enum Layout {
    static let magic: UInt64 = 0x3130_6b63_6f4c_7045
    static let magicOffset = 0
    static let generationOffset = 8
    static let endOffset = 16
    static let lockOffset = 24
    static let slotCountOffset = 28
    static let ringOffset = 32
    static let firstBellOffset = 64
    static let slotCount = 1000
    static let size = firstBellOffset + slotCount * 4
    static let unknownEnd = UInt64.max
    // The kernel locks bytes that need not be there; these lie past the file's end.
    static let arrivalByte = 1 << 20
    static let firstSlotByte = arrivalByte + 1
  }

  private static func openFile(at path: FilePath) throws(FileError) -> LocalFile {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let descriptor = try call(.lock, path) {
      path.withPlatformString { KeepsakeFiles.openFile($0, flags, 0o600) }
    }
    return LocalFile(descriptor: descriptor, path: path)
  }

  /// Whether every process that can open the file maps the same memory: true of disks of this
  /// machine, not of file systems that other machines serve.
  private static func sharesMemory(_ file: LocalFile) -> Bool {
    switch keepsake_file_system_type(file.descriptor) {
    case 0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0xF2F5_2010, 0x2FC1_2FC1,
      0x8584_58F6, 0x3153_464A, 0xCA45_1A4E:
      true  // ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS, ramfs, JFS, bcachefs
    default: false
    }
  }

  /// Gives the file its bytes again where somebody emptied it, for who touches memory that its file
  /// has no more is killed.
  ///
  /// One byte, the last, brings all others back as zeros: nobody has the lock, and a position that
  /// no journal has. Were the file to grow in two steps, what others wrote between would be lost.
  private static func restoreSize(of file: LocalFile) {
    guard let size = try? file.information().size, size < Layout.size else { return }
    var zero: UInt8 = 0
    _ = pwrite(file.descriptor, &zero, 1, off_t(Layout.size - 1))
  }

  private static func takeSlot(_ file: LocalFile) throws(FileError) -> Int {
    for slot in 0..<Layout.slotCount {
      do throws(FileError) {
        try setKernelLock(file, on: Layout.firstSlotByte + slot)
        return slot
      } catch {
        if error.code != .resourceTemporarilyUnavailable && error.code != .permissionDenied {
          throw error
        }
      }
    }
    throw FileError(
      .lock, file.path, .resourceTemporarilyUnavailable,
      effect: "\(Layout.slotCount) others have it open already")
  }

  private static func setKernelLock(
    _ file: LocalFile, on byte: Int, waiting: Bool = false
  ) throws(FileError) {
    var request = flock(on: byte, count: 1)
    let command = waiting ? keepsake_F_OFD_SETLKW : keepsake_F_OFD_SETLK
    try call(.lock, file.path) { fcntl(file.descriptor, Int32(command), &request) }
  }

  private static func dropKernelLock(_ file: LocalFile, on byte: Int) {
    var request = flock(on: byte, count: 1)
    request.l_type = Int16(F_UNLCK)
    _ = fcntl(file.descriptor, Int32(keepsake_F_OFD_SETLK), &request)
  }

  private static func isLocked(
    _ file: LocalFile, _ byte: Int, count: Int
  ) throws(FileError) -> Bool {
    var request = flock(on: byte, count: count)
    let command = Int32(keepsake_F_OFD_GETLK)
    try call(.lock, file.path) { fcntl(file.descriptor, command, &request) }
    return request.l_type != Int16(F_UNLCK)
  }
}

extension flock {
  /// An exclusive lock on some bytes.
  fileprivate init(on byte: Int, count: Int) {
    self.init()
    l_type = Int16(F_WRLCK)
    l_whence = Int16(SEEK_SET)
    l_start = off_t(byte)
    l_len = off_t(count)
  }
}
#endif
