#if Etcd
/// How an etcd cluster is reached.
///
/// etcd 3.4.17 or later, through its JSON gateway: see <https://etcd.io/docs/v3.5/dev-guide/api_grpc_gateway/>.
public struct EtcdCluster: Sendable {
  /// The addresses of its members, each `http` or `https` with a host and a port: any of them may be down.
  ///
  /// With certificates, all are `https`.
  public var endpoints: [String]
  /// Who asks: needed where the cluster has authentication on. They are sent also where it is off.
  public var credentials: Credentials?
  /// A file with the certificates, in PEM, of who may sign those of the members; nil for the system's.
  public var authorities: String?
  /// Files with the certificate, in PEM, that this client shows, and its key; nil for none.
  public var identity: (certificate: String, key: String)?

  /// Creates a description of a cluster without authentication.
  public init(endpoints: [String]) {
    self.endpoints = endpoints
  }

  /// The name and password of one of etcd's users.
  public struct Credentials: Sendable {
    /// The user's name.
    public var user: String
    /// The user's password.
    public var password: String

    /// Creates credentials.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }
}
#endif
