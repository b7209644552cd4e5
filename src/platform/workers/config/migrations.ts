/**
 * The classes that a configuration declares, and how each is stored: by `exports`, or after all of its migrations in
 * order.
 *
 * A renamed class keeps its objects: they are stored under `uniqueKey`, the first name of the class. The objects of a
 * deleted class stay on disk, unreachable; a class that is later created under the same name starts empty.
 */
import type { Section } from './section.ts';

export interface DeclaredClass {
  readonly storage: 'sql' | 'kv';
  readonly uniqueKey: string;
  /** The class of another Worker whose objects it took over. */
  readonly from?: { readonly script: string; readonly className: string };
}

export interface Declarations {
  readonly classes: ReadonlyMap<string, DeclaredClass>;
  readonly deleted: ReadonlySet<string>;
}

export function declaredClasses(config: Section): Declarations {
  const exported = config.section('exports');
  if (exported !== undefined) return readExports(config, exported);
  const fold = new MigrationFold();
  for (const migration of config.sections('migrations')) fold.apply(migration);
  return fold;
}

/** The newer form: without history, only the current classes. */
function readExports(config: Section, exported: Section): Declarations {
  if (config.sections('migrations').length > 0) {
    throw config.error('`migrations` and `exports` are mutually exclusive: leave one of them out');
  }
  const classes = new Map<string, DeclaredClass>();
  const deleted = new Set<string>();
  for (const name of exported.keys) {
    const entry = exported.section(name)!;
    if (entry.requiredString('type') !== 'durable-object') continue;
    const storage = entry.string('storage') ?? 'sqlite';
    if (storage !== 'sqlite' && storage !== 'legacy-kv') {
      throw entry.error(`exports.${name}.storage must be sqlite or legacy-kv: ${JSON.stringify(storage)}`);
    }
    if (entry.string('state') === 'deleted') deleted.add(name);
    else classes.set(name, { storage: storage === 'sqlite' ? 'sql' : 'kv', uniqueKey: name });
  }
  return { classes, deleted };
}

class MigrationFold implements Declarations {
  readonly classes = new Map<string, DeclaredClass>();
  readonly deleted = new Set<string>();
  readonly #tags = new Set<string>();
  readonly #keysUsed = new Set<string>();

  apply(migration: Section): void {
    const tag = migration.requiredString('tag');
    if (this.#tags.has(tag)) throw migration.error(`two migrations have the tag "${tag}"`);
    this.#tags.add(tag);
    for (const name of migration.strings('deleted_classes')) this.#delete(name, tag, migration);
    for (const rename of migration.sections('renamed_classes')) {
      this.#rename(rename.requiredString('from'), rename.requiredString('to'), tag, migration);
    }
    for (const transfer of migration.sections('transferred_classes')) {
      const from = {
        script: transfer.requiredString('from_script'),
        className: transfer.requiredString('from'),
      };
      const to = transfer.requiredString('to');
      this.#create(to, 'sql', tag, migration);
      this.classes.set(to, { ...this.classes.get(to)!, from });
    }
    for (const name of migration.strings('new_classes')) this.#create(name, 'kv', tag, migration);
    for (const name of migration.strings('new_sqlite_classes')) this.#create(name, 'sql', tag, migration);
  }

  #create(name: string, storage: 'sql' | 'kv', tag: string, migration: Section): void {
    this.#mustNotExist(name, tag, migration);
    let uniqueKey = name;
    for (let life = 2; this.#keysUsed.has(uniqueKey); life++) uniqueKey = `${name}~${life}`;
    this.#keysUsed.add(uniqueKey);
    this.classes.set(name, { storage, uniqueKey });
    this.deleted.delete(name);
  }

  #rename(from: string, to: string, tag: string, migration: Section): void {
    const declared = this.#mustExist(from, tag, migration);
    this.#mustNotExist(to, tag, migration);
    this.classes.delete(from);
    this.classes.set(to, declared);
    this.deleted.delete(to);
  }

  #delete(name: string, tag: string, migration: Section): void {
    this.#mustExist(name, tag, migration);
    this.classes.delete(name);
    this.deleted.add(name);
  }

  #mustExist(name: string, tag: string, migration: Section): DeclaredClass {
    const declared = this.classes.get(name);
    if (declared !== undefined) return declared;
    throw migration.error(`migration "${tag}" changes the class ${name}, which no earlier migration creates`);
  }

  #mustNotExist(name: string, tag: string, migration: Section): void {
    if (!this.classes.has(name)) return;
    throw migration.error(`migration "${tag}" creates the class ${name}, which exists already`);
  }
}
