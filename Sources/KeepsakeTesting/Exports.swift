// The types of other modules in public signatures come with the import of this one.
@_exported public import KeepsakeFiles
@_exported public import KeepsakeSync
