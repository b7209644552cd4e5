/** The code of a Worker under test: built modules, or a main module that the test runner loads when it is needed. */
import type { WorkerConfig } from '../config/worker-config.ts';
import type { WorkerModules } from '../build/worker-modules.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;
/** Answers instead of another Worker, or of the network. */
export type Answer = (request: Request) => Response | Promise<Response>;

export interface TestedWorker {
  readonly config: WorkerConfig;
  /** Its modules, or a function that loads the main one; called again until it succeeds. */
  readonly code: WorkerModules | (() => Promise<ModuleExports>);
  /** The target of `fetch`; the network by default. */
  readonly outbound?: Answer | undefined;
  /** Bindings that functions implement, by name. */
  readonly functions?: Readonly<Record<string, Answer>> | undefined;
}

/** Loads once for all callers; every caller gets a failure, and the next call retries. */
export class LazyExports {
  readonly #load: () => Promise<ModuleExports>;
  #loading: Promise<ModuleExports> | undefined;
  #loaded: ModuleExports | undefined;

  constructor(load: () => Promise<ModuleExports>) {
    this.#load = load;
  }

  /** Undefined until they are loaded. */
  get current(): ModuleExports | undefined {
    return this.#loaded;
  }

  async get(): Promise<ModuleExports> {
    if (this.#loaded !== undefined) return this.#loaded;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    this.#loaded = await this.#loading;
    return this.#loaded;
  }
}
