/**
 * The sending side of a backup: the files of a directory that is in use, as of one position of its log, in an archive.
 * What the client has of an earlier backup is named by the lines that it sends, and is not sent again: the comment of a
 * file says where its bytes begin.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { releaseAfter, socketNames } from '#base';
import type { BackupFile, BackupPart, HeldFiles, ObjectRuntime } from '#objects';
import { pieceBytesMax } from '../limits.ts';
import type { OperatorHandlers } from '../operator-handlers.ts';
import { type ListedFile, listName, readFileLine, writeHead } from './backup-list.ts';
import { OperatorError } from '../error.ts';
import { fillBlock, tarEnd, writeTarHead } from './tar.ts';

/** What a client has to know of a file beside its bytes, in the comment of the archive. */
export interface FileComment {
  readonly bytes: number;
  /** The bytes before it are those of the earlier backup. */
  readonly from: number;
  readonly stamp?: string;
}

interface BackupSource {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  readonly parts?: readonly BackupPart[];
  readonly now?: () => number;
}

/** The objects are held first, and the position that they are held at is the backup's; other parts are at least as new. */
export function createBackupHandler(source: BackupSource): OperatorHandlers['operator.backUp'] {
  return async ({ content }) => {
    const { directory, runtime, parts = [], now = Date.now } = source;
    const had = await readHad(content);
    const time = now();
    using stack = new DisposableStack();
    const objects = stack.use(await runtime.holdForBackup());
    const own = Object.values(socketNames);
    const names = new Set([...objects.names, ...own, ...parts.flatMap((part) => part.names)]);
    const held: HeldFiles[] = [objects];
    for (const part of [...parts, createOtherFiles(directory, names)])
      held.push(stack.use(await part.hold()));
    const bytes = held.reduce((sum, part) => sum + part.bytes, 0);
    const head = { position: objects.position, time };
    const kept = stack.move();
    const body = releaseAfter(sendFiles({ directory, held, had, head }), () => kept[Symbol.dispose]());
    const headers = { 'x-backup-bytes': String(bytes) };
    return { kind: 'plain', status: 200, contentType: 'application/x-tar', headers, body };
  };
}

async function readHad(content: AsyncIterable<Uint8Array>): Promise<Map<string, ListedFile>> {
  const had = new Map<string, ListedFile>();
  const lines = createInterface({ input: Readable.from(content), crlfDelay: Infinity });
  for await (const line of lines) {
    const listed = readFileLine(line, 'the request');
    had.set(listed.path, listed);
  }
  return had;
}

interface Sending {
  readonly directory: string;
  readonly held: readonly HeldFiles[];
  readonly had: ReadonlyMap<string, ListedFile>;
  readonly head: Parameters<typeof writeHead>[0];
}

async function* sendFiles({ directory, held, had, head }: Sending): AsyncGenerator<Uint8Array, void> {
  const list = [writeHead(head)];
  for (const { files } of held)
    for await (const file of files) list.push(yield* sendFile(directory, file, had.get(file.path)));
  const text = Buffer.from(list.join(''));
  yield* sendContent({ path: listName, bytes: text.length }, [text]);
  yield tarEnd;
}

/** Answers its line in the list. */
async function* sendFile(
  directory: string,
  file: BackupFile,
  had: ListedFile | undefined,
): AsyncGenerator<Uint8Array, string> {
  const { path, bytes, length, stamp, content, source = path } = file;
  const isContinued = stamp !== undefined && had?.stamp === stamp && had.bytes <= bytes;
  const from = isContinued ? had.bytes : 0;
  const marks = stamp === undefined ? {} : { stamp };
  const comment = JSON.stringify({ bytes, from, ...marks } satisfies FileComment);
  let crc = isContinued ? had.crc32 : 0;
  const pieces =
    content === undefined ? readPieces(join(directory, source), from, bytes) : [content.subarray(from)];
  const checked = async function* check(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of pieces) {
      crc = crc32(piece, crc);
      yield piece;
    }
  };
  yield* sendContent({ path, bytes: bytes - from, comment }, checked());
  const lengths = length === undefined || length === bytes ? {} : { length };
  return `${JSON.stringify({ path, bytes, crc32: crc, ...lengths, ...marks } satisfies ListedFile)}\n`;
}

async function* sendContent(
  file: Parameters<typeof writeTarHead>[0],
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield writeTarHead(file);
  yield* pieces;
  yield fillBlock(file.bytes);
}

async function* readPieces(path: string, from: number, to: number): AsyncGenerator<Uint8Array, void> {
  if (from === to) return;
  const handle = await open(path, 'r');
  try {
    for (let at = from; at < to;) {
      const memory = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, to - at));
      const { bytesRead } = await handle.read(memory, 0, memory.length, at);
      if (bytesRead === 0) throw new OperatorError(`${path} became shorter while it was copied`);
      yield memory.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
/** What no part has claimed: small files that are replaced as a whole, such as certificates. */
function createOtherFiles(directory: string, claimed: ReadonlySet<string>): BackupPart {
  return {
    names: [],
    async hold() {
      const paths = [...listPaths(directory, '', claimed)];
      const bytes = paths.reduce((sum, path) => sum + statSync(join(directory, path)).size, 0);
      return { bytes, files: describeFiles(directory, paths), [Symbol.dispose]: () => {} };
    },
  };
}

function* listPaths(directory: string, folder: string, claimed: ReadonlySet<string>): Generator<string> {
  for (const entry of readdirSync(join(directory, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isPassing = entry.name.startsWith('.') || entry.name.endsWith('.tmp');
    if (claimed.has(path) || isPassing) continue;
    if (entry.isDirectory()) yield* listPaths(directory, path, claimed);
    else if (entry.isFile()) yield path;
  }
}

/** A file that is small is read at once, so that its length and its bytes are of one moment. */
function* describeFiles(directory: string, paths: readonly string[]): Generator<BackupFile> {
  for (const path of paths) {
    const size = statSync(join(directory, path), { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    if (size > pieceBytesMax) yield { path, bytes: size };
    else {
      const content = readFileSync(join(directory, path));
      yield { path, bytes: content.length, content };
    }
  }
}
