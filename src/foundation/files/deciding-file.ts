/**
 * A small JSON file that decides about others: which folders are current, what a directory contains. It has a checksum,
 * and a copy beside it (`<name>.copy`), so that a lost or damaged file can be restored from the other. Each write has a
 * number: of two that differ, the later one counts.
 *
 * A reader finds a state that was written completely, or learns that there is none. Files without a checksum, as older
 * versions and people write them, count if no file with one contradicts them.
 */
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import type { FileSystem } from './file-system.ts';

export type DecidingFile<Value> =
  | { readonly state: 'absent' }
  | { readonly state: 'damaged'; readonly reason: string }
  /** `flaw` describes a problem of the file or its copy; `writeDecidingFile` repairs both. */
  | { readonly state: 'whole'; readonly value: Value; readonly flaw: string | undefined };

interface ReadState {
  readonly state: 'checked' | 'plain';
  readonly value: object;
  readonly written: number;
}

type Found = { readonly state: 'absent' } | { readonly state: 'damaged' } | ReadState;

const sealed = /^(\{.*),"written":(\d+),"checksum":"([0-9a-f]{8})"\}\n$/s;

/**
 * `parse` returns undefined for an invalid value. A file without a checksum may only have these keys: others could be those
 * of a damaged checksum.
 */
export function readDecidingFile<Value extends object>(
  fs: FileSystem,
  path: string,
  { keys, parse }: { readonly keys: readonly string[]; readonly parse: (value: object) => Value | undefined },
): DecidingFile<Value> {
  const [main, copy] = [readOne(fs, path), readOne(fs, copyOf(path))];
  const checked = [main, copy].filter((found): found is ReadState => found.state === 'checked');
  const best = checked.toSorted((one, other) => other.written - one.written)[0];
  const isPlain = main.state === 'plain' && hasOnly(main.value, keys) && parse(main.value) !== undefined;
  const plain = isPlain ? main : undefined;
  const chosen = best ?? plain;
  if (plain !== undefined && best !== undefined && !isDeepStrictEqual(plain.value, best.value))
    return { state: 'damaged', reason: `${path} differs from ${copyOf(path)}: remove the incorrect one` };
  const value = chosen && parse(chosen.value);
  if (value !== undefined) return { state: 'whole', value, flaw: describeFlaw(path, { main, copy }, chosen) };
  if (main.state === 'absent' && copy.state === 'absent') return { state: 'absent' };
  return { state: 'damaged', reason: describeFlaw(path, { main, copy }, undefined) ?? `${path} is damaged` };
}

/** Once this returns, the value is in effect, whatever happens. The copy is first: then both contain the value. */
export function writeDecidingFile(fs: FileSystem, path: string, value: object): void {
  const found = [readOne(fs, path), readOne(fs, copyOf(path))];
  const written = 1 + Math.max(0, ...found.map((each) => ('written' in each ? each.written : 0)));
  const bytes = encodeDecidingFile(value, written);
  for (const each of [copyOf(path), path]) {
    const unfinished = `${each}.new`;
    if (has(fs, unfinished)) fs.unlinkSync(unfinished);
    const file = fs.openSync(unfinished, 'create');
    try {
      file.writeSync(bytes, 0);
      file.fsyncSync();
    } finally {
      file.closeSync();
    }
    fs.renameSync(unfinished, each);
    fs.fsyncDirectorySync(dirname(path));
  }
}

/** Once this returns, neither file exists. */
export function removeDecidingFile(fs: FileSystem, path: string): void {
  for (const each of [path, copyOf(path)]) {
    if (!has(fs, each)) continue;
    fs.unlinkSync(each);
    fs.fsyncDirectorySync(dirname(path));
  }
}

/** Whether the name is that of the file, of its copy, or of a temporary file of either. */
export function isPartOfDecidingFile(name: string, file: string): boolean {
  return [file, copyOf(file), `${file}.new`, `${copyOf(file)}.new`].includes(name);
}

/** The content for a copy of the directory. */
export function encodeDecidingFile(value: object, written = 1): Uint8Array {
  const text = JSON.stringify(value).slice(0, -1);
  return Buffer.from(`${text},"written":${written},"checksum":"${checksumOf(text, written)}"}\n`);
}

/** The value of a file with a checksum, or of one without that has only these keys; undefined for any other content. */
export function decodeDecidingFile(text: string, keys: readonly string[] = []): object | undefined {
  const found = decodeChecked(text) ?? toFound(text, 'plain', 0);
  const isValid = found.state === 'checked' || (found.state === 'plain' && hasOnly(found.value, keys));
  return isValid ? found.value : undefined;
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function checksumOf(text: string, written: number): string {
  return crc32(`${text},${written}`).toString(16).padStart(8, '0');
}

function copyOf(path: string): string {
  return `${path}.copy`;
}

function has(fs: FileSystem, path: string): boolean {
  const folder = dirname(path);
  return fs.readdirSync(folder).includes(path.slice(folder.length + 1));
}

function readOne(fs: FileSystem, path: string): Found {
  if (!has(fs, path)) return { state: 'absent' };
  const text = readText(fs, path);
  return decodeChecked(text) ?? toFound(text, 'plain', 0);
}

function decodeChecked(text: string): Found | undefined {
  const [, body, written, checksum] = sealed.exec(text) ?? [];
  const number = Number(written);
  return body !== undefined && checksumOf(body, number) === checksum
    ? toFound(`${body}}`, 'checked', number)
    : undefined;
}

function readText(fs: FileSystem, path: string): string {
  const file = fs.openSync(path, 'read');
  try {
    const bytes = Buffer.alloc(file.sizeSync());
    return bytes.toString('utf8', 0, file.readSync(bytes, 0));
  } finally {
    file.closeSync();
  }
}

function toFound(text: string, state: 'checked' | 'plain', written: number): Found {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { state, value, written } : { state: 'damaged' };
  } catch {
    return { state: 'damaged' };
  }
}

interface Both {
  readonly main: Found;
  readonly copy: Found;
}

/** Undefined if both files contain the current value. */
function describeFlaw(path: string, { main, copy }: Both, counts: Found | undefined): string | undefined {
  const flaws = [
    { file: path, found: main },
    { file: copyOf(path), found: copy },
  ].flatMap(({ file, found }) => {
    if (found === counts && found.state === 'checked') return [];
    if (found.state === 'absent') return [`${file} is missing`];
    if (found.state !== 'checked') return [`${file} ${found === counts ? 'has no checksum' : 'is damaged'}`];
    const isSame = counts !== undefined && 'written' in counts && counts.written === found.written;
    return isSame ? [] : [`${file} is ${counts === undefined ? 'not understood' : 'an older one'}`];
  });
  return flaws.length === 0 ? undefined : flaws.join(', and ');
}
