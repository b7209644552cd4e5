/**
 * Reads back every byte of the manifest and the runs from the disk, past all that is in memory, and reports
 * what is not as it was written. It goes on behind damage, to find all of it.
 */
import { crc32 } from 'node:zlib';
import type { FileSystem, OpenFile } from '#base';
import { type Damage, TablesDamageError } from './damage-error.ts';
import { readAheadBytesMax } from './limits.ts';
import { decodeManifest } from './runs/manifest.ts';
import { decodeFooter, footerBytes } from './runs/run-format.ts';
import type { Run } from './runs/run.ts';

type Damages = AsyncGenerator<Damage, void, void>;

export async function* scrubManifest(fs: FileSystem, path: string): Damages {
  try {
    const file = await fs.open(path, 'read');
    const reading = readUpTo(file, 0, file.sizeSync()).finally(() => file.closeSync());
    decodeManifest(await reading, path);
  } catch (error) {
    yield damageFrom(error, path);
  }
}

/** The caller holds the run. */
export async function* scrubRun(fs: FileSystem, run: Run): Damages {
  let file: OpenFile | undefined;
  try {
    // By its name: the handle the run reads from would not notice that the name is gone.
    file = await fs.open(run.path, 'read');
    yield* checkRun(file, run);
  } catch (error) {
    yield damageFrom(error, run.path);
  } finally {
    file?.closeSync();
  }
}

async function* checkRun(handle: OpenFile, run: Run): Damages {
  const { path: file, index, footer, description } = run;
  const { indexOffset, filterOffset } = footer;
  const footerOffset = description.bytes - footerBytes;
  const size = handle.sizeSync();
  if (size !== description.bytes) {
    yield { file, offset: size, problem: `the file has ${size} bytes instead of ${description.bytes}` };
  }
  for (let first = 0; first < index.blockCount;) {
    const end = index.stretchEnd(first, readAheadBytesMax);
    yield* (await run.checkBlocks(handle, first, end)).damages;
    first = end;
  }
  if ((await sectionCrc(handle, indexOffset, filterOffset)) !== footer.indexCrc) {
    yield { file, offset: indexOffset, problem: 'the checksum of the index does not match' };
  }
  if ((await sectionCrc(handle, filterOffset, footerOffset)) !== footer.filterCrc) {
    yield { file, offset: filterOffset, problem: 'the checksum of the filter does not match' };
  }
  const bytes = await readUpTo(handle, footerOffset, footerBytes);
  if (bytes.length < footerBytes) yield { file, offset: footerOffset, problem: 'the footer is cut' };
  else decodeFooter(bytes, file, footerOffset, description.footerCrc);
}

function damageFrom(error: unknown, file: string): Damage {
  if (!(error instanceof TablesDamageError)) {
    return { file, offset: 0, problem: `the file cannot be read: ${String(error)}` };
  }
  return { file, offset: error.offset, problem: error.problem };
}

async function readUpTo(file: OpenFile, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, await file.read(bytes, offset));
}

async function sectionCrc(file: OpenFile, from: number, to: number): Promise<number> {
  let crc = 0;
  for (let at = from; at < to; at += readAheadBytesMax) {
    crc = crc32(await readUpTo(file, at, Math.min(readAheadBytesMax, to - at)), crc);
  }
  return crc;
}
