#if Postgres
/// The tables and functions that all namespaces of a database share, in its schema `keepsake`.
enum PostgresSchema {
  /// The version of what `script` makes; what an engine with another one has written is left alone.
  static let version: Int32 = 1

  /// Prepares a new connection, and makes the schema if there is none.
  static func prepare(_ connection: PostgresConnection) async throws(PostgresFailure) {
    try await connection.perform(script: session)
    if try await isCurrent(connection) { return }
    // Several may find no schema at the same time.
    try await connection.perform(
      script: "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('keepsake', 0))")
    if try await !isCurrent(connection) { try await connection.perform(script: script) }
    try await connection.perform(script: "COMMIT")
  }

  /// Whether the schema is there.
  ///
  /// - Throws: `unusable` if it is of another version.
  private static func isCurrent(
    _ connection: PostgresConnection
  ) async throws(PostgresFailure) -> Bool {
    // What `to_regclass` finds may be older than the lock: it asks a cache.
    let found = try await connection.perform(
      """
      SELECT EXISTS (
        SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'keepsake' AND c.relname = 'layout')
      """)
    guard found.integer(0, 0) == 1 else { return false }
    let versions = try await connection.perform("SELECT version FROM keepsake.layout")
    guard let version = versions.rows.first.flatMap({ versions.integer($0, 0) }) else {
      return false
    }
    try check(version)
    return true
  }

  static func check(_ found: Int64?) throws(PostgresFailure) {
    guard let found, found != Int64(version) else { return }
    throw .unusable(
      """
      The database's schema "keepsake" was made by another version: its layout is \(found) and not \
      \(version).
      """)
  }

  /// A person who may create functions and operators in the schema `public` could have ours call them, if they were
  /// found through the path that the database, or the role, has. What is in the schema `keepsake` is named with it.
  ///
  /// A commit checks its conditions after it has locked the namespace's row, and must see then what others have
  /// committed. What it looks up, it finds with indexes: its plans are made while tables may still be empty, and
  /// are used for all later times. Compiling them, as PostgreSQL does with those that seem expensive, takes longer
  /// than to perform them. A server that notices when a connection is gone does not keep what was
  /// abandoned waiting for a lock; nor, for long, what has answered a client that is gone, or does not read: it may hold
  /// one. A warning says that a commit may be on no standby.
  private static let session = """
    SET search_path = pg_catalog, pg_temp;
    SET default_transaction_isolation = 'read committed';
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
    SET plan_cache_mode = force_generic_plan;
    SET idle_session_timeout = 0; SET client_min_messages = warning;
    SET tcp_user_timeout = '20s'; SET tcp_keepalives_idle = '10s'; SET tcp_keepalives_interval = '5s';
    DO $$ BEGIN
      SET client_connection_check_interval = '2s';
    EXCEPTION WHEN invalid_parameter_value THEN -- not on each platform
    END $$;
    """

  private static let script = #"""
    DO $do$ BEGIN
      IF to_regnamespace('keepsake') IS NULL THEN CREATE SCHEMA keepsake; END IF;
    END $do$;

    CREATE TABLE IF NOT EXISTS keepsake.layout (
      version integer NOT NULL,
      identity uuid NOT NULL DEFAULT gen_random_uuid(),
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
    );
    COMMENT ON TABLE keepsake.layout IS
      'The version of these tables; the identity of what is in them: change it after a restore.';

    CREATE TABLE IF NOT EXISTS keepsake.namespaces (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      revision bigint NOT NULL DEFAULT 0,
      written bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50);
    COMMENT ON COLUMN keepsake.namespaces.revision IS 'Of the last commit; each locks the row.';
    COMMENT ON COLUMN keepsake.namespaces.written IS 'How many bytes all commits had.';

    CREATE TABLE IF NOT EXISTS keepsake.items (
      namespace integer NOT NULL,
      kind "char" NOT NULL CHECK (kind IN ('v', 'o', 'b')),
      key bytea NOT NULL,
      value bytea NOT NULL,
      revision bigint NOT NULL,
      PRIMARY KEY (namespace, kind, key)
    );
    COMMENT ON COLUMN keepsake.items.kind IS 'v for a value, o for the record of an origin, b for a blob';

    CREATE TABLE IF NOT EXISTS keepsake.commits (
      namespace integer NOT NULL,
      revision bigint NOT NULL,
      written bigint NOT NULL,
      kinds "char"[] NOT NULL,
      keys bytea[] NOT NULL,
      contents bytea[] NOT NULL,
      PRIMARY KEY (namespace, revision)
    );
    COMMENT ON TABLE keepsake.commits IS
      'The last commits without blobs, for members that follow; NULL is a removal.';
    COMMENT ON COLUMN keepsake.commits.written IS 'How many bytes the commits had up to this one.';

    -- The same for every role, also one that may not ask for the server's identity.
    CREATE OR REPLACE FUNCTION keepsake.cluster() RETURNS text
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$
    DECLARE
      name text := (SELECT identity::text FROM keepsake.layout);
    BEGIN
      IF has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE') THEN
        RETURN name || '-' || (SELECT system_identifier FROM pg_control_system());
      END IF;
      RETURN name;
    END $$;

    -- The first writes, as many as are reported and of that length, are for members that follow; the others
    -- are blobs. Returns a row with the place 0 and the new revision. If a condition is not met, that is
    -- NULL, and there is a row for each condition of an origin that exists, with its place, revision and
    -- value: others are many and long, and the namespace is locked until the caller has read them.
    CREATE OR REPLACE FUNCTION keepsake.commit(
      layout_version integer, namespace_name text,
      condition_kinds "char"[], condition_keys bytea[], condition_revisions bigint[],
      write_kinds "char"[], write_keys bytea[], write_contents bytea[],
      reported_count integer, reported_length bigint
    ) RETURNS TABLE (place bigint, found_revision bigint, found_value bytea)
      LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
    AS $$
    DECLARE
      namespace_id integer;
      next bigint;
      total bigint;
    BEGIN
      IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
      END IF;
      LOOP
        UPDATE keepsake.namespaces n
          SET revision = n.revision + 1, written = n.written + reported_length
          WHERE n.name = namespace_name
          RETURNING n.id, n.revision, n.written INTO namespace_id, next, total;
        EXIT WHEN FOUND;
        INSERT INTO keepsake.namespaces (name) VALUES (namespace_name) ON CONFLICT DO NOTHING;
      END LOOP;
      -- From here on nobody else commits to the namespace, and what others have committed is seen.
      IF (SELECT l.version FROM keepsake.layout l) <> layout_version THEN
        RAISE 'The layout of the schema "keepsake" is no longer %.', layout_version
          USING ERRCODE = 'object_not_in_prerequisite_state';
      END IF;
      IF EXISTS (
        SELECT FROM unnest(condition_kinds, condition_keys, condition_revisions)
          AS c (kind, key, revision)
        WHERE c.revision <> coalesce((
          SELECT i.revision FROM keepsake.items i
          WHERE i.namespace = namespace_id AND i.kind = c.kind AND i.key = c.key), 0)
      ) THEN
        UPDATE keepsake.namespaces n
          SET revision = n.revision - 1, written = n.written - reported_length
          WHERE n.id = namespace_id;
        RETURN QUERY SELECT 0::bigint, NULL::bigint, NULL::bytea;
        RETURN QUERY SELECT c.place, i.revision, i.value
          FROM unnest(condition_kinds, condition_keys) WITH ORDINALITY AS c (kind, key, place)
          JOIN keepsake.items i ON i.namespace = namespace_id AND i.kind = c.kind AND i.key = c.key
          WHERE c.kind = 'o';
        RETURN;
      END IF;
      INSERT INTO keepsake.items AS i (namespace, kind, key, value, revision)
        SELECT namespace_id, w.kind, w.key, w.content, next
        FROM unnest(write_kinds, write_keys, write_contents) AS w (kind, key, content)
        WHERE w.content IS NOT NULL
        ON CONFLICT (namespace, kind, key)
          DO UPDATE SET value = excluded.value, revision = excluded.revision;
      IF array_position(write_contents, NULL) IS NOT NULL THEN
        DELETE FROM keepsake.items i
          USING unnest(write_kinds, write_keys, write_contents) AS w (kind, key, content)
          WHERE w.content IS NULL
            AND i.namespace = namespace_id AND i.kind = w.kind AND i.key = w.key;
      END IF;
      INSERT INTO keepsake.commits (namespace, revision, written, kinds, keys, contents)
        VALUES (namespace_id, next, total, write_kinds[:reported_count],
          write_keys[:reported_count], write_contents[:reported_count]);
      -- The last 10,000 commits are kept, if they have no more than 256 MiB.
      IF next % 16 = 0 THEN
        DELETE FROM keepsake.commits c
          WHERE c.namespace = namespace_id AND c.revision <= next - 10000;
        IF (
          SELECT c.written FROM keepsake.commits c WHERE c.namespace = namespace_id
          ORDER BY c.revision LIMIT 1
        ) <= total - 268435456 THEN
          DELETE FROM keepsake.commits c
            WHERE c.namespace = namespace_id AND c.written <= total - 268435456;
        END IF;
      END IF;
      PERFORM pg_notify('keepsake.' || namespace_id, next::text);
      place := 0;
      found_revision := next;
      RETURN NEXT;
    END $$;

    CREATE OR REPLACE FUNCTION keepsake.text(bytes bytea) RETURNS text
      LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
    AS $$
    BEGIN
      RETURN convert_from(bytes, 'UTF8');
    EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
      RETURN '\x' || encode(bytes, 'hex');
    END $$;

    CREATE OR REPLACE VIEW keepsake.contents AS
      SELECT n.name AS namespace, CASE i.kind WHEN 'v' THEN 'value' ELSE 'origin' END AS kind,
        keepsake.text(i.key) AS key, keepsake.text(i.value) AS value, i.revision
      FROM keepsake.items i JOIN keepsake.namespaces n ON n.id = i.namespace
      WHERE i.kind <> 'b';
    COMMENT ON VIEW keepsake.contents IS
      'Items but blobs as text, or in hexadecimal digits where not UTF-8; keepsake.put changes values.';

    CREATE OR REPLACE FUNCTION keepsake.put(namespace text, key text, value text) RETURNS bigint
      LANGUAGE sql SET search_path = pg_catalog, pg_temp
    AS $$
      SELECT found_revision FROM keepsake.commit(
        1, namespace, '{}', '{}', '{}', '{v}', ARRAY[convert_to(key, 'UTF8')],
        ARRAY[convert_to(value, 'UTF8')], 1, octet_length(key) + coalesce(octet_length(value), 0));
    $$;
    COMMENT ON FUNCTION keepsake.put IS 'Changes a value, for people: NULL removes it.';

    INSERT INTO keepsake.layout (version) VALUES (1) ON CONFLICT DO NOTHING;
    """#
}
#endif
