#if Secrets
import Crypto
import KeepsakeFiles

/// An encrypted file that was opened with its key.
struct OpenedFile {
  /// The file, `nil` if it was not written yet. While it is open, no other file has its identity.
  var file: (any OpenFile)?
  /// The attributes of the file when it was read.
  var information: FileInformation?
  var bytes: [UInt8]
  var contents: SealedFile
  let wrappingKey: SymmetricKey
  let dataKey: SymmetricKey
}
#endif
