/**
 * The data directories inside a data directory: the stores of the account, and the objects of each Worker. If another
 * process has one open, it is called through its door; otherwise the directory is opened here. Each has a log of its
 * own, so all of them hold their files first and then receive the moment of the copy.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '#client';
import { operatorCodes } from '#contract';
import { hasObjects, openRecorded } from '#hosts';
import { returnToOwner } from '#files';
import { fillBlock, readTar, type ReadTarFile, writeTarHead } from '#streams';
import { DirectoryLockedError, type ObjectRuntime } from '#objects';
import { answerHere, openLiveAccess, type OperatorAccess } from '../operator-client.ts';
import type { OperatorHandlers } from '../operator-handlers.ts';
import { findEntryKind } from '../directory-contents.ts';
import { connectRetryMs, innerTries, silenceMsMax } from '../limits.ts';
import {
  type AskedBackup,
  failureName,
  type ListedFile,
  listName,
  readFileLine,
  writeAsked,
} from './backup-list.ts';
import { createIncomplete } from './incomplete.ts';

/** Backs up a directory that was opened here. */
export type AnswerBackup = (source: {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
}) => OperatorHandlers['operator.backUp'];

export interface InnerDirectories {
  /** Relative to the directory, with `/` between folders. */
  readonly withObjects: readonly string[];
  readonly plain: readonly string[];
}

export function findInnerDirectories(directory: string): InnerDirectories {
  const withObjects: string[] = [];
  const plain: string[] = [];
  const take = (path: string): void =>
    void (hasObjects(join(directory, path)) ? withObjects : plain).push(path);
  for (const name of readdirSync(directory)) {
    const kind = findEntryKind(name);
    if (!isFolder(join(directory, name))) continue;
    if (kind === 'directory') take(name);
    if (kind !== 'directories') continue;
    for (const inner of readdirSync(join(directory, name)))
      if (isFolder(join(directory, name, inner))) take(`${name}/${inner}`);
  }
  return { withObjects, plain };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Its files are held until it is disposed. */
export class HeldInnerDirectory implements AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
  readonly #place: string;
  readonly #response: Response;
  readonly #begin: (request: AskedBackup) => void;
  readonly #resources: AsyncDisposableStack;

  private constructor(
    path: string,
    place: string,
    { response, begin, resources }: Exchange & { readonly resources: AsyncDisposableStack },
  ) {
    this.path = path;
    this.#place = place;
    this.#response = response;
    this.#begin = begin;
    this.#resources = resources;
    this.bytes = Number(response.headers.get('x-backup-bytes'));
  }

  static async hold(directory: string, path: string, answer: AnswerBackup): Promise<HeldInnerDirectory> {
    const place = join(directory, path);
    for (let tries = 1; ; tries++) {
      await using resources = new AsyncDisposableStack();
      try {
        const access = resources.use(await openInner(place, answer));
        const exchange = await begin(access);
        resources.defer(exchange.cancel);
        return new HeldInnerDirectory(path, place, { ...exchange, resources: resources.move() });
      } catch (error) {
        // Its process has just started, or is about to end.
        const isPassing = error instanceof DirectoryLockedError || isAway(error);
        if (isPassing && tries < innerTries) {
          await delay(connectRetryMs);
          continue;
        }
        throw createIncomplete(
          place,
          (error as Error).message,
          'see the log of the server for the reason, or stop the server',
          error,
        );
      }
    }
  }

  /** Sends its part of the archive, as of a moment; returns its lines of the list. */
  async *send(request: AskedBackup): AsyncGenerator<Uint8Array, ListedFile[]> {
    const inside = `${this.path}/`;
    const had = request.had
      .filter(({ path }) => path.startsWith(inside))
      .map((file) => ({ ...file, path: file.path.slice(inside.length) }));
    this.#begin({ ...request, had });
    try {
      let listed: ListedFile[] | undefined;
      for await (const file of readTar(this.#response.body!)) {
        if (file.path === listName) listed = await this.#readList(file);
        else if (file.path === failureName) throw new Error(await readText(file));
        else {
          yield writeTarHead({ ...file, path: `${inside}${file.path}` });
          yield* file.content;
          yield fillBlock(file.bytes);
        }
      }
      if (listed === undefined) throw new Error('it sent no list of its files');
      return listed;
    } catch (error) {
      const { message } = error as Error;
      throw createIncomplete(this.#place, message, 'see the log of the server for the reason', error);
    }
  }

  async #readList(file: ReadTarFile): Promise<ListedFile[]> {
    const [, ...lines] = (await readText(file)).trimEnd().split('\n');
    return lines.map((line) => {
      const listed = readFileLine(line, this.#place);
      return { ...listed, path: `${this.path}/${listed.path}` };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

interface Exchange {
  readonly response: Response;
  readonly begin: (request: AskedBackup) => void;
  readonly cancel: () => void;
}

/** The response starts once the files are held; they are sent when the request ends. */
async function begin({ client }: OperatorAccess): Promise<Exchange> {
  const request = Promise.withResolvers<AskedBackup>();
  const gone = new AbortController();
  request.promise.catch(() => {});
  const cancel = (): void => {
    request.reject(new Error('the backup has ended'));
    gone.abort();
  };
  try {
    const content = writeLater(request.promise);
    const response = await client.exchange('/backup', { content, signal: gone.signal });
    return { response, begin: request.resolve, cancel };
  } catch (error) {
    cancel();
    throw error;
  }
}

async function* writeLater(asked: Promise<AskedBackup>): AsyncGenerator<Uint8Array, void> {
  const empty = Buffer.from('\n');
  const wait = new AbortController();
  const ended = asked.then(
    () => 'asked' as const,
    () => 'asked' as const,
  );
  try {
    // Other directories may take long to copy first, and a silent client is disconnected.
    do yield empty;
    while ((await Promise.race([ended, delay(silenceMsMax / 4, 'wait', wait)])) === 'wait');
    yield* writeAsked(await asked);
  } finally {
    wait.abort();
  }
}

async function openInner(place: string, answer: AnswerBackup): Promise<OperatorAccess> {
  try {
    const live = await openLiveAccess(place);
    if (live !== undefined) return live;
  } catch (error) {
    if (!isAway(error)) throw error;
  }
  const runtime = await openRecorded({ directory: place });
  return {
    directory: place,
    client: answerHere({ 'operator.backUp': answer({ directory: place, runtime }) }),
    isLive: false,
    [Symbol.asyncDispose]: async () => {
      await runtime.close();
      returnToOwner(place);
    },
  };
}

/** The program that supervises the directory has no process for its objects. */
function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.has(operatorCodes.operatorAway.code);
}

async function readText({ content }: ReadTarFile): Promise<string> {
  return Buffer.concat(await Array.fromAsync(content)).toString();
}
