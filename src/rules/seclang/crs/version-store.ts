/**
 * The installed versions in a data directory:
 *
 * ```
 * crs/versions/<version>/manifest.json   where it came from, and its files in order
 * crs/versions/<version>/*               its files
 * crs/current                            the version in force
 * ```
 *
 * - A version is complete or absent: it is written under a temporary name, and renamed.
 * - `current` is replaced by a rename, so a reader sees the old version or the new one.
 * - A version is loaded completely before it is installed or put in force; files that were changed since are refused.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DecidingFile,
  makeDirectory,
  readDecidingFile,
  realFileSystem,
  removeDecidingFile,
  writeDecidingFile,
} from '#files';
import { loadRules } from '../load-rules.ts';
import { SecLangError } from '../problem.ts';
import { CrsError } from './problem.ts';
import { coreRulesFrom, type CoreRules, type RuleFiles, toRuleSource } from './rule-files.ts';
import type { FoundRules } from './sources/choose-files.ts';

export interface InstalledVersion {
  readonly version: string;
  /** A readable description of the origin. */
  readonly source: string;
  readonly installedAt: string;
  readonly digest: string;
  readonly isCurrent: boolean;
}

interface Manifest extends Omit<InstalledVersion, 'isCurrent'> {
  readonly format: 1;
  readonly files: readonly string[];
  readonly data: readonly string[];
}

/** Which version is in force. */
interface Current {
  readonly version: string;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9.+~_-]{0,63}$/;

export class VersionStore {
  /** The folder that changes whenever another version is put in force. */
  readonly directory: string;

  constructor(dataDirectory: string) {
    this.directory = join(dataDirectory, 'crs');
  }

  /** The newest first. */
  list(): readonly InstalledVersion[] {
    const current = this.#readCurrentName();
    return this.#listNames()
      .map((name) => {
        const { version, source, installedAt, digest } = this.#readManifest(name);
        return { version, source, installedAt, digest, isCurrent: version === current };
      })
      .toSorted((a, b) => (a.installedAt < b.installedAt ? 1 : -1));
  }

  /** The version with this name or unique prefix. */
  find(given: string): string {
    const names = this.#listNames();
    if (names.includes(given)) return given;
    const [found, ...others] = names.filter((name) => name.startsWith(given));
    if (found !== undefined && others.length === 0) return found;
    if (found !== undefined) throw new CrsError(`${given} can be ${[found, ...others].join(' or ')}`);
    throw new CrsError(
      names.length === 0
        ? 'no version is installed: gatehouse crs install'
        : `there is no version ${given}: installed are ${names.join(', ')}`,
    );
  }

  read(version: string): CoreRules {
    const folder = this.#folderOf(version);
    const manifest = this.#readManifest(version);
    const read = (names: readonly string[]) =>
      names.map((name) => ({ name, text: readFileSync(join(folder, name), 'latin1') }));
    const rules = coreRulesFrom(
      version,
      { files: read(manifest.files), data: read(manifest.data) },
      manifest.installedAt,
    );
    if (rules.digest === manifest.digest) return rules;
    throw new CrsError(
      `the files in ${folder} are not those that were installed: remove and install ${version} again`,
    );
  }

  /** Undefined if no version is in force. */
  readCurrent(): CoreRules | undefined {
    const version = this.#readCurrentName();
    return version === undefined ? undefined : this.read(version);
  }

  /** Throws with file and line if it cannot be loaded. Does not put it in force. */
  install(found: FoundRules, { version = found.version, now = new Date() } = {}): CoreRules {
    if (version === undefined)
      throw new CrsError(`the rules in ${found.source} do not name their version: choose one with --name`);
    if (!namePattern.test(version)) throw new CrsError(`${version} cannot be the name of a version`);
    const rules = coreRulesFrom(version, found, now.toISOString());
    const known = this.#listNames().includes(version) ? this.#readManifest(version) : undefined;
    if (known?.digest === rules.digest) return this.read(version);
    if (known !== undefined)
      throw new CrsError(
        `another ${version} is installed: choose another name with --name, or remove it first`,
      );
    checkRules(rules);
    this.#write(rules, found.source);
    return rules;
  }

  /** Throws if the version cannot be loaded; then the current one stays in force. */
  use(version: string): CoreRules {
    const rules = this.read(version);
    checkRules(rules);
    writeDecidingFile(realFileSystem, this.#currentFile, { version });
    return rules;
  }

  /** No version is in force from now on. */
  useNone(): void {
    if (existsSync(this.directory)) removeDecidingFile(realFileSystem, this.#currentFile);
  }

  remove(version: string): void {
    const folder = this.#folderOf(version);
    if (this.#readCurrentName() === version)
      throw new CrsError(
        `${version} is in force: put another version in force first, or none (gatehouse crs use none)`,
      );
    rmSync(folder, { recursive: true });
  }

  #write({ version, digest, installedAt, files, data }: CoreRules, source: string): void {
    const folder = this.#folderOf(version);
    const incoming = `${folder}.incoming`;
    rmSync(incoming, { recursive: true, force: true });
    makeDirectory(incoming);
    for (const { name, text } of [...files, ...data]) {
      if (!/^[^/\\\0]+$/.test(name) || name.startsWith('.')) throw new CrsError(`${name} is not a file name`);
      writeFileSync(join(incoming, name), text, { encoding: 'latin1', flush: true, flag: 'wx', mode: 0o600 });
    }
    const names = (list: RuleFiles['files']) => list.map(({ name }) => name);
    const manifest: Manifest = {
      format: 1,
      version,
      source,
      installedAt,
      digest,
      files: names(files),
      data: names(data),
    };
    writeFileSync(join(incoming, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`, {
      flush: true,
      mode: 0o600,
    });
    renameSync(incoming, folder);
  }

  #listNames(): readonly string[] {
    try {
      return readdirSync(join(this.directory, 'versions')).filter((name) => !name.endsWith('.incoming'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #folderOf(version: string): string {
    if (!namePattern.test(version)) throw new CrsError(`${version} cannot be the name of a version`);
    return join(this.directory, 'versions', version);
  }

  #readManifest(version: string): Manifest {
    const path = join(this.#folderOf(version), 'manifest.json');
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    } catch (error) {
      throw new CrsError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Rewrites the name of the version in force if its file or the copy of it is damaged; returns the problem. */
  mend(): string | undefined {
    const found = this.#readCurrentFile();
    if (found.state !== 'whole' || found.flaw === undefined) return undefined;
    writeDecidingFile(realFileSystem, this.#currentFile, found.value);
    return found.flaw;
  }

  #readCurrentName(): string | undefined {
    const found = this.#readCurrentFile();
    if (found.state === 'damaged')
      throw new CrsError(
        `it is not known which version is in force: ${found.reason}. Say it with gatehouse crs use VERSION`,
      );
    return found.state === 'whole' ? found.value.version : undefined;
  }

  #readCurrentFile(): DecidingFile<Current> {
    if (!existsSync(this.directory)) return { state: 'absent' };
    return readDecidingFile(realFileSystem, this.#currentFile, { keys: ['version'], parse: parseCurrent });
  }

  get #currentFile(): string {
    return join(this.directory, 'current');
  }
}

function parseCurrent(value: object): Current | undefined {
  const { version } = value as Partial<Current>;
  return typeof version === 'string' ? { version } : undefined;
}

function checkRules(rules: RuleFiles): void {
  try {
    loadRules(toRuleSource(rules));
  } catch (error) {
    if (!(error instanceof SecLangError) && !(error instanceof RangeError)) throw error;
    throw new CrsError(error.message, { cause: error });
  }
}
