import Foundation

/// A length as style sheets write it.
package func px(_ length: CGFloat) -> String {
  length == length.rounded() ? "\(Int(length))px" : "\(length)px"
}
