/** Several runtimes that share a directory's objects, as one: in other processes, or opened here without code. */
import { encodeDecidingFile } from '#files';
import {
  type BackupFile,
  type DurableObjectId,
  type DurableObjectNamespace,
  type HeldDirectory,
  type HistoryAccess,
  type ListedDirectory,
  type ObjectRuntime,
  type OperatorAction,
  type OperatorResult,
  type RepairRequest,
  type RuntimeStats,
  hostsFile,
  runtimeNames,
} from '#objects';
import { placeObject } from '../placement.ts';
import { combineStats } from './combine-stats.ts';

/** The interface of each runtime for its share. */
export type RuntimePart = Omit<
  ObjectRuntime,
  'classNames' | 'namespace' | 'storageOf' | 'scratchPath' | 'close' | typeof Symbol.asyncDispose
> & {
  /** Set if it may lack a class that others have. */
  readonly classNames?: readonly string[];
};

export abstract class RuntimeGroup implements ObjectRuntime {
  readonly #parts: readonly RuntimePart[];
  readonly #folders: readonly string[];
  readonly #layout: () => object;

  /** `folders` has each part's location relative to the directory, `layout` the content of the file that lists them. */
  constructor({
    parts,
    folders,
    layout,
  }: {
    readonly parts: readonly RuntimePart[];
    readonly folders: readonly string[];
    readonly layout: () => object;
  }) {
    this.#parts = parts;
    this.#folders = folders;
    this.#layout = layout;
  }

  abstract readonly classNames: string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  abstract namespace<T = any>(className: string): DurableObjectNamespace<T>;
  abstract storageOf(className: string): 'kv' | 'sql';
  abstract scratchPath(name: string, bytes: number): string;
  abstract close(): Promise<void>;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  history(target: DurableObjectId | { readonly id: DurableObjectId }): HistoryAccess {
    const id = 'id' in target ? target.id : target;
    return this.#partOf(id).history(id);
  }

  async *objects(className: string): ReturnType<ObjectRuntime['objects']> {
    for (const part of this.#parts)
      if (part.classNames?.includes(className) !== false) yield* part.objects(className);
  }

  nameOf(id: DurableObjectId): Promise<string | undefined> {
    return this.#partOf(id).nameOf(id);
  }

  async *storedValues(id: DurableObjectId): ReturnType<ObjectRuntime['storedValues']> {
    yield* this.#partOf(id).storedValues(id);
  }

  operate(id: DurableObjectId, action: OperatorAction): Promise<OperatorResult> {
    return this.#partOf(id).operate(id, action);
  }

  alarmTime(id: DurableObjectId): Promise<number | undefined> {
    return this.#partOf(id).alarmTime(id);
  }

  async *alarms(): ReturnType<ObjectRuntime['alarms']> {
    for (const part of this.#parts) yield* part.alarms();
  }

  runAlarm(id: DurableObjectId): ReturnType<ObjectRuntime['runAlarm']> {
    return this.#partOf(id).runAlarm(id);
  }

  stats(): RuntimeStats {
    return combineStats(this.#parts.map((part) => part.stats()));
  }

  async *sizes(): ReturnType<ObjectRuntime['sizes']> {
    for (const part of this.#parts) yield* part.sizes();
  }

  async checkWritable(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.checkWritable()));
  }

  async giveBackHistory(options: { readonly retentionMs?: number } = {}): Promise<number> {
    const files = await Promise.all(this.#parts.map((part) => part.giveBackHistory(options)));
    return files.reduce((sum, count) => sum + count, 0);
  }

  async *scrub(options: Parameters<ObjectRuntime['scrub']>[0] = {}): ReturnType<ObjectRuntime['scrub']> {
    for (const part of this.#parts) yield* part.scrub(options);
  }

  async *repair(request: RepairRequest = {}): ReturnType<ObjectRuntime['repair']> {
    for (const part of this.#parts) yield* part.repair(request);
  }

  /** Each part as of one position of its log. */
  async holdForBackup(): Promise<HeldDirectory> {
    using stack = new DisposableStack();
    const held: HeldDirectory[] = [];
    for (const part of this.#parts) held.push(stack.use(await part.holdForBackup()));
    const content = encodeDecidingFile(this.#layout());
    const kept = stack.move();
    return {
      names: [...runtimeNames, hostsFile, `${hostsFile}.copy`, ...this.#folders],
      bytes: held.reduce((sum, { bytes }) => sum + bytes, 2 * content.length),
      list: async (time) => {
        const listed = await Promise.all(held.map((each) => each.list(time)));
        return {
          position: listed.map(({ position }) => position).reduce((a, b) => (a > b ? a : b)),
          files: this.#listFiles(listed, content),
        };
      },
      [Symbol.dispose]: () => kept[Symbol.dispose](),
    };
  }

  async *#listFiles(listed: readonly ListedDirectory[], content: Uint8Array): AsyncGenerator<BackupFile> {
    for (const [index, { files }] of listed.entries()) {
      const folder = this.#folders[index]!;
      for await (const file of files) {
        const source = file.source === undefined ? {} : { source: `${folder}/${file.source}` };
        yield { ...file, path: `${folder}/${file.path}`, ...source };
      }
    }
    for (const path of [hostsFile, `${hostsFile}.copy`]) yield { path, bytes: content.length, content };
  }

  #partOf(id: DurableObjectId): RuntimePart {
    return this.#parts[placeObject(id.toString(), this.#parts.length)]!;
  }
}
