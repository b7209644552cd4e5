/**
 * The manifest, a file of that name: which runs make up the store, and how far into the journal they reach. It
 * is the only file that changes, by being replaced: written as `manifest.tmp`, synced, renamed, the directory
 * synced. It exists from the first opening on, before any run does.
 *
 *      0  8 bytes  "gate-man"
 *      8  u32      format version, 1
 *     12  u32      number of runs
 *     16  u64      position: every batch up to here is in the runs
 *     24           per run, the newest first:
 *         u64      number, which gives the file name: ten decimal digits (more if need be) and `.run`
 *         u64      length of the file
 *         u32      checksum in the footer of the file
 *      …  u32      checksum of everything before
 *
 * Any other file whose name ends in `.run` or `.tmp` was left by a crash and is removed.
 */
import { crc32 } from 'node:zlib';
import { ByteWriter } from '../byte-writer.ts';
import { TablesDamageError } from '../damage-error.ts';
import type { RunDescription } from './run.ts';

export const manifestFileName = 'manifest';
const magic = 'gate-man';
const version = 1;
const headerBytes = 24;
const runBytes = 20;
const crcBytes = 4;

export interface Manifest {
  readonly position: number;
  readonly newestFirst: readonly RunDescription[];
}

export function encodeManifest({ position, newestFirst }: Manifest): Uint8Array {
  const writer = new ByteWriter(headerBytes + newestFirst.length * runBytes + crcBytes);
  writer.writeLatin1(magic);
  writer.writeUint32(version);
  writer.writeUint32(newestFirst.length);
  writer.writeUint64(position);
  for (const { number, bytes, footerCrc } of newestFirst) {
    writer.writeUint64(number);
    writer.writeUint64(bytes);
    writer.writeUint32(footerCrc);
  }
  writer.writeUint32(crc32(writer.view()));
  return writer.view();
}

export function decodeManifest(bytes: Buffer, file: string): Manifest {
  const damage = (offset: number, problem: string): never => {
    throw new TablesDamageError(file, offset, problem);
  };
  const end = bytes.length - crcBytes;
  if (end < headerBytes) damage(bytes.length, 'the file ends inside its header');
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) damage(end, 'the checksum does not match');
  if (bytes.toString('latin1', 0, 8) !== magic) damage(0, 'this is not a manifest');
  const found = bytes.readUInt32LE(8);
  if (found !== version) damage(8, `the format version is ${found}, this program reads version ${version}`);
  const runCount = bytes.readUInt32LE(12);
  if (end !== headerBytes + runCount * runBytes) damage(12, 'the number of runs does not match the length');
  const newestFirst: RunDescription[] = [];
  for (let at = headerBytes; at < end; at += runBytes) {
    newestFirst.push({
      number: Number(bytes.readBigUInt64LE(at)),
      bytes: Number(bytes.readBigUInt64LE(at + 8)),
      footerCrc: bytes.readUInt32LE(at + 16),
    });
  }
  return { position: Number(bytes.readBigUInt64LE(16)), newestFirst };
}
