/** Rules in a release archive, `.tar.gz`, whose content must match the published checksum. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackedBytesMax } from '../limits.ts';
import { CrsError } from '../problem.ts';
import { chooseFiles, type FoundRules } from './choose-files.ts';
import { listTarFiles } from './tar.ts';

export async function readArchive(path: string, sha256: string): Promise<FoundRules> {
  const packed = readFileSync(path);
  checkSum(path, packed, sha256);
  let archive: Buffer;
  try {
    archive = gunzipSync(packed, { maxOutputLength: unpackedBytesMax });
  } catch (error) {
    throw new CrsError(`${path} cannot be unpacked: ${(error as Error).message}`, { cause: error });
  }
  return chooseFiles(await listTarFiles(archive, path), basename(path));
}

export function checkSum(path: string, bytes: Buffer, sha256: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256.trim().toLowerCase()) {
    throw new CrsError(`${path} is not the file that --checksum is about: its sha256 is ${found}`);
  }
}
