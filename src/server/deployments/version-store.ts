/**
 * The versions of a Worker, side by side in a folder: `1/`, `2/`, … each with the files of the project and `version.json`.
 * `state.json` names the one that runs, and those that ran before it. A version never changes once it is there; a copy
 * that was interrupted has a name that is no number, and is removed.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.ts';
import { StartError } from '../data-directory.ts';
import { copyProject } from './copy-project.ts';
import { versionsKept } from './limits.ts';

/** What to run: a configuration, a module, or a folder with a configuration in it. */
export interface Project {
  readonly path: string;
  readonly environment: string | undefined;
}

export interface Version {
  readonly number: number;
  readonly createdAt: string;
  /** Where it was copied from. */
  readonly source: string;
  readonly environment: string | undefined;
  /** Relative to its copy. */
  readonly entry: string;
  readonly digest: string;
}

interface State {
  readonly current: number;
  /** The newest last. */
  readonly before: readonly number[];
}

export class VersionStore {
  readonly #folder: string;
  readonly #data: string;

  /** Made if missing. */
  constructor(data: string) {
    this.#data = data;
    this.#folder = join(data, 'versions');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#folder)) {
      if (name.startsWith('.copy-')) rmSync(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  /** The oldest first. */
  list(): Version[] {
    return readdirSync(this.#folder)
      .filter((name) => /^[1-9]\d*$/.test(name))
      .map(Number)
      .toSorted((one, other) => one - other)
      .map((number) => this.get(number)!);
  }

  get(number: number): Version | undefined {
    return readJson<Version>(join(this.#folder, String(number), 'version.json'));
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

  /** What to load. */
  pathOf({ number, entry }: Version): string {
    return join(this.#folder, String(number), 'project', entry);
  }

  /** Copies a project. If nothing has changed since the version that runs, that one is returned. */
  async add({ path, environment }: Project): Promise<Version> {
    const temporary = join(this.#folder, `.copy-${process.pid}-${Date.now()}`);
    try {
      const copied = await copyProject({ path, to: join(temporary, 'project'), except: this.#data });
      const { current } = this;
      const isSame = current?.digest === copied.digest && current.environment === environment;
      if (isSame && current.entry === copied.entry) return current;
      const number = Math.max(0, ...this.list().map((version) => version.number)) + 1;
      const createdAt = new Date().toISOString();
      const version: Version = { number, createdAt, source: path, environment, ...copied };
      writePrivateFile(join(temporary, 'version.json'), `${JSON.stringify(version, undefined, 2)}\n`);
      renameSync(temporary, join(this.#folder, String(number)));
      return version;
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }

  /** For a version that does not run. */
  remove({ number }: Version): void {
    if (number !== this.#readState()?.current)
      rmSync(join(this.#folder, String(number)), { recursive: true, force: true });
  }

  /** Notes that a version runs. One that ran before and is run again is a step back: what came after it is forgotten. */
  setCurrent({ number }: Version): void {
    const state = this.#readState();
    if (state?.current === number) return;
    const ran = state === undefined ? [] : [...state.before, state.current];
    const isBack = ran.includes(number);
    const before = (isBack ? ran.slice(0, ran.indexOf(number)) : ran).slice(-versionsKept);
    const next: State = { current: number, before };
    writePrivateFile(join(this.#folder, 'state.json'), `${JSON.stringify(next)}\n`);
    this.#removeOld(next);
  }

  #removeOld({ current }: State): void {
    const others = this.list().filter(({ number }) => number !== current);
    for (const version of others.slice(0, -versionsKept)) this.remove(version);
  }

  #readState(): State | undefined {
    return readJson<State>(join(this.#folder, 'state.json'));
  }
}

function readJson<Value>(file: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
