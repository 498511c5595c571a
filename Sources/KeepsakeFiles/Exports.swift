// The types of other modules in public signatures come with the import of this one.
@_exported public import struct SystemPackage.Errno
@_exported public import struct SystemPackage.FileDescriptor
@_exported public import struct SystemPackage.FilePath
@_exported public import struct SystemPackage.FilePermissions
