/** Answers requests of the main process, in a host, about its objects and files. */
import type { BackupFile, HeldDirectory } from '#objects';
import { RpcTarget } from '#rpc';
import { itemsPerAnswer, piecesPerAnswer } from '../limits.ts';
import { Cursor } from './cursor.ts';
import { type HostReply, toHostReply } from './host-reply.ts';
import {
  type Lists,
  type PlainObjectId,
  type QuestionParts,
  type Questions,
  createLists,
  createQuestions,
} from './questions.ts';

/** A sequence with its properties; it ends when the cursor is disposed of. */
export interface OpenedFile {
  readonly bookmark: string;
  readonly bytes: number;
  readonly pieces: Cursor<{ readonly offset: number; readonly bytes: Uint8Array }>;
}

/** Keeps the files of the host unchanged until it is disposed of. */
class HeldHost extends RpcTarget {
  readonly #held: HeldDirectory;

  constructor(held: HeldDirectory) {
    super();
    this.#held = held;
  }

  list(time: number | undefined): Promise<HostReply<ListedHost>> {
    return toHostReply(async () => {
      const { position, files } = await this.#held.list(time);
      return { position, files: new Cursor(files, { batch: itemsPerAnswer }) };
    });
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]();
  }
}

interface ListedHost {
  readonly position: number;
  readonly files: Cursor<BackupFile>;
}

type RuntimeMethod = (...args: readonly unknown[]) => unknown;

export class RuntimePort extends RpcTarget {
  readonly #parts: QuestionParts;
  readonly #questions: Questions;
  readonly #lists: Lists;

  constructor(parts: QuestionParts) {
    super();
    this.#parts = parts;
    this.#questions = createQuestions(parts);
    this.#lists = createLists(parts);
  }

  ask(name: string, args: readonly unknown[]): Promise<HostReply<unknown>> {
    return toHostReply(() => find(this.#questions, name)(...args));
  }

  list(name: string, args: readonly unknown[]): Cursor<unknown> {
    const [kept, onEnd] = keepProgress(args);
    const items = find(this.#lists, name)(...kept) as AsyncIterable<unknown>;
    return new Cursor(items, { batch: itemsPerAnswer, onEnd });
  }

  /** The database of an object; its history is kept until the cursor is disposed of. */
  readFile(place: PlainObjectId, options: { readonly at?: string }): Promise<HostReply<OpenedFile>> {
    return toHostReply(async () => {
      const opened = Promise.withResolvers<OpenedFile>();
      const ended = Promise.withResolvers<void>();
      const history = this.#parts.runtime.history(this.#parts.findId(place));
      history
        .readFile(options, async ({ bookmark, bytes, pieces }) => {
          const cursor = new Cursor(pieces, { batch: piecesPerAnswer, onEnd: ended.resolve });
          opened.resolve({ bookmark, bytes, pieces: cursor });
          await ended.promise;
        })
        .catch(opened.reject);
      return await opened.promise;
    });
  }

  holdForBackup(): Promise<HostReply<{ readonly bytes: number; readonly held: HeldHost }>> {
    return toHostReply(async () => {
      const held = await this.#parts.runtime.holdForBackup();
      return { bytes: held.bytes, held: new HeldHost(held) };
    });
  }
}

function find(methods: object, name: string): RuntimeMethod {
  if (!Object.hasOwn(methods, name)) throw new TypeError(`a host cannot be asked for ${name}`);
  return (methods as Readonly<Record<string, RuntimeMethod>>)[name]!;
}

/** Arguments of a call are released when it returns; a callback that is used longer is held until the end. */
function keepProgress(args: readonly unknown[]): [args: readonly unknown[], release: () => void] {
  const [first, ...rest] = args as [{ readonly onProgress?: KeptStub } | undefined, ...unknown[]];
  const { onProgress } = typeof first === 'object' && first !== null ? first : {};
  if (onProgress === undefined) return [args, () => {}];
  const kept = onProgress.dup();
  return [[{ ...first, onProgress: kept }, ...rest], () => kept[Symbol.dispose]()];
}

interface KeptStub extends Disposable {
  dup(): KeptStub;
}
