/** A directory opened without the code of its objects, for operators: nothing wakes, no alarm fires. */
import { join } from 'node:path';
import {
  type DurableObjectNamespace,
  type ObjectRuntime,
  type Runtime,
  type RuntimeOptions,
  createRuntime,
} from '#objects';
import { DirectoryLock } from '#sqlite';
import { type Layout, encodeLayout, listFolders, readLayout } from './layout.ts';
import { RuntimeGroup } from './runtime/runtime-group.ts';

export type RecordedOptions = Pick<RuntimeOptions, 'directory' | 'salvage'>;

/** Opens a directory of one process or of several hosts, none of which runs. */
export async function openRecorded(options: RecordedOptions): Promise<ObjectRuntime> {
  const layout = readLayout(options.directory);
  if (layout === undefined) return await createRuntime({ ...options, classes: 'recorded' });
  return await RecordedHosts.open(options, layout);
}

/** The directories below one that each have a log: itself, or that of each host. */
export function listLogDirectories(directory: string): string[] {
  const layout = readLayout(directory);
  return layout === undefined ? [directory] : listFolders(layout).map((folder) => join(directory, folder));
}

class RecordedHosts extends RuntimeGroup {
  readonly #runtimes: readonly Runtime[];
  readonly #resources: AsyncDisposableStack;

  private constructor(layout: Layout, runtimes: readonly Runtime[], resources: AsyncDisposableStack) {
    super({ parts: runtimes, folders: listFolders(layout), layout: () => encodeLayout(layout) });
    this.#runtimes = runtimes;
    this.#resources = resources;
  }

  static async open({ directory, ...options }: RecordedOptions, layout: Layout): Promise<RecordedHosts> {
    await using resources = new AsyncDisposableStack();
    resources.use(DirectoryLock.acquire(directory));
    const runtimes: Runtime[] = [];
    for (const folder of listFolders(layout)) {
      const whole = { ...options, directory: join(directory, folder), classes: 'recorded' } as const;
      runtimes.push(resources.use(await createRuntime(whole)));
    }
    return new RecordedHosts(layout, runtimes, resources.move());
  }

  get classNames(): string[] {
    return [...new Set(this.#runtimes.flatMap(({ classNames }) => classNames))];
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    return this.#with(className).namespace<T>(className);
  }

  storageOf(className: string): 'kv' | 'sql' {
    return this.#with(className).storageOf(className);
  }

  scratchPath(name: string, bytes: number): string {
    return this.#runtimes[0]!.scratchPath(name, bytes);
  }

  async close(): Promise<void> {
    await this.#resources.disposeAsync();
  }

  /** A host that never started has no classes yet. */
  #with(className: string): Runtime {
    return this.#runtimes.find(({ classNames }) => classNames.includes(className)) ?? this.#runtimes[0]!;
  }
}
