/// A class whose `@Published` properties tell the views that read them when they change.
public protocol ObservableObject: AnyObject {}
