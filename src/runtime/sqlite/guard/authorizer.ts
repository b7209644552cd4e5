/**
 * The guard between an object's SQL and its database. SQLite calls it for everything a statement will touch while it
 * compiles the statement, and again whenever running one compiles another (full-text search, `pragma_…` tables), so a
 * decision here also covers indirect access.
 *
 * Invariants:
 * - While `guarded` is false (trusted statements) everything is allowed. It is true only from the moment an object's
 *   statement is compiled or stepped to the moment control returns; never across callers.
 * - The authorizer is installed once. Replacing it would make SQLite compile every statement again.
 * - `seen` records what was compiled, regardless of which code compiled it, until it is read and cleared.
 */
import { constants } from 'node:sqlite';
import {
  allowedFunctions,
  allowedModules,
  alterFunctions,
  changesFunctions,
  hiddenTables,
  isAllowedPragma,
  isSwitchPragma,
} from './allowed.ts';
import { isReservedName } from '../text/forbidden.ts';

/** What a compiled statement will do, as far as the authorizer was called. */
export interface StatementEffects {
  writesRows: boolean;
  /** It changes the schema, or a setting that affects how statements are compiled. */
  changesSchema: boolean;
  /** It reads what earlier statements have changed. */
  readsChanges: boolean;
  /** It sets whether foreign keys are checked at once or at the end of the transaction. */
  setsDeferral: boolean;
}

type Argument = string | null;

const transactionMessage =
  'To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs ' +
  'instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements. The JavaScript API is safer because it will ' +
  "automatically roll back on exceptions, and because it interacts correctly with Durable Objects' automatic " +
  'atomic write coalescing.';

const caseSensitiveLikeMessage =
  'PRAGMA case_sensitive_like is not available: SQLite would change LIKE for every database in the process. ' +
  'Use GLOB to compare with regard to case.';

const { SQLITE_OK, SQLITE_DENY, SQLITE_IGNORE } = constants;

export class Authorizer {
  guarded = false;
  #seen: StatementEffects = nothingSeen();

  takeSeen(): StatementEffects {
    const seen = this.#seen;
    this.#seen = nothingSeen();
    return seen;
  }

  /** The callback for `DatabaseSync.setAuthorizer`. The caller gets the exceptions thrown here. */
  readonly authorize = (action: number, first: Argument, second: Argument, schema: Argument): number => {
    this.#note(action, first, second);
    if (!this.guarded) return SQLITE_OK;
    // For ALTER TABLE … DROP COLUMN, SQLite passes the column in the argument that otherwise names the schema.
    if (action === constants.SQLITE_ALTER_TABLE) return judge(action, first ?? '', second);
    if (schema === 'temp') return isTemporarySchema(action, first) ? SQLITE_OK : SQLITE_DENY;
    if (schema !== null && schema !== 'main') return SQLITE_DENY;
    return judge(action, first ?? '', second);
  };

  #note(action: number, first: Argument, second: Argument): void {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_READ:
      case constants.SQLITE_RECURSIVE:
      case constants.SQLITE_TRANSACTION:
      case constants.SQLITE_SAVEPOINT:
        return;
      case constants.SQLITE_FUNCTION:
        if (changesFunctions.has((second ?? '').toLowerCase())) this.#seen.readsChanges = true;
        return;
      case constants.SQLITE_INSERT:
      case constants.SQLITE_UPDATE:
      case constants.SQLITE_DELETE:
        this.#seen.writesRows = true;
        return;
      case constants.SQLITE_PRAGMA:
        if (isSwitchPragma(first ?? '', second)) this.#seen.changesSchema = true;
        if (first?.toLowerCase() === 'defer_foreign_keys' && second !== null) this.#seen.setsDeferral = true;
        // Runs ANALYZE where it would help.
        if (first?.toLowerCase() === 'optimize') this.#seen.writesRows = this.#seen.changesSchema = true;
        return;
      default:
        this.#seen.changesSchema = true;
    }
  }
}

function nothingSeen(): StatementEffects {
  return { writesRows: false, changesSchema: false, readsChanges: false, setsDeferral: false };
}

function judge(action: number, first: string, second: Argument): number {
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_RECURSIVE:
      return SQLITE_OK;

    case constants.SQLITE_READ:
      if (hiddenTables.has(first.toLowerCase())) throw new Error(`no such table: ${first}: SQLITE_ERROR`);
      return isReservedName(first) ? SQLITE_DENY : SQLITE_OK;

    case constants.SQLITE_FUNCTION: {
      const name = (second ?? '').toLowerCase();
      return allowedFunctions.has(name) || alterFunctions.has(name) ? SQLITE_OK : SQLITE_DENY;
    }

    case constants.SQLITE_CREATE_TABLE:
    case constants.SQLITE_CREATE_VIEW:
      return hiddenTables.has(first.toLowerCase()) || isReservedName(first) ? SQLITE_DENY : SQLITE_OK;

    case constants.SQLITE_INSERT:
    case constants.SQLITE_UPDATE:
    case constants.SQLITE_DELETE:
    case constants.SQLITE_DROP_TABLE:
    case constants.SQLITE_DROP_VIEW:
      return isReservedName(first) ? SQLITE_DENY : SQLITE_OK;

    case constants.SQLITE_CREATE_INDEX:
    case constants.SQLITE_DROP_INDEX:
    case constants.SQLITE_CREATE_TRIGGER:
    case constants.SQLITE_DROP_TRIGGER:
      return isReservedName(first) || isReservedName(second ?? '') ? SQLITE_DENY : SQLITE_OK;

    case constants.SQLITE_ALTER_TABLE:
      return isReservedName(second ?? '') || first !== 'main' ? SQLITE_DENY : SQLITE_OK;

    case constants.SQLITE_CREATE_VTABLE:
    case constants.SQLITE_DROP_VTABLE:
      return isReservedName(first) || !allowedModules.has((second ?? '').toLowerCase())
        ? SQLITE_DENY
        : SQLITE_OK;

    // Without a name these go through all tables and silently skip the reserved ones.
    case constants.SQLITE_ANALYZE:
    case constants.SQLITE_REINDEX:
      return isReservedName(first.replace(/^sqlite_autoindex_/i, '')) ? SQLITE_IGNORE : SQLITE_OK;

    case constants.SQLITE_PRAGMA:
      if (first.toLowerCase() === 'case_sensitive_like') throw new Error(caseSensitiveLikeMessage);
      return isAllowedPragma(first, second) ? SQLITE_OK : SQLITE_DENY;

    case constants.SQLITE_TRANSACTION:
    case constants.SQLITE_SAVEPOINT:
      throw new Error(transactionMessage);

    default:
      return SQLITE_DENY;
  }
}

/** ALTER TABLE searches the temporary schema, and any SQL may read it: it is always empty. */
function isTemporarySchema(action: number, table: Argument): boolean {
  if (action !== constants.SQLITE_READ && action !== constants.SQLITE_UPDATE) return false;
  return table === 'sqlite_temp_master' || table === 'sqlite_temp_schema';
}
