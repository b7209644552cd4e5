/**
 * The files of a data directory that are not in a log: each is small and replaced as a whole, grows at its end, or is
 * written once. They are copied after the moment of the backup, so that all files to which objects refer at that moment
 * exist.
 */
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile } from '#objects';
import { type EntryKind, findEntryKind } from '../directory-contents.ts';
import { pieceBytesMax } from '../limits.ts';
import { createIncomplete } from './incomplete.ts';

/** A file, with its size when it was opened: it may be replaced meanwhile. */
export interface OpenedFile extends BackupFile {
  readonly handle: FileHandle;
}

export interface OtherFilesOptions {
  readonly directory: string;
  /** The top-level names that other parts copy. */
  readonly claimed: ReadonlySet<string>;
  /** Data directories inside it that have no objects. */
  readonly plain: readonly string[];
}

/** Each file is closed when the next one is requested. */
export async function* openOtherFiles(options: OtherFilesOptions): AsyncGenerator<OpenedFile, void> {
  const { directory } = options;
  for (const { path, kind } of listFiles(options)) {
    const handle = await openFile(join(directory, path));
    // Deleted since it was listed, so no longer needed.
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

/** An estimate of the bytes to copy. */
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
      if (isOfOthers || kind === 'passing' || kind === 'directory') continue;
      const place = root === '' ? name : `${root}/${name}`;
      // Beside data directories, which others copy, only a stray file can be in such a folder.
      const places = kind === 'directories' ? listStrayFiles(directory, place) : [place];
      for (const each of places) for (const path of listPaths(directory, each, root)) yield { path, kind };
    }
}

function listStrayFiles(directory: string, folder: string): string[] {
  return readFolder(join(directory, folder))
    .filter((name) => !isPassing(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(join(directory, path), { throwIfNoEntry: false })?.isDirectory() !== true);
}

/** A small file is read at once, so that its length and its bytes are consistent. */
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
    throw createIncomplete(
      path,
      message,
      'make it readable for the user of the server, or move it away',
      error,
    );
  }
}

/** The files at a path; a link counts as its target, but only the links at the top may point to a folder. */
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
  // The socket of a listening program, which its start creates again.
  if (status.isSocket()) return;
  if (!status.isDirectory())
    throw createIncomplete(place, 'it is neither a file nor a folder', 'move it out of the data directory');
  const isAtTop = !path.slice(top === '' ? 0 : top.length + 1).includes('/');
  if (!isAtTop && readLink(place) !== undefined)
    throw createIncomplete(place, 'it is a link to a folder', 'replace the link with the folder');
  for (const name of readFolder(place))
    if (!isPassing(name)) yield* listPaths(directory, `${path}/${name}`, top);
}

/** Remains of an interrupted write or a killed backup: the start of the program removes them. */
function isPassing(name: string): boolean {
  return name.endsWith('.tmp') || name.startsWith('.held-');
}

function readFolder(place: string): string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw createIncomplete(
      place,
      message,
      'make it readable for the user of the server, or move it away',
      error,
    );
  }
}

function readLink(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}
