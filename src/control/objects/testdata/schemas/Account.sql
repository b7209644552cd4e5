CREATE INDEX bulk_operations_open ON bulk_operations (list, sequence) WHERE completed_ms IS NULL
CREATE INDEX former_zones_by_age ON former_zones (deleted_ms)
CREATE INDEX former_zones_to_erase ON former_zones (deleted_ms) WHERE erased = 0
CREATE INDEX list_uses_by_list ON list_uses (list)
CREATE TABLE account (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, name TEXT NOT NULL, created_ms INTEGER NOT NULL, revision INTEGER NOT NULL)
CREATE TABLE agenda (task TEXT NOT NULL, key TEXT NOT NULL, due_ms INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (task, key))
CREATE TABLE audit (sequence INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, operation TEXT NOT NULL, actor TEXT NOT NULL, resource TEXT NOT NULL, resource_id TEXT NOT NULL, before TEXT, after TEXT, hash TEXT NOT NULL)
CREATE TABLE audit_anchors (log TEXT PRIMARY KEY, sequence INTEGER NOT NULL, hash TEXT NOT NULL)
CREATE TABLE audit_mark (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL)
CREATE TABLE bulk_items (operation INTEGER NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, value TEXT NOT NULL, comment TEXT NOT NULL, PRIMARY KEY (operation, key)) WITHOUT ROWID
CREATE TABLE bulk_operations (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, list INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, error TEXT, completed_ms INTEGER)
CREATE TABLE configuration_version (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL)
CREATE TABLE directory_changes (kind TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID
CREATE TABLE former_zones (id TEXT PRIMARY KEY, name TEXT NOT NULL, deleted_ms INTEGER NOT NULL, erased INTEGER NOT NULL)
CREATE TABLE list_items (list INTEGER NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, value TEXT NOT NULL, comment TEXT NOT NULL, created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL, PRIMARY KEY (list, key)) WITHOUT ROWID
CREATE TABLE list_uses (zone_id TEXT NOT NULL, list TEXT NOT NULL, PRIMARY KEY (zone_id, list)) WITHOUT ROWID
CREATE TABLE lists (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, description TEXT NOT NULL, created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL)
CREATE TABLE ruleset_versions (ruleset_id TEXT NOT NULL, version INTEGER NOT NULL, bytes INTEGER NOT NULL, summary TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (ruleset_id, version))
CREATE TABLE rulesets (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, phase TEXT NOT NULL, version INTEGER NOT NULL)
CREATE TABLE tokens (id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, owner_kind TEXT NOT NULL, owner_id TEXT NOT NULL, email TEXT NOT NULL, disabled INTEGER NOT NULL, policies TEXT NOT NULL, addresses TEXT NOT NULL, not_before_ms INTEGER, expires_ms INTEGER, issued_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL)
CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, key_hash TEXT NOT NULL)
CREATE TABLE zone_certificates (zone_id TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, hosts TEXT NOT NULL, expires_ms INTEGER, warn_ms INTEGER, problem TEXT, PRIMARY KEY (zone_id, id)) WITHOUT ROWID
CREATE TABLE zone_count (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL)
CREATE TABLE zones (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, plan TEXT NOT NULL, account_id TEXT NOT NULL, paused INTEGER NOT NULL, type TEXT NOT NULL, vanity_name_servers TEXT NOT NULL, created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL)
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END
CREATE TRIGGER lists_delete_changes_directory AFTER DELETE ON lists BEGIN INSERT INTO directory_changes SELECT 'lists', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true ON CONFLICT (one) DO UPDATE SET version = excluded.version; END
CREATE TRIGGER lists_insert_changes_directory AFTER INSERT ON lists BEGIN INSERT INTO directory_changes SELECT 'lists', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true ON CONFLICT (one) DO UPDATE SET version = excluded.version; END
CREATE TRIGGER lists_update_changes_directory AFTER UPDATE ON lists BEGIN INSERT INTO directory_changes SELECT 'lists', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true ON CONFLICT (one) DO UPDATE SET version = excluded.version; END
CREATE TRIGGER rulesets_delete_changes_directory AFTER DELETE ON rulesets BEGIN INSERT INTO directory_changes SELECT 'rulesets', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true ON CONFLICT (one) DO UPDATE SET version = excluded.version; END
CREATE TRIGGER rulesets_insert_changes_directory AFTER INSERT ON rulesets BEGIN INSERT INTO directory_changes SELECT 'rulesets', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true ON CONFLICT (one) DO UPDATE SET version = excluded.version; END
CREATE TRIGGER rulesets_update_changes_directory AFTER UPDATE ON rulesets BEGIN INSERT INTO directory_changes SELECT 'rulesets', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true ON CONFLICT (one) DO UPDATE SET version = excluded.version; END
CREATE TRIGGER tokens_delete_changes_directory AFTER DELETE ON tokens BEGIN INSERT INTO directory_changes SELECT 'token', OLD.id, revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER tokens_insert_changes_directory AFTER INSERT ON tokens BEGIN INSERT INTO directory_changes SELECT 'token', NEW.id, revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER tokens_update_changes_directory AFTER UPDATE OF hash, name, disabled, policies, addresses, not_before_ms, expires_ms, modified_ms ON tokens BEGIN INSERT INTO directory_changes SELECT 'token', NEW.id, revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER users_delete_changes_directory AFTER DELETE ON users BEGIN INSERT INTO directory_changes SELECT 'users', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER users_insert_changes_directory AFTER INSERT ON users BEGIN INSERT INTO directory_changes SELECT 'users', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER users_update_changes_directory AFTER UPDATE ON users BEGIN INSERT INTO directory_changes SELECT 'users', '', revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER zones_counted AFTER INSERT ON zones BEGIN UPDATE zone_count SET count = count + 1; END
CREATE TRIGGER zones_delete_changes_directory AFTER DELETE ON zones BEGIN INSERT INTO directory_changes SELECT 'zone', OLD.id, revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER zones_discounted AFTER DELETE ON zones BEGIN UPDATE zone_count SET count = count - 1; END
CREATE TRIGGER zones_have_certificates AFTER DELETE ON zones BEGIN DELETE FROM zone_certificates WHERE zone_id = OLD.id; END
CREATE TRIGGER zones_insert_changes_directory AFTER INSERT ON zones BEGIN INSERT INTO directory_changes SELECT 'zone', NEW.id, revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER zones_update_changes_directory AFTER UPDATE ON zones BEGIN INSERT INTO directory_changes SELECT 'zone', NEW.id, revision + 1 FROM account WHERE true ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision; END
CREATE TRIGGER zones_use_lists AFTER DELETE ON zones BEGIN DELETE FROM list_uses WHERE zone_id = OLD.id; END
CREATE UNIQUE INDEX entry_points ON rulesets (phase) WHERE kind <> 'custom'
