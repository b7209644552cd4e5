/**
 * The state of a Worker's migrations: its classes of objects, and the storage key of each. A renamed class keeps its
 * objects; a deleted one loses them, and one that is later created under the same name starts with none. A transferred
 * class takes the objects of another Worker's class, which that Worker loses.
 */
import { randomBytes } from 'node:crypto';
import { fault, workerCodes } from '#contract';
import { createKeyBeside } from '#objects';
import type { ScriptBinding, ScriptClass } from '../../context/worker-host.ts';
import type { VersionRow, WorkerRow } from '../../stores/workers.ts';
import {
  refuseUnsupported,
  refuseUpload,
  type SentMetadata,
  type SentMigrations,
  type SentStep,
} from './read-upload.ts';

export type ClassState = Pick<WorkerRow, 'migrationTag' | 'classes' | 'classKeys'>;

export interface MigratedClasses extends ClassState {
  /** Names of classes that these migrations create. */
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  /** Classes that belonged to other Workers. */
  readonly transferred: readonly ClassTransfer[];
}

/** A class in its current form, and the class of the other Worker whose objects it takes. */
export interface ClassTransfer {
  readonly script: string;
  readonly from: ScriptClass;
  /** Undefined if a later step deletes it. */
  readonly to: ScriptClass | undefined;
}

/** The classes of other Workers by Worker name; undefined for a Worker that does not exist. */
export type TransferSources = ReadonlyMap<string, Pick<ClassState, 'classes'> | undefined>;

export const noClasses: ClassState = { migrationTag: null, classes: [], classKeys: [] };

/** Classes of one Worker. */
const classesMax = 200;

/** The class changes of an upload, or of a version that was uploaded earlier. */
export type ClassChanges = Pick<SentMetadata, 'migrations' | 'exports'>;

/** The Workers whose classes an upload takes. */
export function listTransferSources({ migrations }: ClassChanges): string[] {
  const { steps, ...single } = (migrations ?? {}) as SentMigrations;
  const all = (steps ?? [single]).flatMap(({ transferred_classes: classes = [] }) => classes);
  return [...new Set(all.map(({ from_script: script }) => script))];
}

export function migrateClasses(
  before: ClassState,
  { migrations, exports }: ClassChanges,
  sources: TransferSources = new Map(),
): MigratedClasses {
  const migrating = new Migrating(before, sources);
  if (exports !== undefined) {
    if (migrations !== undefined)
      throw refuseUpload('an upload has either migrations or exports: leave one of them out');
    migrating.reconcile(exports);
    return { ...migrating.state, migrationTag: before.migrationTag };
  }
  if (migrations === undefined) return { ...before, created: [], deleted: [], transferred: [] };
  const { old_tag: given = '', new_tag: tag, steps, ...single } = migrations as SentMigrations;
  const expected = before.migrationTag ?? '';
  if (given !== expected) throw fault(workerCodes.migrationTag, { fill: { given, expected } });
  for (const step of steps ?? [single]) migrating.apply(step);
  return { ...migrating.state, migrationTag: tag ?? before.migrationTag };
}

/** The classes once a version is deployed, including migrations that waited for the deployment. */
export function migrateWaiting(
  before: ClassState,
  { classChanges: changes }: Pick<VersionRow, 'classChanges'>,
): MigratedClasses {
  return migrateClasses(before, changes === null || changes.isApplied ? {} : changes.sent);
}

/** Whether a version fits the existing classes: every bound class exists, and every existing class is exported. */
export function checkClasses(
  { classes, created = [], deleted = [] }: Pick<ClassState, 'classes'> & Partial<MigratedClasses>,
  version: {
    readonly worker: string;
    readonly bindings: readonly ScriptBinding[];
    readonly exported: readonly string[] | undefined;
  },
): void {
  const { worker, bindings, exported } = version;
  const names = new Set(classes.map(({ name }) => name));
  for (const binding of bindings) {
    if (binding.type !== 'durable_object_namespace') continue;
    const name = String(binding['class_name']);
    // Objects of another Worker were stored under a class of this one.
    const isOwn = binding['script_name'] === undefined || binding['script_name'] === worker;
    if (names.has(name) || !isOwn) continue;
    throw fault(workerCodes.classNotBindable, {
      fill: {
        reason: deleted.includes(name)
          ? `Cannot apply --delete-class migration to class '${name}' without also removing the binding that references it.`
          : `Cannot create binding for class '${name}' because it is not currently configured to implement Durable Objects. Ensure a --new-class migration has been applied to it.`,
      },
    });
  }
  if (exported === undefined) return;
  for (const name of names) {
    if (exported.includes(name)) continue;
    throw fault(
      created.includes(name) ? workerCodes.migratedClassNotExported : workerCodes.classNotExported,
      { fill: { name } },
    );
  }
}

class Migrating {
  readonly #classes: Map<string, ScriptClass>;
  readonly #keys: Set<string>;
  readonly #created = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #sources: TransferSources;
  /** By the new key of the objects. */
  readonly #transferred = new Map<string, { readonly script: string; readonly from: ScriptClass }>();

  constructor({ classes, classKeys }: ClassState, sources: TransferSources) {
    this.#sources = sources;
    this.#classes = new Map(classes.map((each) => [each.name, each]));
    this.#keys = new Set(classKeys);
  }

  get state(): Omit<MigratedClasses, 'migrationTag'> {
    if (this.#classes.size > classesMax)
      throw refuseUpload(`a Worker has at most ${classesMax} classes of objects`);
    return {
      classes: [...this.#classes.values()],
      classKeys: [...this.#keys],
      created: [...this.#created].filter((name) => this.#classes.has(name)),
      deleted: [...this.#deleted].filter((name) => !this.#classes.has(name)),
      transferred: Array.from(this.#transferred, ([key, { script, from }]) => ({
        script,
        from,
        to: [...this.#classes.values()].find(({ uniqueKey }) => uniqueKey === key),
      })),
    };
  }

  apply(step: SentStep): void {
    for (const name of step.deleted_classes ?? []) this.#delete(name);
    for (const { from, to } of step.renamed_classes ?? []) this.#rename(from, to);
    for (const transfer of step.transferred_classes ?? []) this.#transfer(transfer);
    for (const name of step.new_classes ?? []) this.#create(name, 'kv');
    for (const name of step.new_sqlite_classes ?? []) this.#create(name, 'sql');
  }

  /** The newer form: without history, only the desired classes. */
  reconcile(exports: NonNullable<SentMetadata['exports']>): void {
    const all = Object.entries(exports).filter(([, { type }]) => type === 'durable-object');
    for (const [name, { state }] of all) if (state === 'renamed') this.#renameExported(name, exports);
    for (const [name, { storage = 'sqlite', state }] of all) {
      if (state === 'renamed') continue;
      if (state === 'deleted') {
        if (this.#classes.has(name)) this.#delete(name);
        continue;
      }
      if (state !== undefined && state !== 'created')
        throw refuseUnsupported(
          `exports.${name}.state is "${state.slice(0, 40)}": to take over the objects of another Worker, use migrations with transferred_classes`,
        );
      const wanted = storage === 'legacy-kv' ? 'kv' : 'sql';
      const found = this.#classes.get(name);
      if (found === undefined) this.#create(name, wanted);
      else if (found.storage !== wanted)
        throw fault(workerCodes.exportsRefused, {
          fill: { reason: `The storage of the class '${name}' cannot be changed once it has been created.` },
        });
    }
    const left = [...this.#classes.keys()].find((name) => !Object.hasOwn(exports, name));
    if (left === undefined) return;
    throw fault(workerCodes.exportsRefused, {
      fill: {
        reason: `exports does not name the class '${left}', which has objects: name it, or give it the state "deleted".`,
      },
    });
  }

  #create(name: string, storage: ScriptClass['storage']): void {
    if (this.#classes.has(name))
      throw impossible(
        `Cannot apply new-class migration to class '${name}' that is already depended on by existing Durable Objects`,
      );
    let uniqueKey = name;
    for (let life = 2; this.#keys.has(uniqueKey); life++) uniqueKey = `${name}~${life}`;
    this.#keys.add(uniqueKey);
    this.#classes.set(name, { name, storage, uniqueKey });
    this.#created.add(name);
  }

  #rename(from: string, to: string): void {
    const found = this.#require(from, 'rename');
    if (this.#classes.has(to))
      throw impossible(
        `Cannot apply rename-class migration to class '${to}' that is already depended on by existing Durable Objects`,
      );
    this.#classes.delete(from);
    this.#classes.set(to, { ...found, name: to });
    this.#created.add(to);
  }

  /** An entry of `exports` with the current name of a class; it may stay there permanently. */
  #renameExported(from: string, exports: NonNullable<SentMetadata['exports']>): void {
    const to = exports[from]!.renamed_to;
    if (to === undefined || !Object.hasOwn(exports, to) || exports[to]!.state === 'renamed')
      throw fault(workerCodes.exportsRefused, {
        fill: {
          reason: `exports.${from}.renamed_to must name a class that exports has: ${String(to).slice(0, 100)}`,
        },
      });
    if (this.#classes.has(from)) this.#rename(from, to);
  }

  /** The class takes over the objects, and their ids, from a class of another Worker. */
  #transfer({ from, from_script: script, to }: NonNullable<SentStep['transferred_classes']>[number]): void {
    const refuse = (why: string): ReturnType<typeof fault> =>
      impossible(`Cannot apply transfer-class migration to class '${to}': ${why}`);
    const source = this.#sources.get(script);
    if (source === undefined) throw refuse(`there is no other Worker '${script}' in this account`);
    const found = source.classes.find(({ name }) => name === from);
    if (found === undefined)
      throw refuse(`the Worker '${script}' has no class '${from}' that a migration has created`);
    if ([...this.#transferred.values()].some(({ from: taken }) => taken === found))
      throw refuse(`the class '${from}' of the Worker '${script}' is transferred twice`);
    if (this.#classes.has(to)) throw refuse('it is already depended on by existing Durable Objects');
    const uniqueKey = createKeyBeside(found.uniqueKey, randomBytes(8).toString('hex'));
    this.#keys.add(uniqueKey);
    this.#classes.set(to, { name: to, storage: found.storage, uniqueKey });
    this.#created.add(to);
    this.#transferred.set(uniqueKey, { script, from: found });
  }

  #delete(name: string): void {
    this.#require(name, 'delete');
    this.#classes.delete(name);
    this.#deleted.add(name);
  }

  #require(name: string, change: 'rename' | 'delete'): ScriptClass {
    const found = this.#classes.get(name);
    if (found !== undefined) return found;
    throw impossible(
      `Cannot apply ${change}-class migration to class '${name}' that no migration has created`,
    );
  }
}

function impossible(reason: string): ReturnType<typeof fault> {
  return fault(workerCodes.migrationImpossible, { fill: { reason } });
}
