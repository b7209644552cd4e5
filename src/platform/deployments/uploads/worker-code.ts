/**
 * The code of uploaded Workers: files that are named by the digest of their content, and never change. They are part of
 * a backup. A file is written atomically, and is on disk before anything refers to it. In a cluster the files are also
 * in the database, before anything refers to them; a host that needs one gets a copy.
 */
import { hash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { keepAfterCopies, removeAfterCopies } from '#files';
import type { KeptCode, ScriptCode } from '#control';
import type { SharedFiles } from './clustered/shared-files.ts';
import { codeFolder } from './folders.ts';
import { removeUnused, writeWhole } from './whole-file.ts';

export class WorkerCode {
  readonly #folder: string;
  readonly #shared: SharedFiles | undefined;
  /** The number of changes in progress that need the code. */
  readonly #kept = new Map<string, number>();

  constructor(data: string, shared: SharedFiles | undefined) {
    this.#folder = join(data, codeFolder);
    this.#shared = shared;
  }

  async keep(code: ScriptCode): Promise<KeptCode> {
    const { main, modules, maps } = code;
    const bytes = serialize({ main, modules, ...(maps === undefined ? {} : { maps }) });
    const digest = hash('sha256', bytes, 'hex');
    this.#kept.set(digest, (this.#kept.get(digest) ?? 0) + 1);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      const left = this.#kept.get(digest)! - 1;
      if (left === 0) this.#kept.delete(digest);
      else this.#kept.set(digest, left);
    };
    keepAfterCopies(this.#fileOf(digest));
    try {
      if (!existsSync(this.#fileOf(digest))) await writeWhole(this.#folder, digest, bytes);
      await this.#shared?.write(digest, bytes);
    } catch (error) {
      release();
      throw error;
    }
    return { digest, [Symbol.dispose]: release };
  }

  async read(digest: string): Promise<ScriptCode> {
    const file = this.#fileOf(digest);
    if (!existsSync(file)) await this.#copy(digest);
    const bytes = await readFile(file);
    if (hash('sha256', bytes, 'hex') !== digest)
      throw new Error(`${file} is damaged: deploy the Worker again`);
    return deserialize(bytes) as ScriptCode;
  }

  async drop(digests: readonly string[]): Promise<void> {
    const unused = digests.filter((digest) => !this.#kept.has(digest));
    for (const digest of unused) {
      const file = this.#fileOf(digest);
      const remove = (): void => rmSync(file, { force: true });
      if (!removeAfterCopies(file, remove)) remove();
    }
    await this.#shared?.remove(unused);
  }

  /**
   * Deletes the remains of uploads that were interrupted before this time: the account may be restored to use younger
   * files.
   */
  async dropAllBut(digests: ReadonlySet<string>, beforeMs: number): Promise<void> {
    await this.#shared?.dropAllBut(digests, Date.now());
    removeUnused(this.#folder, digests, beforeMs);
  }

  async #copy(digest: string): Promise<void> {
    const bytes = await this.#shared?.read(digest);
    if (bytes !== undefined) await writeWhole(this.#folder, digest, bytes);
  }

  #fileOf(digest: string): string {
    return join(this.#folder, digest);
  }
}
