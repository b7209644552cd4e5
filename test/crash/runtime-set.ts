/** The runtimes of a directory on a simulated disk: one, or that of each host, in the layout that hosts have. */
import type { FileSystem } from '#files';
import { arrangeDirectory, placeObject } from '#hosts';
import { type DurableObjectNamespace, type Runtime, type RuntimeOptions, createRuntime } from '#objects';
import { removeFiles } from './remove-files.ts';

type Options = Omit<RuntimeOptions, 'directory'> & { readonly fs: FileSystem };

export class RuntimeSet implements AsyncDisposable {
  readonly runtimes: readonly Runtime[];

  private constructor(runtimes: readonly Runtime[]) {
    this.runtimes = runtimes;
  }

  /** With 0 hosts, the directory of one process. */
  static async open(directory: string, hosts: number, options: Options): Promise<RuntimeSet> {
    const { fs, segmentBytes } = options;
    const sized = segmentBytes === undefined ? {} : { segmentBytes };
    makeDirectory(fs, directory);
    const removeFolder = (path: string): void => removeFiles(fs, path);
    const layout = await arrangeDirectory({ directory, hosts, fs, removeFolder, ...sized });
    const folders =
      layout === undefined
        ? [directory]
        : Array.from({ length: hosts }, (_, host) => `${directory}/host-${layout.first + host}`);
    const runtimes: Runtime[] = [];
    for (const folder of folders) runtimes.push(await createRuntime({ ...options, directory: folder }));
    return new RuntimeSet(runtimes);
  }

  namespace(className: string): Pick<DurableObjectNamespace, 'getByName'> {
    const find = (runtime: Runtime): DurableObjectNamespace => runtime.namespace(className);
    return {
      getByName: (name) => {
        const id = find(this.runtimes[0]!).idFromName(name);
        return find(this.runtimes[placeObject(id.toString(), this.runtimes.length)]!).getByName(name);
      },
    };
  }

  async giveBackHistory(): Promise<void> {
    for (const runtime of this.runtimes) await runtime.giveBackHistory();
  }

  async close(): Promise<void> {
    for (const runtime of this.runtimes) await runtime.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function makeDirectory(fs: FileSystem, directory: string): void {
  if (fs.mkdirSync(directory)) fs.fsyncDirectorySync(`${directory}/..`);
}
