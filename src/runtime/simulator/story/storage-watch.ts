/** Compares the stored contents of objects between uses of their storage, to report what each use has changed. */
import {
  type Owner,
  readContents,
  type StorageAccess,
  type StoredContents,
  type StoredPlace,
} from '#objects';

/** A stored item before and after a moment; undefined where it does not exist. */
export interface StorageChange extends StoredPlace {
  readonly before?: string;
  readonly after?: string;
}

/** These methods change nothing, and objects call them far more often than any other. */
const reading: ReadonlySet<string> = new Set(['get', 'list']);
const readingSql = /^\s*SELECT\b[^;]*$/i;

export class StorageWatch {
  readonly #rowsOf: (owner: Owner) => ReturnType<Parameters<typeof readContents>[1]>;
  readonly #known = new Map<Owner, StoredContents>();

  constructor(rowsOf: (owner: Owner) => ReturnType<Parameters<typeof readContents>[1]>) {
    this.#rowsOf = rowsOf;
  }

  /** The changes since the last use of the same object's storage. */
  note({ owner, method, args, store }: StorageAccess): StorageChange[] {
    if (reading.has(method)) return [];
    if (method === 'exec' && typeof args[0] === 'string' && readingSql.test(args[0])) return [];
    let now: StoredContents;
    try {
      now = readContents(store, () => this.#rowsOf(owner));
    } catch {
      // A storage that has failed cannot be read: its changes are seen when its object starts again.
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
