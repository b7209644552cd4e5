/**
 * The code of uploaded Workers: files that are named by the digest of what is in them, and never change. They are part of a
 * backup. A file is there whole or not at all, and is on disk before anything refers to it.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { KeptCode, ScriptCode } from '#control';
import { writeWhole } from './whole-file.ts';

const folderName = 'worker-code';

export class WorkerCode {
  readonly #folder: string;
  /** How many changes are under way that need the code. */
  readonly #kept = new Map<string, number>();

  constructor(data: string) {
    this.#folder = join(data, folderName);
  }

  async keep(code: ScriptCode): Promise<KeptCode> {
    const bytes = serialize({ main: code.main, modules: code.modules });
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
    try {
      if (!existsSync(this.#fileOf(digest))) await writeWhole(this.#folder, digest, bytes);
    } catch (error) {
      release();
      throw error;
    }
    return { digest, [Symbol.dispose]: release };
  }

  async read(digest: string): Promise<ScriptCode> {
    const file = this.#fileOf(digest);
    const bytes = await readFile(file);
    if (hash('sha256', bytes, 'hex') !== digest)
      throw new Error(`${file} is damaged: deploy the Worker again`);
    return deserialize(bytes) as ScriptCode;
  }

  drop(digests: readonly string[]): void {
    for (const digest of digests) if (!this.#kept.has(digest)) rmSync(this.#fileOf(digest), { force: true });
  }

  /** Removes what uploads have left that were interrupted. */
  dropAllBut(digests: ReadonlySet<string>): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder))
      if (!digests.has(name)) rmSync(join(this.#folder, name), { force: true });
  }

  #fileOf(digest: string): string {
    return join(this.#folder, digest);
  }
}
