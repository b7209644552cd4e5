/**
 * Makes Vite transform modules before a thread requests them. A thread requests one at a time, in the order of imports,
 * so either the thread or Vite waits; modules transformed in advance are ready by then.
 */
import type { Vite } from 'vitest/node';

/** Beyond this number of modules, the rest of a graph is transformed on demand. */
const modulesMax = 2_000;
/** Vitest serves its own modules to a thread untransformed. */
const untransformed = /\/node_modules\/(?:vitest|@vitest\/[^/]+)\//;

export class ModulesAhead {
  readonly #environment: Pick<Vite.DevEnvironment, 'transformRequest'>;
  readonly #seen = new Set<string>();

  constructor(environment: Pick<Vite.DevEnvironment, 'transformRequest'>) {
    this.#environment = environment;
  }

  /**
   * Transforms these files and all their imports, in the order in which a thread requests them, and one at a time: a
   * thread that requests another one waits only briefly. Failures are ignored, because they recur for the thread, which
   * reports them.
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
