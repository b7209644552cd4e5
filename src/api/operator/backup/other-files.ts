/**
 * The files of a data directory that no log stands for: each is small and replaced as a whole, grows at its end, or is
 * written once. They are copied after the moment of the backup, so what the objects name at that moment is there.
 */
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile } from '#objects';
import { type EntryKind, findEntryKind } from '../directory-contents.ts';
import { pieceBytesMax } from '../limits.ts';
import { createIncomplete } from './incomplete.ts';

/** A file, with the bytes that it had when it was opened: it may be replaced meanwhile. */
export interface OpenedFile extends BackupFile {
  readonly handle: FileHandle;
}

export interface OtherFilesOptions {
  readonly directory: string;
  /** The names at its top that others copy. */
  readonly claimed: ReadonlySet<string>;
  /** Data directories inside it that have no objects. */
  readonly plain: readonly string[];
}

/** Each file is closed when the next one is asked for. */
export async function* openOtherFiles(options: OtherFilesOptions): AsyncGenerator<OpenedFile, void> {
  const { directory } = options;
  for (const { path, kind } of listFiles(options)) {
    const handle = await openFile(join(directory, path));
    // Deleted since it was listed: it was not needed any more.
    if (handle === undefined) continue;
    try {
      const { size: bytes, mtimeNs } = await handle.stat({ bigint: true });
      const stamp = kind === 'kept files' ? { stamp: `${bytes}-${mtimeNs}` } : {};
      yield { path, handle, ...(await readSmall(handle, Number(bytes))), ...stamp };
    } finally {
      await handle.close();
    }
  }
}

/** About as many bytes as will be copied. */
export function measureOtherFiles(options: OtherFilesOptions): number {
  let bytes = 0;
  for (const { path } of listFiles(options))
    bytes += statSync(join(options.directory, path), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

function* listFiles({
  directory,
  claimed,
  plain,
}: OtherFilesOptions): Generator<{ readonly path: string; readonly kind: EntryKind | undefined }> {
  for (const root of ['', ...plain])
    for (const name of readFolder(join(directory, root))) {
      const kind = findEntryKind(name);
      const isOfOthers = root === '' ? claimed.has(name) : kind === 'objects';
      if (isOfOthers || kind === 'passing' || kind === 'directory' || kind === 'directories') continue;
      for (const path of listPaths(directory, root === '' ? name : `${root}/${name}`, root))
        yield { path, kind };
    }
}

/** A file that is small is read at once, so that its length and its bytes are of one moment. */
async function readSmall(
  handle: FileHandle,
  size: number,
): Promise<{ readonly bytes: number; readonly content?: Uint8Array }> {
  if (size > pieceBytesMax) return { bytes: size };
  const content = await handle.readFile();
  return { bytes: content.length, content };
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw createIncomplete(path, message, 'let the user of the server read it, or move it away', error);
  }
}

/** The files at a path; a link counts as what it leads to, but only the links at the top may lead to a folder. */
function* listPaths(directory: string, path: string, top: string): Generator<string> {
  const place = join(directory, path);
  const status = statSync(place, { throwIfNoEntry: false });
  if (status === undefined) {
    const target = readLink(place);
    // It has just been deleted.
    if (target === undefined) return;
    throw createIncomplete(place, `it is a link to ${target}, which does not exist`, 'remove the link');
  }
  if (status.isFile()) return yield path;
  // Of a program that listens: its start makes it again.
  if (status.isSocket()) return;
  if (!status.isDirectory())
    throw createIncomplete(place, 'it is neither a file nor a folder', 'move it out of the data directory');
  const isAtTop = !path.slice(top === '' ? 0 : top.length + 1).includes('/');
  if (!isAtTop && readLink(place) !== undefined)
    throw createIncomplete(place, 'it is a link to a folder', 'replace the link by the folder');
  for (const name of readFolder(place))
    if (!isPassing(name)) yield* listPaths(directory, `${path}/${name}`, top);
}

/** What an interrupted write or a backup that was killed has left: the start of the program removes it. */
function isPassing(name: string): boolean {
  return name.endsWith('.tmp') || name.startsWith('.held-');
}

function readFolder(place: string): string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw createIncomplete(place, message, 'let the user of the server read it, or move it away', error);
  }
}

function readLink(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}
