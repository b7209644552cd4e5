/** The classes of a runtime: what the user declared, and the permanent number of each on disk. */
import { supportsSqlDatabases } from '#sqlite';
import type { DurableObjectClass } from './durable-object.ts';
import { type DurableObjectId, IdFactory } from './ids.ts';
import type { ClassRegistry } from './ledger/class-registry.ts';
import { type Owner, encodeOwner } from './ledger/records.ts';

export interface ClassOptions {
  readonly class: DurableObjectClass;
  /** `kv` (default): very many small objects. `sql`: a private database each, with recovery. */
  readonly storage?: 'kv' | 'sql';
  /** The key that ids are derived from and data is stored under; the class's name by default. */
  readonly uniqueKey?: string;
  /** Whether `deleteAll()` deletes the alarm as well. By default it stays, and `deleteAlarm()` deletes it. */
  readonly deleteAllDeletesAlarm?: boolean;
  /** What objects of this class get instead of the `env` of the runtime: classes may belong to several programs. */
  readonly env?: unknown;
  /** What objects of this class get instead of the runtime's `exports`. */
  readonly exports?: object;
  /** @internal Loads the class when its first object wakes; `class` is a placeholder until then. */
  readonly load?: () => Promise<DurableObjectClass>;
  /** What objects of this class get as `ctx.container`. */
  readonly container?: object | undefined;
}

export interface ClassEntry {
  readonly name: string;
  readonly class: DurableObjectClass;
  readonly storage: 'kv' | 'sql';
  readonly number: number;
  readonly ids: IdFactory;
  readonly deleteAllDeletesAlarm: boolean;
  /** Undefined: the `env` of the runtime. */
  readonly env?: unknown;
  readonly exports?: object | undefined;
  readonly load?: ClassOptions['load'];
  readonly container?: object | undefined;
  /** An object of this class in records and tables. */
  ownerOf(id: DurableObjectId): Owner;
}

/** A class is opened with another kind of storage than its objects were written with. */
class ClassMismatchError extends TypeError {
  override readonly name = 'TypeError';
  readonly code = 'CLASS_MISMATCH';
}

/** Finds the number of each class, or assigns one. */
export async function registerClasses(
  classes: Readonly<Record<string, ClassOptions>>,
  registry: ClassRegistry,
  idsOf = (className: string, uniqueKey: string): IdFactory => new IdFactory(className, uniqueKey),
): Promise<ReadonlyMap<string, ClassEntry>> {
  const entries = new Map<string, ClassEntry>();
  const recorded = await registry.recorded();
  for (const [name, options] of Object.entries(classes)) {
    check(name, options);
    const { class: constructor, storage = 'kv', uniqueKey = name, deleteAllDeletesAlarm = false } = options;
    // The storage kind is part of the key: data of one kind cannot be read as the other.
    const key = `${storage}:${uniqueKey}`;
    const other = storage === 'kv' ? 'sql' : 'kv';
    if (recorded.has(`${other}:${uniqueKey}`)) {
      throw new ClassMismatchError(
        `cannot open the class ${name} with storage '${storage}': its objects in this directory were written with '${other}'`,
      );
    }
    const known = recorded.get(key);
    const number = known?.name === name ? known.number : await registry.record(key, name);
    recorded.set(key, { number, name });
    entries.set(
      name,
      makeEntry({
        name,
        class: constructor,
        storage,
        number,
        ids: idsOf(name, uniqueKey),
        deleteAllDeletesAlarm,
        env: options.env,
        exports: options.exports,
        ...(options.load === undefined ? {} : { load: options.load }),
        container: options.container,
      }),
    );
  }
  return entries;
}

/** Every class with objects in this directory, without its code: for operators. */
export async function recordedClasses(registry: ClassRegistry): Promise<ReadonlyMap<string, ClassEntry>> {
  const entries = new Map<string, ClassEntry>();
  for (const [key, { number, name }] of await registry.recorded()) {
    const storage = key.startsWith('sql:') ? 'sql' : 'kv';
    const uniqueKey = key.slice(key.indexOf(':') + 1);
    entries.set(
      name,
      makeEntry({
        name,
        class: Unloaded,
        storage,
        number,
        ids: new IdFactory(name, uniqueKey),
        deleteAllDeletesAlarm: false,
      }),
    );
  }
  return entries;
}

function makeEntry(entry: Omit<ClassEntry, 'ownerOf'>): ClassEntry {
  const owners = new WeakMap<DurableObjectId, Owner>();
  return {
    ...entry,
    ownerOf(id) {
      let owner = owners.get(id);
      if (owner === undefined) {
        owner = encodeOwner(entry.number, id.toString());
        owners.set(id, owner);
      }
      return owner;
    },
  };
}

/** A placeholder for an object whose storage is used without its code. */
export class Unwoken {
  alarm(): void {}
}

class Unloaded {
  constructor() {
    throw new Error('cannot wake an object: this directory was opened without the code of its objects');
  }
}

function check(name: string, options: ClassOptions): void {
  const { class: constructor, storage, uniqueKey = name, deleteAllDeletesAlarm } = options;
  if (typeof constructor !== 'function') {
    throw new TypeError(`classes.${name}.class must be a class: ${String(constructor)}`);
  }
  if (storage !== undefined && storage !== 'kv' && storage !== 'sql') {
    throw new TypeError(`classes.${name}.storage must be 'kv' or 'sql': ${String(storage)}`);
  }
  if (storage === 'sql' && !supportsSqlDatabases()) {
    throw new TypeError(
      `classes.${name}.storage 'sql' needs Node 26 or later: this is ${process.version}; run the program with npx node`,
    );
  }
  if (deleteAllDeletesAlarm !== undefined && typeof deleteAllDeletesAlarm !== 'boolean') {
    throw new TypeError(
      `classes.${name}.deleteAllDeletesAlarm must be true or false: ${String(deleteAllDeletesAlarm)}`,
    );
  }
  if (`${name}${uniqueKey}`.includes('\0'))
    throw new TypeError(`classes.${name} must not have a zero byte in its name`);
}
