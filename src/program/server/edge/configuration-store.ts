/**
 * The last configurations of an edge, stored on disk so that it can start while its control plane is unavailable:
 *
 * ```
 * <directory>/account.json     what the zones share; without it, the other files are not used
 * <directory>/core-rules.json  the OWASP rules, if there are any
 * <directory>/<zone id>.json   the configuration of a zone
 * <directory>/names.json       the names of zones by id, so that the start need not read every file
 * <directory>/complete         exists once every zone had its file
 * ```
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CoreRules } from '#seclang';
import type { Edge } from '#edge';
import { writePrivateFile } from '#files';

type ZonePart = Parameters<Edge['updateZone']>[0];
type AccountPart = Parameters<Edge['updateAccount']>[0];
type NamedZone = Pick<ZonePart['zone'], 'id' | 'name'>;

const zoneIdPattern = /^[0-9a-f]{32}$/;
const suffix = '.json';

export class ConfigurationStore {
  readonly #directory: string;
  readonly #zoneIds: Set<string>;

  constructor(directory: string) {
    this.#directory = directory;
    // Files without an account are those of version 0.1.0, in which each file was complete.
    if (!existsSync(this.#accountPath)) rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const ids = readdirSync(directory)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length));
    this.#zoneIds = new Set(ids.filter((id) => zoneIdPattern.test(id)));
  }

  /** Undefined if nothing is stored. */
  readAccount(): AccountPart | undefined {
    return existsSync(this.#accountPath) ? (readJson(this.#accountPath) as AccountPart) : undefined;
  }

  keepAccount(account: AccountPart): void {
    writePrivateFile(this.#accountPath, JSON.stringify(account));
  }

  /** Undefined if none are stored. */
  readCoreRules(): CoreRules | undefined {
    return existsSync(this.#coreRulesPath) ? (readJson(this.#coreRulesPath) as CoreRules) : undefined;
  }

  keepCoreRules(rules: CoreRules | undefined): void {
    if (rules === undefined) rmSync(this.#coreRulesPath, { force: true });
    else writePrivateFile(this.#coreRulesPath, JSON.stringify(rules));
  }

  /** The stored zones. `onError` receives those whose files cannot be read; they are omitted. */
  listZones(onError: (zoneId: string, error: unknown) => void): NamedZone[] {
    const names = this.#readNames();
    return [...this.#zoneIds].flatMap((id) => {
      try {
        return [{ id, name: names[id] ?? this.read(id).zone.name }];
      } catch (error) {
        onError(id, error);
        this.#zoneIds.delete(id);
        return [];
      }
    });
  }

  has(zoneId: string): boolean {
    return this.#zoneIds.has(zoneId);
  }

  get isComplete(): boolean {
    return existsSync(this.#completePath);
  }

  read(zoneId: string): ZonePart {
    return readJson(this.#formatPath(zoneId)) as ZonePart;
  }

  keep(part: ZonePart): void {
    const { id } = part.zone;
    const [path, text] = [this.#formatPath(id), JSON.stringify(part)];
    if (this.has(id) && readFileSync(path, 'utf8') === text) return;
    writePrivateFile(path, text);
    this.#zoneIds.add(id);
  }

  remove(zoneId: string): void {
    rmSync(this.#formatPath(zoneId), { force: true });
    this.#zoneIds.delete(zoneId);
  }

  /** Must be called when every zone has its file. */
  complete(zones: Iterable<NamedZone>): void {
    const names = Object.fromEntries(Array.from(zones, ({ id, name }) => [id, name]));
    writePrivateFile(this.#namesPath, JSON.stringify(names));
    if (!this.isComplete) writePrivateFile(this.#completePath, '');
  }

  #readNames(): Readonly<Record<string, string>> {
    try {
      return readJson(this.#namesPath) as Readonly<Record<string, string>>;
    } catch {
      // The zones' own files also contain the names.
      return {};
    }
  }

  get #accountPath(): string {
    return join(this.#directory, 'account.json');
  }

  get #coreRulesPath(): string {
    return join(this.#directory, 'core-rules.json');
  }

  get #namesPath(): string {
    return join(this.#directory, 'names.json');
  }

  get #completePath(): string {
    return join(this.#directory, 'complete');
  }

  #formatPath(zoneId: string): string {
    if (!zoneIdPattern.test(zoneId)) throw new TypeError(`a zone's id has 32 hexadecimal digits: ${zoneId}`);
    return join(this.#directory, `${zoneId}${suffix}`);
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
