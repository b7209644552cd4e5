/** The readers of streams: what they read does not depend on where the stream is cut. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { EventStreamReader, fillBlock, Lines, readTar, tarEnd, writeTarHead } from '#streams';
import type { FuzzedReader } from './reader.ts';

const sizes = [1, 2, 3, 7, 600];

function* cut<Piece extends { readonly length: number; slice(start: number, end: number): Piece }>(
  whole: Piece,
  size: number,
): Generator<Piece, void> {
  for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size);
}

export const lines: FuzzedReader = {
  name: 'lines',
  seeds: ['one\ntwo\r\n\nthree', '\n', 'a line without an end'],
  words: ['\n', '\r', '\r\n', '\0', '\u2028', '\ufeff'],
  /** Lines and the rest are the text; a bounded reader loses nothing of a long line. */
  check(input) {
    const text = input.toString('utf8');
    const expected = text.split('\n');
    for (const size of sizes) {
      deepEqual(readAll(new Lines(), text, size), expected);
      const bounded = readAll(new Lines(5), text, size);
      equal(bounded.join(''), expected.join(''));
      ok(bounded.every((line) => line.length <= 5));
    }
  },
};

function readAll(reader: Lines, text: string, size: number): string[] {
  const read: string[] = [];
  for (const piece of cut(text, size)) {
    reader.add(piece);
    for (let line = reader.next(); line !== undefined; line = reader.next()) read.push(line);
  }
  return [...read, reader.rest()];
}

export const eventStreams: FuzzedReader = {
  name: 'event-streams',
  seeds: [
    'id: 7\r\nevent: mine\rdata: a\ndata: b\r\n\r\n: comment\nretry: 5\n\ndata:c\n\n',
    '\ufeffdata: x\n\n',
  ],
  words: ['\n', '\r', '\n\n', 'data:', 'data', 'event: ', 'id:', 'retry: 1', ':', '\0', '\ufeff'],
  /** The same events however the text is cut, and no line end in a field of one line. */
  check(input) {
    const text = input.toString('utf8');
    const expected = [...new EventStreamReader().read(text)];
    for (const { type, lastEventId } of expected) ok(!/[\r\n]/.test(type + lastEventId));
    for (const size of sizes) {
      const reader = new EventStreamReader();
      deepEqual(
        [...cut(text, size)].flatMap((piece) => [...reader.read(piece)]),
        expected,
      );
    }
  },
};

function archive(...files: readonly (readonly [path: string, content: string, comment?: string])[]): Buffer {
  const parts = files.flatMap(([path, text, comment]) => {
    const content = Buffer.from(text);
    const head = writeTarHead({ path, bytes: content.length, ...(comment === undefined ? {} : { comment }) });
    return [head, content, fillBlock(content.length)];
  });
  return Buffer.concat([...parts, tarEnd]);
}

export const tar: FuzzedReader = {
  name: 'tar',
  seeds: [archive(['a', 'x'.repeat(600)], ['b', '']), archive(['long/'.repeat(30), 'y', '{"from":9}'])],
  words: ['\0'.repeat(512), 'ustar', 'x', 'L', '11 path=b\n', '9 size=1\n', '00000000001\0', '77777777777'],
  /** The same files and the same refusal however the bytes are cut; written again, an archive contains the same. */
  async check(input) {
    const expected = await readArchive(input, input.length + 1);
    for (const size of [100, 600]) deepEqual(await readArchive(input, size), expected);
    if ('reason' in expected) return;
    const again = archive(...expected.files);
    deepEqual(await readArchive(again, 512), expected);
  },
};

type Archive =
  | { readonly reason: string }
  | { readonly files: readonly (readonly [path: string, content: string, comment?: string])[] };

class DamagedArchive extends Error {}

async function readArchive(bytes: Buffer, size: number): Promise<Archive> {
  const files: [string, string, string?][] = [];
  try {
    for await (const { path, content, comment, bytes: length } of readTar(
      cut(bytes, size),
      (reason) => new DamagedArchive(reason),
    )) {
      const read = Buffer.concat(await Array.fromAsync(content));
      equal(read.length, length);
      const text = read.toString('utf8');
      files.push(comment === undefined ? [path, text] : [path, text, comment]);
    }
    return { files };
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
    return { reason: error.message };
  }
}
