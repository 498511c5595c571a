// `import Stage` stands where an app would write `import SwiftUI`: it brings what that brings.
@_exported public import Foundation
@_exported public import Keepsake
@_exported public import KeepsakeConfiguration
