/**
 * Decodes one content coding within limits. Decompression runs on Node's threads, stops at the first byte too many, and
 * only a few bodies are decompressed at a time: a bomb costs as much as any other body.
 */
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { decodedBytesFree, decodedRatioMax, decodersMax, zstdWindowLogMax } from './limits.ts';

/** The names of the codings in `Content-Encoding`; RFC 9110 keeps those with `x-`. */
export const codings = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
} as const;

export type Coding = (typeof codings)[keyof typeof codings];

export interface Decompressed {
  /** All of it, or the part before `end`. */
  readonly bytes: Buffer;
  /** `damaged`: not of this coding, incomplete, or followed by other data that another decoder may read. */
  readonly end: 'complete' | 'damaged' | 'too long';
}

interface Compressed {
  readonly bytes: Buffer;
  /** Whether only the start of the data is available. */
  readonly isTruncated: boolean;
  /** Output beyond this is not decompressed. */
  readonly bytesMax: number;
}

export async function decompress(coding: Coding, input: Compressed): Promise<Decompressed> {
  await takeTurn();
  try {
    return await (coding === 'deflate' ? inflate(input) : run(coding, input));
  } finally {
    waiting.shift()?.();
    running--;
  }
}

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn(): Promise<void> {
  if (running++ >= decodersMax) await new Promise<void>((resolve) => waiting.push(resolve));
}

/**
 * Both forms are in use: with the zlib header, as the standard says, and without. Data that is valid in both is
 * refused.
 */
async function inflate(input: Compressed): Promise<Decompressed> {
  const results = [await run('zlib', input), await run('raw', input)];
  const whole = results.filter(({ end }) => end !== 'damaged');
  if (whole.length === 1) return whole[0]!;
  const longest = results[0]!.bytes.length > 0 ? results[0]! : results[1]!;
  return { bytes: longest.bytes, end: 'damaged' };
}

type Format = Exclude<Coding, 'deflate'> | 'zlib' | 'raw';

function run(format: Format, { bytes, isTruncated, bytesMax: most }: Compressed): Promise<Decompressed> {
  const bytesMax = Math.min(most, Math.max(decodedBytesFree, decodedRatioMax * bytes.length));
  const { promise, resolve } = Promise.withResolvers<Decompressed>();
  const decoder = createDecoder(format, isTruncated);
  const pieces: Buffer[] = [];
  let length = 0;
  const finish = (end: Decompressed['end']): void =>
    resolve({ bytes: Buffer.concat(pieces).subarray(0, bytesMax), end });
  decoder.on('data', (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    if (length <= bytesMax) return;
    finish('too long');
    decoder.destroy();
  });
  decoder.on('end', () => finish(decoder.bytesWritten === bytes.length ? 'complete' : 'damaged'));
  decoder.on('error', () => finish('damaged'));
  decoder.end(bytes);
  return promise;
}

/** For truncated data, the decodable part is returned instead of an error. */
function createDecoder(format: Format, isTruncated: boolean): ReturnType<typeof createGunzip> {
  const flushed = isTruncated ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  switch (format) {
    case 'gzip':
      return createGunzip(flushed);
    case 'zlib':
      return createInflate(flushed);
    case 'raw':
      return createInflateRaw(flushed);
    case 'br':
      return createBrotliDecompress(isTruncated ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {});
    case 'zstd':
      return createZstdDecompress({
        params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax },
        ...(isTruncated ? { finishFlush: constants.ZSTD_e_flush } : {}),
      });
  }
}
