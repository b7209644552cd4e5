/** Sends the database of an object to a client as a file. */
import { type FileHandle, open } from 'node:fs/promises';
import { releaseAfter } from '#work';
import type { PlainReply } from '#contract';
import type { HistoryAccess } from '#objects';
import { pieceBytesMax } from '../limits.ts';
import { startWith } from '../start-with.ts';
import { type CopySource, openCopy } from './copies/object-copy.ts';

type PlainFile = Parameters<Parameters<HistoryAccess['readFile']>[1]>[0];

/** Unchanged. Memory does not grow with the file, and its history is kept until the last byte is sent. */
export async function sendDatabase({ history, at }: CopySource, name: string): Promise<PlainReply> {
  const opened = Promise.withResolvers<PlainFile>();
  const sent = Promise.withResolvers<void>();
  history
    .readFile(at === undefined ? {} : { at }, async (file) => {
      opened.resolve(file);
      await sent.promise;
    })
    .catch(opened.reject);
  const { bookmark, bytes, pieces } = await opened.promise;
  const body = fillGaps(pieces, bytes, sent.resolve);
  try {
    // If it cannot be read at all, the answer is an error with a status instead of a partial file.
    const first = await body.next();
    const headers = { 'content-length': String(bytes), 'x-object-bookmark': bookmark };
    return describe(name, startWith(first, body), headers);
  } catch (error) {
    sent.resolve();
    throw error;
  }
}

/** Through a copy in which a process has overwritten what must not leave the program. */
export async function sendMasked(source: CopySource, name: string): Promise<PlainReply> {
  await using copy = await openCopy(source);
  await copy.ask({ kind: 'export' });
  // The file is deleted once it is open: its bytes exist until the response has ended.
  const file = await open(copy.path, 'r');
  return describe(
    name,
    releaseAfter(readPieces(file), () => file.close()),
  );
}

async function* readPieces(file: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(pieceBytesMax));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function describe(
  name: string,
  body: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return {
    kind: 'plain',
    status: 200,
    contentType: 'application/vnd.sqlite3',
    headers: {
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body,
  };
}

/** The pieces arrive in order; gaps between them are zeros. */
async function* fillGaps(
  pieces: PlainFile['pieces'],
  total: number,
  onEnd: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    let at = 0;
    for await (const { offset, bytes } of pieces) {
      yield* zeros(offset - at);
      yield bytes;
      at = offset + bytes.length;
    }
    yield* zeros(total - at);
  } finally {
    onEnd();
  }
}

function* zeros(count: number): Generator<Uint8Array> {
  for (let left = count; left > 0; left -= pieceBytesMax) yield new Uint8Array(Math.min(left, pieceBytesMax));
}
