/**
 * The sending side of a backup: the files of a directory that is in use, as of one moment of all its logs, in an
 * archive. The client lists what it has of an earlier backup, and this is not sent again: the comment of a file says
 * where its bytes start. A copy that cannot be completed ends with a file that contains the reason, and without a list.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { fault, operatorCodes } from '#contract';
import type { BackupFile } from '#objects';
import { fillBlock, tarEnd, writeTarHead } from '#streams';
import { OperatorError } from '../error.ts';
import { pieceBytesMax } from '../limits.ts';
import type { OperatorHandlers } from '../operator-handlers.ts';
import {
  type AskedBackup,
  failureName,
  type ListedFile,
  listName,
  readAsked,
  writeFileLine,
  writeHead,
} from './backup-list.ts';
import { type BackupSource, HeldBackup } from './held-backup.ts';
import { type OpenedFile, openOtherFiles } from './other-files.ts';

/** What a client needs to know about a file besides its bytes, in the comment of the archive. */
export interface FileComment {
  readonly bytes: number;
  /** The bytes before it are those of the earlier backup. */
  readonly from: number;
  readonly stamp?: string;
}

export function createBackupHandler(source: BackupSource): OperatorHandlers['operator.backUp'] {
  return async ({ content, signal }) => {
    const held = await HeldBackup.hold(source, createBackupHandler).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      throw fault(operatorCodes.backupIncomplete, { fill: { reason: error.message } });
    });
    // If the client disconnects before the first byte, the generator never starts.
    const release = (): void => void held[Symbol.asyncDispose]();
    signal.addEventListener('abort', release, { once: true });
    if (signal.aborted) release();
    const body = sendBackup(source.directory, held, content);
    const headers = { 'x-backup-bytes': String(held.bytes) };
    return { kind: 'plain', status: 200, contentType: 'application/x-tar', headers, body };
  };
}

async function* sendBackup(
  directory: string,
  held: HeldBackup,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    // Released before the last block: a client that knows the format reads nothing after it.
    await using kept = held;
    const list = yield* sendFiles(directory, kept, await readAsked(content));
    yield* sendContent({ path: listName, bytes: list.length }, [list]);
  } catch (error) {
    const reason = Buffer.from(error instanceof Error ? error.message : String(error));
    yield* sendContent({ path: failureName, bytes: reason.length }, [reason]);
  }
  yield tarEnd;
}

/** Returns the list. */
async function* sendFiles(
  directory: string,
  held: HeldBackup,
  asked: AskedBackup,
): AsyncGenerator<Uint8Array, Buffer> {
  const { time, objects, parts, inner, others } = await held.list(asked.time);
  const lines = [writeHead({ position: objects.position, time })];
  const had = new Map(asked.had.map((file) => [file.path, file]));
  for (const { files } of [objects, ...parts])
    for await (const file of files) lines.push(writeFileLine(yield* sendFile(directory, file, had)));
  for (const each of inner)
    for (const file of yield* each.send({ time, had: asked.had })) lines.push(writeFileLine(file));
  for await (const file of openOtherFiles(others))
    lines.push(writeFileLine(yield* sendFile(directory, file, had)));
  return Buffer.from(lines.join(''));
}

async function* sendFile(
  directory: string,
  file: BackupFile | OpenedFile,
  had: ReadonlyMap<string, ListedFile>,
): AsyncGenerator<Uint8Array, ListedFile> {
  const { path, bytes, length, stamp, content, source = path } = file;
  const earlier = had.get(path);
  const isContinued = stamp !== undefined && earlier?.stamp === stamp && earlier.bytes <= bytes;
  const from = isContinued ? earlier.bytes : 0;
  const marks = stamp === undefined ? {} : { stamp };
  const comment = JSON.stringify({ bytes, from, ...marks } satisfies FileComment);
  let crc = isContinued ? earlier.crc32 : 0;
  const pieces =
    content === undefined
      ? 'handle' in file
        ? readPieces(file.handle, path, { from, to: bytes })
        : openPieces(join(directory, source), { from, to: bytes })
      : [content.subarray(from)];
  const checked = async function* check(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of pieces) {
      crc = crc32(piece, crc);
      yield piece;
    }
  };
  yield* sendContent({ path, bytes: bytes - from, comment }, checked());
  const lengths = length === undefined || length === bytes ? {} : { length };
  return { path, bytes, crc32: crc, ...lengths, ...marks };
}

async function* sendContent(
  file: Parameters<typeof writeTarHead>[0],
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield writeTarHead(file);
  yield* pieces;
  yield fillBlock(file.bytes);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function* openPieces(path: string, range: Range): AsyncGenerator<Uint8Array, void> {
  if (range.from === range.to) return;
  await using handle = await open(path, 'r');
  yield* readPieces(handle, path, range);
}

async function* readPieces(
  handle: FileHandle,
  path: string,
  { from, to }: Range,
): AsyncGenerator<Uint8Array, void> {
  for (let at = from; at < to;) {
    const memory = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, to - at));
    const { bytesRead } = await handle.read(memory, 0, memory.length, at);
    if (bytesRead === 0) throw new OperatorError(`${path} became shorter while it was copied`);
    yield memory.subarray(0, bytesRead);
    at += bytesRead;
  }
}
