/**
 * Reads every byte of the manifest and the runs from the disk, bypassing memory, and reports what is not as it was
 * written. It continues after damage, to find all of it.
 */
import { crc32 } from 'node:zlib';
import type { FileSystem, OpenFile } from '#files';
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
    yield toDamage(error, path);
  }
}

/** The caller must hold the run. */
export async function* scrubRun(fs: FileSystem, run: Run, onBytes: (bytes: number) => void): Damages {
  let file: OpenFile | undefined;
  try {
    // Opened by name, because the run's open handle would not reveal that the file was removed.
    file = await fs.open(run.path, 'read');
    yield* checkRun(file, run, onBytes);
  } catch (error) {
    yield toDamage(error, run.path);
  } finally {
    file?.closeSync();
  }
}

async function* checkRun(handle: OpenFile, run: Run, onBytes: (bytes: number) => void): Damages {
  const { path: file, index, footer, description } = run;
  const { indexOffset, filterOffset } = footer;
  const footerOffset = description.bytes - footerBytes;
  const size = handle.sizeSync();
  if (size !== description.bytes) {
    yield { file, offset: size, problem: `the file has ${size} bytes instead of ${description.bytes}` };
  }
  for (let first = 0; first < index.blockCount;) {
    const end = index.findStretchEnd(first, readAheadBytesMax);
    yield* (await run.checkBlocks(handle, first, end)).damages;
    onBytes(index.getOffset(end) - index.getOffset(first));
    first = end;
  }
  if ((await computeSectionCrc(handle, indexOffset, filterOffset)) !== footer.indexCrc) {
    yield { file, offset: indexOffset, problem: 'the checksum of the index does not match' };
  }
  if ((await computeSectionCrc(handle, filterOffset, footerOffset)) !== footer.filterCrc) {
    yield { file, offset: filterOffset, problem: 'the checksum of the filter does not match' };
  }
  const bytes = await readUpTo(handle, footerOffset, footerBytes);
  if (bytes.length < footerBytes) yield { file, offset: footerOffset, problem: 'the footer is cut' };
  else decodeFooter(bytes, file, footerOffset, description.footerCrc);
}

function toDamage(error: unknown, file: string): Damage {
  if (!(error instanceof TablesDamageError)) {
    return { file, offset: 0, problem: `the file cannot be read: ${String(error)}` };
  }
  return { file, offset: error.offset, problem: error.problem };
}

async function readUpTo(file: OpenFile, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, await file.read(bytes, offset));
}

async function computeSectionCrc(file: OpenFile, from: number, to: number): Promise<number> {
  let crc = 0;
  for (let at = from; at < to; at += readAheadBytesMax) {
    crc = crc32(await readUpTo(file, at, Math.min(readAheadBytesMax, to - at)), crc);
  }
  return crc;
}
