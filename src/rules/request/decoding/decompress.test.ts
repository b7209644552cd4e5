import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { inspectedBodyBytesMax } from '../limits.ts';
import { decompress } from './decompress.ts';
import { decodedBytesFree, decodedRatioMax } from './limits.ts';
import { collectGarbage } from '../../../../tools/collect-garbage.ts';

const whole = (bytes: Buffer) => ({ bytes, isTruncated: false, bytesMax: inspectedBodyBytesMax });

test('decompress gives out no more than its limits, whatever goes in', async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const bombs = {
    gzip: gzipSync(zeros),
    deflate: deflateSync(zeros),
    br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    zstd: zstdCompressSync(zeros),
  } as const;
  for (const [coding, bomb] of Object.entries(bombs)) {
    const { bytes, end } = await decompress(coding as keyof typeof bombs, whole(bomb));
    const most = Math.min(inspectedBodyBytesMax, Math.max(decodedBytesFree, decodedRatioMax * bomb.length));
    deepEqual([end, bytes.length], ['too long', most], coding);
  }
});

test('decompress holds a few bodies at a time, however many there are', async () => {
  const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const before = process.memoryUsage().arrayBuffers;
  let highest = 0;
  const results = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const { end } = await decompress('gzip', whole(bomb));
      // Removes garbage of earlier tests.
      collectGarbage();
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
      return end;
    }),
  );
  ok(results.every((end) => end === 'too long'));
  // 200 of them at the same time would hold 200 times the output of one, and their decoders.
  ok(highest < 100 * inspectedBodyBytesMax, `${highest} bytes`);
});

test('decompress expands small bodies beyond the ratio', async () => {
  const text = 'a'.repeat(decodedBytesFree);
  const packed = brotliCompressSync(text);
  ok(packed.length * decodedRatioMax < text.length);
  deepEqual(await decompress('br', whole(packed)), { bytes: Buffer.from(text), end: 'complete' });
});

test('decompress shows the beginning of data that was cut by the inspection limit', async () => {
  const text = Array.from({ length: 4_000 }, (_, index) => `row ${index}; `).join('');
  const forms = {
    gzip: gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
    zstd: zstdCompressSync(text),
  } as const;
  for (const [coding, packed] of Object.entries(forms)) {
    const half = { ...whole(packed.subarray(0, packed.length >> 1)), isTruncated: true };
    const { bytes } = await decompress(coding as keyof typeof forms, half);
    if (coding !== 'zstd') ok(bytes.length > 1_000, coding);
    ok(text.startsWith(bytes.toString()), coding);
  }
});

test('decompress takes deflate with and without a header, and nothing behind it', async () => {
  for (const packed of [deflateSync('seen'), deflateRawSync('seen')]) {
    const { bytes, end } = await decompress('deflate', whole(packed));
    deepEqual([bytes.toString(), end], ['seen', 'complete']);
    equal((await decompress('deflate', whole(Buffer.concat([packed, packed])))).end, 'damaged');
  }
  equal((await decompress('deflate', whole(Buffer.from('plain text')))).end, 'damaged');
});
