/** A directory opened without the code of its objects, for operators: nothing wakes, no alarm fires. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isHalfRestored, realFileSystem } from '#files';
import {
  DirectoryLockedError,
  type DurableObjectNamespace,
  type ObjectRuntime,
  type Runtime,
  type RuntimeOptions,
  createRuntime,
} from '#objects';
import { DirectoryLock } from '#sqlite';
import {
  checkMade,
  describeLayout,
  findLayout,
  hasLog,
  type Layout,
  listFolders,
  readLayout,
} from './layout.ts';
import { RuntimeGroup } from './runtime/runtime-group.ts';

export type RecordedOptions = Pick<RuntimeOptions, 'directory' | 'salvage'>;

/** Opens a directory of one process or of several hosts, none of which runs. */
export async function openRecorded(options: RecordedOptions): Promise<ObjectRuntime> {
  const { directory } = options;
  const file = existsSync(directory) ? findLayout(realFileSystem, directory) : undefined;
  if (file !== undefined) checkMade(realFileSystem, directory, file);
  const layout = file?.layout;
  if (layout === undefined) return await createRuntime({ ...options, classes: 'recorded' });
  return await RecordedHosts.open(options, layout);
}

/** The directories with a log in or below a directory: itself, or that of each host. */
export function listLogDirectories(directory: string): string[] {
  const layout = readLayout(directory);
  return layout === undefined ? [directory] : listFolders(layout).map((folder) => join(directory, folder));
}

/**
 * Whether it is a directory of objects. A folder that only has such a name may belong to another program, and opening
 * it would create files in it. A directory of several hosts counts even before one of them has started.
 */
export function hasObjects(directory: string): boolean {
  return listLogDirectories(directory)[0] !== directory || hasLog(realFileSystem, directory);
}

/** Taking over data from a directory is impossible; the message says why, and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** Opens the data of a Worker that is not running, to take over from it. `user` names the caller in messages. */
export async function openSource(
  directory: string,
  { user }: { readonly user: string },
): Promise<ObjectRuntime> {
  try {
    if (!existsSync(directory))
      throw new SourceError(`there is no directory ${directory}, or ${user} may not look into it`);
    if (isHalfRestored(directory))
      throw new SourceError(`a restore into ${directory} did not finish: repeat it first`);
    if (!hasObjects(directory))
      throw new SourceError(
        `there are no objects and no stores in ${directory}: name the data directory of the Worker, --data of run, --persist-to of dev`,
      );
    return await openRecorded({ directory });
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    if (cause instanceof DirectoryLockedError)
      throw new SourceError(
        `${directory} is in use, and writes in the meantime would be lost: stop the Worker first (${message})`,
        { cause },
      );
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      throw new SourceError(`${user} may not open the files in ${directory}: ${message}`, { cause });
    throw cause;
  }
}

class RecordedHosts extends RuntimeGroup {
  readonly #runtimes: readonly Runtime[];
  readonly #resources: AsyncDisposableStack;

  private constructor(layout: Layout, runtimes: readonly Runtime[], resources: AsyncDisposableStack) {
    super({ parts: runtimes, folders: listFolders(layout), layout: () => describeLayout(layout) });
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
