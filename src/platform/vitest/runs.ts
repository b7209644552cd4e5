/**
 * The options are parsed once per run, which starts with its first thread and ends with that of its last file: between
 * two consecutive files, it continues.
 */
import { ConfigError } from '#workers';
import { FunctionTable, readOptions, type TestProjectOptions, type TestSetup } from '#tested-projects';
import type { TestProject } from 'vitest/node';
import { FunctionServer } from './function-server.ts';
import { ModulesAhead } from './modules/modules-ahead.ts';

interface OptionsContext {
  /** What `globalSetup` has provided. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what it is, the caller knows
  readonly inject: <Value = any>(key: string) => Value;
}

export type CloudflareTestOptions =
  | TestProjectOptions
  | ((context: OptionsContext) => TestProjectOptions | Promise<TestProjectOptions>);

/** The plain data that a thread is started with. */
export interface ThreadSetup {
  readonly setup: TestSetup;
  /** The address of the configuration's functions, if there are any. */
  readonly functions: { readonly url: string; readonly token: string } | undefined;
}

export class Runs {
  readonly #options: CloudflareTestOptions;
  #threads = 0;
  #begun = 0;
  #current: Promise<ThreadSetup> | undefined;
  #server: FunctionServer | undefined;
  #project: TestProject | undefined;

  constructor(options: CloudflareTestOptions) {
    this.#options = options;
  }

  /** The number of threads in this run. */
  get begun(): number {
    return this.#begun;
  }

  async enter(project: TestProject): Promise<ThreadSetup> {
    this.#threads += 1;
    this.#begun += 1;
    this.#project = project;
    this.#current ??= this.#read(project);
    return await this.#current;
  }

  /** Returns whether that was the end of the run. */
  async leave(): Promise<boolean> {
    this.#threads -= 1;
    if (this.#threads > 0 || this.#isGoingOn()) return false;
    this.#begun = 0;
    this.#current = undefined;
    await this.#closeServer();
    return true;
  }

  async #closeServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  /** A watched run starts again whenever a file changes, which may be one that the options name. */
  #isGoingOn(): boolean {
    const { vitest } = this.#project!;
    return !vitest.config.watch && this.#begun < vitest.state.getPaths().length;
  }

  async #read(project: TestProject): Promise<ThreadSetup> {
    const { root } = project.config;
    const functions = new FunctionTable();
    try {
      const setup = await readOptions(await this.#evaluate(project), { root, functions });
      transformAhead(project, setup);
      for (const warning of setup.warnings) project.vitest.logger.warn(`gatehouse: ${warning}`);
      if (functions.size > 0) {
        this.#server = await FunctionServer.start(functions);
        project.vitest.onClose(() => this.#closeServer());
      }
      return { setup, functions: this.#server?.place };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new Error(`${error.message}\n  in the Vitest project ${project.name || root}`, { cause: error });
    }
  }

  async #evaluate(project: TestProject): Promise<TestProjectOptions> {
    if (typeof this.#options !== 'function') return this.#options;
    const provided = project.getProvidedContext() as Readonly<Record<string, unknown>>;
    return await this.#options({ inject: (key) => provided[key] as never });
  }
}

/** Test files whose modules are transformed in advance: enough for the start-up time of the first thread. */
const filesAheadMax = 4;

/**
 * The modules that are certain to be imported, while the first thread starts. A watched run has few files, and most of
 * their modules are already transformed.
 */
function transformAhead(project: TestProject, { hasMain, workers }: TestSetup): void {
  const { vitest, config, vite } = project;
  if (vitest.config.watch) return;
  const tests = vitest.state.getPaths().filter((path) => project.matchesTestGlob(path));
  const main = hasMain ? [workers[0]!.config.main] : [];
  void new ModulesAhead(vite.environments.ssr).transform([
    ...config.setupFiles,
    ...tests.slice(0, filesAheadMax),
    ...main,
  ]);
}
