/**
 * The versions of a Worker, side by side in a folder: `1/`, `2/`, … each with its built code and `version.json`, which
 * is written last: a folder without it and its copy is a failed or interrupted build. `state.json` names the running
 * version and its predecessors. Both have a checksum and a copy. A complete version never changes.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize } from 'node:v8';
import { StartError } from '#base';
import { makeDirectory, readDecidingFile, realFileSystem, writeDecidingFile } from '#files';
import type { BuiltProject } from '#workers';
import { versionsKept } from './limits.ts';

/** What to build: a configuration, a module, or a folder with a configuration in it. */
export interface Project {
  readonly path: string;
  readonly environment: string | undefined;
  /** Paths of Workers that run beside it. */
  readonly workers: readonly string[];
}

export interface StoredVersion extends Project {
  readonly number: number;
  readonly createdAt: string;
  readonly digest: string;
}

interface RunHistory {
  readonly current: number;
  /** Newest last. */
  readonly before: readonly number[];
}

export class VersionStore {
  readonly #folder: string;

  /** Created if missing. */
  constructor(data: string) {
    this.#folder = join(data, 'versions');
    makeDirectory(this.#folder);
  }

  /** Oldest first. */
  list(): StoredVersion[] {
    return this.#listNumbers().flatMap((number) => this.get(number) ?? []);
  }

  get(number: number): StoredVersion | undefined {
    return read<StoredVersion>(join(this.folderOf(number), versionFile), versionKeys);
  }

  /** The version that runs, or ran last. */
  get current(): StoredVersion | undefined {
    const state = this.#readState();
    return state === undefined ? undefined : this.get(state.current);
  }

  /** The version that ran before the current one. */
  get previous(): StoredVersion | undefined {
    const number = this.#readState()?.before.findLast((each) => this.get(each) !== undefined);
    return number === undefined ? undefined : this.get(number);
  }

  folderOf(number: number): string {
    return join(this.#folder, String(number));
  }

  /** The number of the next version; its folder exists and is empty. */
  reserve(): number {
    this.#removeUnfinished();
    const number = Math.max(0, ...this.#listNumbers()) + 1;
    makeDirectory(this.folderOf(number));
    return number;
  }

  /** Must be called when the build is complete. */
  finish(number: number, project: Project, digest: string): StoredVersion {
    const version: StoredVersion = { number, createdAt: new Date().toISOString(), digest, ...project };
    writeDecidingFile(realFileSystem, join(this.folderOf(number), versionFile), version);
    return version;
  }

  /** The version must not be running. */
  remove(number: number): void {
    if (number !== this.#readState()?.current)
      rmSync(this.folderOf(number), { recursive: true, force: true });
  }

  /**
   * Records that a version runs. Running an earlier version again is a rollback: its successors are dropped from the
   * history.
   */
  setCurrent({ number }: StoredVersion): void {
    const state = this.#readState();
    if (state?.current === number) return;
    const ran = state === undefined ? [] : [...state.before, state.current];
    const isBack = ran.includes(number);
    const before = (isBack ? ran.slice(0, ran.indexOf(number)) : ran).slice(-versionsKept);
    const next: RunHistory = { current: number, before };
    writeDecidingFile(realFileSystem, join(this.#folder, 'state.json'), next);
    const others = this.list().filter((version) => version.number !== number);
    for (const version of others.slice(0, -versionsKept)) this.remove(version.number);
  }

  #removeUnfinished(): void {
    for (const number of this.#listNumbers()) if (this.get(number) === undefined) this.remove(number);
  }

  #listNumbers(): number[] {
    return readdirSync(this.#folder)
      .filter((name) => /^[1-9]\d*$/.test(name))
      .map(Number)
      .toSorted((one, other) => one - other);
  }

  #readState(): RunHistory | undefined {
    return read<RunHistory>(join(this.#folder, 'state.json'), stateKeys);
  }
}

const versionFile = 'version.json';
const versionKeys = ['number', 'createdAt', 'digest', 'path', 'environment', 'workers'];
const stateKeys = ['current', 'before'];

/** The built code in the folder of a version. */
export const builtFile = 'built.bin';

export function readVersion(folder: string): readonly BuiltProject[] {
  return deserialize(readFileSync(join(folder, builtFile))) as readonly BuiltProject[];
}

/** A Worker, and the stores that its configuration declares. */
export interface WorkerBindings {
  readonly worker: string;
  readonly declared: BuiltProject['config']['declared'];
}

/**
 * The bindings of the version that ran last in a data directory; none if there is none. The directory is not changed.
 */
export function readDeclared(data: string): readonly WorkerBindings[] {
  if (!existsSync(join(data, 'versions'))) return [];
  const versions = new VersionStore(data);
  const { current } = versions;
  if (current === undefined) return [];
  return readVersion(versions.folderOf(current.number)).map(({ config: { name, declared } }) => ({
    worker: name,
    declared,
  }));
}

/** The content of the file, or of its copy, if it is complete. */
function read<Value extends object>(file: string, keys: readonly string[]): Value | undefined {
  if (!existsSync(dirname(file))) return undefined;
  const found = readDecidingFile(realFileSystem, file, {
    keys,
    parse: (value) => value as Value,
  });
  if (found.state === 'damaged')
    throw new StartError(
      `${found.reason}: put it back from a backup, or remove ${dirname(file)} to build again`,
    );
  return found.state === 'whole' ? found.value : undefined;
}
