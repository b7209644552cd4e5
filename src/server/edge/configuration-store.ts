/**
 * The last configurations of an edge, stored on disk so that it can start while its control plane is away:
 *
 * ```
 * <directory>/<zone id>.json   the configuration of a zone
 * <directory>/complete         exists once every zone had its file
 * ```
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Edge } from '#edge';
import { writePrivateFile } from '../private-file.ts';

type Configuration = Parameters<Edge['update']>[0];

const zoneIdPattern = /^[0-9a-f]{32}$/;
const suffix = '.json';

export class ConfigurationStore {
  readonly #directory: string;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
  }

  get zoneIds(): readonly string[] {
    return readdirSync(this.#directory)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length))
      .filter((id) => zoneIdPattern.test(id));
  }

  get isComplete(): boolean {
    return readdirSync(this.#directory).includes('complete');
  }

  read(zoneId: string): Configuration {
    return JSON.parse(readFileSync(this.#formatPath(zoneId), 'utf8')) as Configuration;
  }

  keep(configuration: Configuration): void {
    writePrivateFile(this.#formatPath(configuration.zone.id), JSON.stringify(configuration));
  }

  remove(zoneId: string): void {
    rmSync(this.#formatPath(zoneId), { force: true });
  }

  complete(): void {
    if (!this.isComplete) writePrivateFile(join(this.#directory, 'complete'), '');
  }

  #formatPath(zoneId: string): string {
    if (!zoneIdPattern.test(zoneId)) throw new TypeError(`a zone's id has 32 hexadecimal digits: ${zoneId}`);
    return join(this.#directory, `${zoneId}${suffix}`);
  }
}
