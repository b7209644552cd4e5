/**
 * The regular files of a tar archive (ustar, GNU long names, pax paths). Names are only compared and shown, never used
 * as paths, and links are skipped: an archive cannot write anywhere.
 */
import { entriesMax, fileBytesMax } from '../limits.ts';
import { CrsError } from '../problem.ts';
import type { SourceFile } from './choose-files.ts';

const blockBytes = 512;

export function listTarFiles(
  archive: Buffer,
  source: string,
  isWanted: (path: string) => boolean,
): readonly SourceFile[] {
  const files: SourceFile[] = [];
  let longName: string | undefined;
  let entries = 0;
  for (let at = 0; at + blockBytes <= archive.length;) {
    const header = archive.subarray(at, at + blockBytes);
    if (header.every((byte) => byte === 0)) break;
    if (!hasValidChecksum(header) || ++entries > entriesMax)
      throw new CrsError(`${source} is not a tar archive`);
    const size = readOctal(header, 124, 12);
    const start = at + blockBytes;
    if (start + size > archive.length) throw new CrsError(`${source} ends in the middle of a file`);
    const content = archive.subarray(start, start + size);
    at = start + Math.ceil(size / blockBytes) * blockBytes;
    const kind = String.fromCharCode(header[156]!);
    if (kind === 'L') longName = readText(content, 0, size);
    else if (kind === 'x') longName = readPaxPath(content) ?? longName;
    else {
      const path = longName ?? readName(header);
      longName = undefined;
      if ((kind !== '0' && kind !== '\0') || !isWanted(path)) continue;
      if (size > fileBytesMax) throw new CrsError(`${path} has ${size} bytes, more than ${fileBytesMax}`);
      files.push({ path, text: content.toString('latin1') });
    }
  }
  return files;
}

function readName(header: Buffer): string {
  const name = readText(header, 0, 100);
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? readText(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readText(bytes: Buffer, start: number, length: number): string {
  const text = bytes.toString('utf8', start, start + length);
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

function readOctal(bytes: Buffer, start: number, length: number): number {
  const text = readText(bytes, start, length).trim();
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : Number.MAX_SAFE_INTEGER;
}

/** The sum of all bytes, with spaces in place of the sum itself. */
function hasValidChecksum(header: Buffer): boolean {
  let sum = 8 * 32;
  for (let index = 0; index < blockBytes; index++) if (index < 148 || index >= 156) sum += header[index]!;
  return sum === readOctal(header, 148, 8);
}

/** A record is `length key=value\n`. */
function readPaxPath(content: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
}
