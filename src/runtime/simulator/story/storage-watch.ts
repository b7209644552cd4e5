/** Follows what objects have stored from one use of their storage to the next, to say what each of them changed. */
import {
  type Owner,
  readContents,
  type StorageAccess,
  type StoredContents,
  type StoredPlace,
} from '#objects';

/** What is stored in one place before and after a moment; undefined where there is nothing. */
export interface StorageChange extends StoredPlace {
  readonly before?: string;
  readonly after?: string;
}

/** They change nothing, and objects do them far more often than anything else. */
const reading: ReadonlySet<string> = new Set(['get', 'list']);
const readingSql = /^\s*SELECT\b[^;]*$/i;

export class StorageWatch {
  readonly #rowsOf: (owner: Owner) => ReturnType<Parameters<typeof readContents>[1]>;
  readonly #known = new Map<Owner, StoredContents>();

  constructor(rowsOf: (owner: Owner) => ReturnType<Parameters<typeof readContents>[1]>) {
    this.#rowsOf = rowsOf;
  }

  /** What is different since the last use of the same object. */
  note({ owner, method, args, store }: StorageAccess): StorageChange[] {
    if (reading.has(method)) return [];
    if (method === 'exec' && typeof args[0] === 'string' && readingSql.test(args[0])) return [];
    let now: StoredContents;
    try {
      now = readContents(store, () => this.#rowsOf(owner));
    } catch {
      // A storage that has failed cannot be read: what it holds is seen when its object starts again.
      return [];
    }
    const before = this.#known.get(owner) ?? new Map<string, never>();
    this.#known.set(owner, now);
    return listChanges(before, now);
  }
}

function listChanges(before: StoredContents, after: StoredContents): StorageChange[] {
  const changes: StorageChange[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was?.shown === is?.shown) continue;
    changes.push({
      ...(is ?? was!).place,
      ...(was === undefined ? {} : { before: was.shown }),
      ...(is === undefined ? {} : { after: is.shown }),
    });
  }
  return changes;
}
