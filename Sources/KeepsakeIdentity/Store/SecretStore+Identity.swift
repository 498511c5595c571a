#if Identity
import KeepsakeSecrets

extension SecretStore {
  /// Makes changes together; the body may run several times.
  ///
  /// - Throws: ``IdentityError``: what the body throws, or `storeUnavailable`.
  func identityTransaction<Result>(
    _ body: (inout SecretStore.Transaction) throws -> Result
  ) throws(IdentityError) -> Result {
    do {
      return try transaction(body)
    } catch let error as IdentityError {
      throw error
    } catch {
      throw Self.unavailable(error)
    }
  }

  /// A value, or `nil` if there is none of the name.
  ///
  /// - Throws: ``IdentityError`` (`storeUnavailable`).
  func stored<Value: Decodable>(
    _ name: String, as type: Value.Type
  ) throws(IdentityError) -> Value? {
    do {
      return try value(for: name, as: type)
    } catch {
      throw Self.unavailable(error)
    }
  }

  private static func unavailable(_ error: any Error) -> IdentityError {
    IdentityError(
      .storeUnavailable, "what is known about sign-ins cannot be read or changed", cause: error)
  }
}
#endif
