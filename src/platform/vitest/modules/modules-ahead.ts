/**
 * Has Vite transform modules before a thread asks for them. A thread asks for one at a time, in the order of imports, so
 * either the thread or Vite waits; what is transformed ahead, Vite has done while a thread started or ran something else.
 */
import type { Vite } from 'vitest/node';

/** A graph of more modules than this is asked for as the thread goes. */
const modulesMax = 2_000;
/** Vitest gives its own modules to a thread as they are. */
const untransformed = /\/node_modules\/(?:vitest|@vitest\/[^/]+)\//;

export class ModulesAhead {
  readonly #environment: Pick<Vite.DevEnvironment, 'transformRequest'>;
  readonly #seen = new Set<string>();

  constructor(environment: Pick<Vite.DevEnvironment, 'transformRequest'>) {
    this.#environment = environment;
  }

  /**
   * These files, and all that they import, in the order in which a thread asks for them, and one at a time: a thread that
   * asks for another one does not wait long. What fails, fails again for the thread, which tells it.
   */
  async transform(files: readonly string[]): Promise<void> {
    for (const file of files) await this.#transform(file);
  }

  async #transform(url: string): Promise<void> {
    // Names without a path are those of Node, or of packages that are not transformed.
    if (!url.startsWith('/') || untransformed.test(url)) return;
    if (this.#seen.has(url) || this.#seen.size >= modulesMax) return;
    this.#seen.add(url);
    const result = await this.#environment.transformRequest(url).catch(() => null);
    await this.transform(result?.deps ?? []);
  }
}
