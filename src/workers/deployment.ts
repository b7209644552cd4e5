/** One version of a Worker's code with the runtime that holds its objects. */
import { createRuntime, type DurableObjectNamespace, type Runtime } from '#objects';
import { join } from 'node:path';

import { BackgroundWork } from './background.ts';
import { type EntryHandler, entryHandler, ExecutionContext } from './entry.ts';
import type { Plan } from './plan.ts';
import { usePlatform } from './platform.ts';
import type { WorkerOptions } from './options.ts';

export class Deployment {
  readonly #options: WorkerOptions;
  readonly #runtime: Runtime;
  readonly #handler: EntryHandler;
  readonly #env: Readonly<Record<string, unknown>>;
  readonly #exports: Readonly<Record<string, unknown>>;
  readonly #background: BackgroundWork;

  private constructor(options: WorkerOptions, plan: Plan, runtime: Runtime, env: Record<string, unknown>) {
    this.#options = options;
    this.#runtime = runtime;
    this.#handler = entryHandler(plan.defaultExport);
    this.#background = new BackgroundWork((error) => options.log.error(error));
    const namespaces = Object.keys(plan.classes).map((name) => [name, runtime.namespace(name)] as const);
    this.#exports = Object.fromEntries(namespaces);
    this.#env = env;
    bindNamespaces(env, plan, (className) => runtime.namespace(className));
    usePlatform({ env, exports: this.#exports, waitUntil: (promise) => this.#background.add(promise) });
  }

  static async open(plan: Plan, options: WorkerOptions): Promise<Deployment> {
    const env = environment(plan);
    const runtime = await createRuntime({
      directory: options.directory ?? join(plan.config.directory, '.gatehouse', 'state'),
      classes: plan.classes,
      env,
      ...(options.durability === undefined ? {} : { durability: options.durability }),
    });
    return new Deployment(options, plan, runtime, env);
  }

  /** Ends this version and starts the next on the same objects. */
  async replace(plan: Plan): Promise<Deployment> {
    await this.#runtime.close();
    return Deployment.open(plan, this.#options);
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#handler(request, this.#env, new ExecutionContext(this.#background, this.#exports));
  }

  async close(): Promise<void> {
    await this.#background.settled();
    await this.#runtime.close();
  }
}

function environment({ config }: Plan): Record<string, unknown> {
  const env: Record<string, unknown> = { ...config.vars };
  for (const [name, explanation] of config.absent) {
    Object.defineProperty(env, name, {
      configurable: true,
      get() {
        throw new Error(explanation);
      },
    });
  }
  return env;
}

function bindNamespaces(
  env: Record<string, unknown>,
  { bindings }: Plan,
  namespaceOf: (className: string) => DurableObjectNamespace,
): void {
  for (const { name, className } of bindings) env[name] = namespaceOf(className);
}
