/**
 * Objects of one test. What they store is discarded with them, so that no test sees the writes of another. The
 * functions have the names of `cloudflare:test`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClassOptions,
  createRuntime,
  type DurableObjectClass,
  type DurableObjectId,
  type DurableObjectNamespace,
  type DurableObjectState,
  IdFactory,
  MemoryHome,
  type Runtime,
  Scratch,
  VirtualClock,
} from '#objects';

export interface TestObjectsOptions {
  /** The classes of the objects, unmodified, under their names in `env`. A bare class has SQL storage. */
  readonly classes: Readonly<Record<string, DurableObjectClass | ClassOptions>>;
  /** What objects get as `env`, in addition to a namespace for each class. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** What `fetch` of objects reaches; without it, `fetch` is refused. */
  readonly outside?: (request: Request) => Response | Promise<Response>;
  /** The initial time. */
  readonly start?: Date | number;
}

/** A value that names an object: a stub. */
interface Named {
  readonly id: DurableObjectId;
}

export async function openTestObjects(options: TestObjectsOptions): Promise<TestObjects> {
  return await TestObjects.open(options);
}

export class TestObjects implements AsyncDisposable {
  /** Time stands still until the test advances it. */
  readonly clock: VirtualClock;
  readonly #home: MemoryHome;
  readonly #directory: string;
  #runtime: Runtime | undefined;

  private constructor({ start }: TestObjectsOptions) {
    this.clock = new VirtualClock(start === undefined ? {} : { start });
    this.#directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    this.#home = new MemoryHome({
      scratch: new Scratch(join(this.#directory, 'live')),
      now: () => this.clock.now(),
      sync: () => Promise.resolve(),
    });
  }

  /** @internal */
  static async open(options: TestObjectsOptions): Promise<TestObjects> {
    const objects = new TestObjects(options);
    try {
      await objects.#open(options);
      return objects;
    } catch (error) {
      rmSync(objects.#directory, { recursive: true, force: true });
      throw error;
    }
  }

  async #open({ classes, env: given = {}, outside = refuseFetch }: TestObjectsOptions): Promise<void> {
    const env: Record<string, unknown> = { ...given };
    const entries = Object.entries(classes).map(([name, each]): [string, ClassOptions] =>
      typeof each === 'function' ? [name, { class: each, storage: 'sql' }] : [name, each],
    );
    this.#runtime = await createRuntime({
      directory: 'memory',
      classes: Object.fromEntries(entries),
      env,
      clock: this.clock,
      simulation: {
        home: this.#home,
        defer: setImmediate,
        fetch: async (request) => await outside(request),
        route: (object) => object.open(),
        idsOf: (className, uniqueKey) => new IdFactory(className, uniqueKey),
      },
    });
    for (const name of this.#runtime.classNames) env[name] ??= this.#runtime.namespace(name);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    return this.#runtime!.namespace<T>(className);
  }

  /** Runs code inside an object, with its instance and its `ctx`. */
  async runInDurableObject<Instance extends object, Result>(
    { id }: Named,
    body: (instance: Instance, ctx: DurableObjectState) => Result,
  ): Promise<Awaited<Result>> {
    return await this.#runtime!.runInside(id, (instance, ctx) => body(instance as Instance, ctx));
  }

  /** Runs the alarm of an object now, if it has one; resolves to whether it had. */
  async runDurableObjectAlarm({ id }: Named): Promise<boolean> {
    return (await this.#runtime!.runAlarm(id)) !== 'none';
  }

  /** The ids of the objects of a class that have stored something. */
  async listDurableObjectIds(className: string): Promise<DurableObjectId[]> {
    const ids: DurableObjectId[] = [];
    for await (const { id } of this.#runtime!.objects(className)) ids.push(id);
    return ids;
  }

  /** Puts away every object that has nothing to do, as if it had been idle for long: its memory is lost. */
  evictAllDurableObjects(): void {
    this.#runtime!.putIdleAway();
  }

  /** Ends every object at once, even those that are busy: their callers get an error, what they stored stays. */
  abortAllDurableObjects(): void {
    const cause = Object.assign(new Error('abortAllDurableObjects() was called.'), {
      durableObjectReset: true,
    });
    this.#home.crash(cause, (_owner, pending) => pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function refuseFetch({ method, url }: Request): never {
  throw new TypeError(
    `fetch failed: ${method} ${url} reaches nothing: give openTestObjects() outside: (request) => Response`,
  );
}
