/**
 * The versions of a Worker, side by side in a folder: `1/`, `2/`, … each with its built code and `version.json`, which is
 * written last: a folder without it and its copy is a build that failed or was interrupted. `state.json` names the version
 * that runs, and those that ran before it. Both have a checksum and a copy. A version never changes once it is there.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize } from 'node:v8';
import { makeDirectory, readDecidingFile, realFileSystem, StartError, writeDecidingFile } from '#base';
import type { BuiltProject } from '#workers';
import { versionsKept } from './limits.ts';

/** What to build: a configuration, a module, or a folder with a configuration in it. */
export interface Project {
  readonly path: string;
  readonly environment: string | undefined;
  /** Paths of Workers that run beside it. */
  readonly workers: readonly string[];
}

export interface Version extends Project {
  readonly number: number;
  readonly createdAt: string;
  readonly digest: string;
}

interface State {
  readonly current: number;
  /** The newest last. */
  readonly before: readonly number[];
}

export class VersionStore {
  readonly #folder: string;

  /** Made if missing. */
  constructor(data: string) {
    this.#folder = join(data, 'versions');
    makeDirectory(this.#folder);
  }

  /** The oldest first. */
  list(): Version[] {
    return this.#listNumbers().flatMap((number) => this.get(number) ?? []);
  }

  get(number: number): Version | undefined {
    return read<Version>(join(this.folderOf(number), versionFile), versionKeys);
  }

  /** The one that runs, or that ran last. */
  get current(): Version | undefined {
    const state = this.#readState();
    return state === undefined ? undefined : this.get(state.current);
  }

  /** The one that ran before the current one. */
  get previous(): Version | undefined {
    const number = this.#readState()?.before.findLast((each) => this.get(each) !== undefined);
    return number === undefined ? undefined : this.get(number);
  }

  folderOf(number: number): string {
    return join(this.#folder, String(number));
  }

  /** The number of a version to come; its folder is there and empty. */
  reserve(): number {
    this.#removeUnfinished();
    const number = Math.max(0, ...this.#listNumbers()) + 1;
    makeDirectory(this.folderOf(number));
    return number;
  }

  /** The build is complete. */
  finish(number: number, project: Project, digest: string): Version {
    const version: Version = { number, createdAt: new Date().toISOString(), digest, ...project };
    writeDecidingFile(realFileSystem, join(this.folderOf(number), versionFile), version);
    return version;
  }

  /** For a version that does not run. */
  remove(number: number): void {
    if (number !== this.#readState()?.current)
      rmSync(this.folderOf(number), { recursive: true, force: true });
  }

  /** Notes that a version runs. One that ran before and is run again is a step back: what came after it is forgotten. */
  setCurrent({ number }: Version): void {
    const state = this.#readState();
    if (state?.current === number) return;
    const ran = state === undefined ? [] : [...state.before, state.current];
    const isBack = ran.includes(number);
    const before = (isBack ? ran.slice(0, ran.indexOf(number)) : ran).slice(-versionsKept);
    const next: State = { current: number, before };
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

  #readState(): State | undefined {
    return read<State>(join(this.#folder, 'state.json'), stateKeys);
  }
}

const versionFile = 'version.json';
const versionKeys = new Set(['number', 'createdAt', 'digest', 'path', 'environment', 'workers']);
const stateKeys = new Set(['current', 'before']);

/** In the folder of a version: what was built. */
export const builtFile = 'built.bin';

export function readVersion(folder: string): readonly BuiltProject[] {
  return deserialize(readFileSync(join(folder, builtFile))) as readonly BuiltProject[];
}

/** A Worker, and the stores that its configuration declares. */
export interface WorkerBindings {
  readonly worker: string;
  readonly declared: BuiltProject['config']['declared'];
}

/** Those of the version that ran last in a data directory; none if there is none. Nothing is made there. */
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

/** What was written whole, from the file or its copy. */
function read<Value extends object>(file: string, keys: ReadonlySet<string>): Value | undefined {
  if (!existsSync(dirname(file))) return undefined;
  const found = readDecidingFile(realFileSystem, file, (value, hasChecksum) =>
    hasChecksum || Object.keys(value).every((key) => keys.has(key)) ? (value as Value) : undefined,
  );
  if (found.state === 'damaged')
    throw new StartError(
      `${found.reason}: put it back from a backup, or remove ${dirname(file)} to build again`,
    );
  return found.state === 'whole' ? found.value : undefined;
}
