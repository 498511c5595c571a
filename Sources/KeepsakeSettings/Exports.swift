// The types of other modules in public signatures come with the import of this one.
@_exported public import KeepsakeCoding
@_exported public import KeepsakeFiles
@_exported public import enum KeepsakeBase.ObservedChanges
