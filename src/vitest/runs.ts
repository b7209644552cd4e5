/** What the options say is read once for a run, which begins with its first thread and ends with its last. */
import { ConfigError } from '#workers';
import { FunctionTable, readOptions, type TestProjectOptions, type TestSetup } from '#tested-projects';
import type { TestProject } from 'vitest/node';
import { FunctionServer } from './function-server.ts';

interface OptionsContext {
  /** What `globalSetup` has provided. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what it is, the caller knows
  readonly inject: <Value = any>(key: string) => Value;
}

export type CloudflareTestOptions =
  | TestProjectOptions
  | ((context: OptionsContext) => TestProjectOptions | Promise<TestProjectOptions>);

/** What a thread is started with, as plain data. */
export interface ThreadSetup {
  readonly setup: TestSetup;
  /** Where functions of the configuration answer, if there are some. */
  readonly functions: { readonly url: string; readonly token: string } | undefined;
}

export class Runs {
  readonly #options: CloudflareTestOptions;
  #threads = 0;
  #current: Promise<ThreadSetup> | undefined;
  #server: FunctionServer | undefined;

  constructor(options: CloudflareTestOptions) {
    this.#options = options;
  }

  async enter(project: TestProject): Promise<ThreadSetup> {
    this.#threads += 1;
    this.#current ??= this.#read(project);
    return await this.#current;
  }

  async leave(): Promise<void> {
    this.#threads -= 1;
    if (this.#threads > 0) return;
    this.#current = undefined;
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  async #read(project: TestProject): Promise<ThreadSetup> {
    const { root } = project.config;
    const functions = new FunctionTable();
    try {
      const setup = await readOptions(await this.#evaluate(project), { root, functions });
      for (const warning of setup.warnings) project.vitest.logger.warn(`gatehouse: ${warning}`);
      if (functions.size > 0) this.#server = await FunctionServer.start(functions);
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
