import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { fillBlock, readTar, tarEnd, writeTarHead } from './tar.ts';

const files = [
  { path: 'a', content: Buffer.from('x'.repeat(512)) },
  { path: `${'folder/'.repeat(20)}ä`, content: Buffer.from('long path'), comment: '{"from":9}' },
  { path: 'empty', content: Buffer.alloc(0), comment: 'c'.repeat(95) },
];

function writeTar(): Buffer {
  const parts = files.flatMap(({ content, ...file }) => {
    const bytes = content.length;
    return [writeTarHead({ ...file, bytes }), content, fillBlock(bytes)];
  });
  return Buffer.concat([...parts, tarEnd]);
}

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test('readTar reads what writeTarHead describes, however the stream is cut into pieces', async () => {
  for (const length of [1, 7, 512, 100_000]) {
    const read = [];
    for await (const { path, comment, content } of readTar(cut(writeTar(), length))) {
      const bytes = Buffer.concat(await Array.fromAsync(content));
      read.push({ path, content: bytes, ...(comment === undefined ? {} : { comment }) });
    }
    deepEqual(read, files);
  }
});

test('readTar throws if the archive is truncated', async () => {
  const whole = writeTar();
  for (const length of [0, 100, 600, whole.length - tarEnd.length]) {
    await rejects(async () => {
      for await (const { content } of readTar(cut(whole.subarray(0, length), 512)))
        await Array.fromAsync(content);
    }, /is truncated/);
  }
});
