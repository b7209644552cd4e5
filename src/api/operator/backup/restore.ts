/** Creates a data directory from a backup, in its state at the end of the backup or at an earlier moment. */
import { mkdirSync, readdirSync } from 'node:fs';
import { mkdir, open, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { unfinishedRestore } from '#files';
import { hasObjects, listLogDirectories } from '#hosts';
import { type OnProgress, type Repair, type Rewound, rewindDirectory } from '#objects';
import { type ListedFile, listName, readBackupList, syncFolder } from './backup-list.ts';
import { OperatorError } from '../error.ts';
import { findInnerDirectories } from './inner-directories.ts';
import { findMissingFiles, type MissingFile, type NamedFiles } from './named-files.ts';
import { pieceBytesMax } from '../limits.ts';

export interface RestoreOptions {
  readonly backup: string;
  /** Created if missing; otherwise empty, or the remains of a killed restore. */
  readonly to: string;
  /** The moment to restore; by default the end of the backup. */
  readonly time?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** References of objects to files: all of these files are checked. */
  readonly named?: readonly NamedFiles[];
}

export interface RestoreResult extends Omit<Rewound, 'beginsLater'> {
  readonly files: number;
  readonly bytes: number;
  /** Missing parts of the directory; none, unless the backup was made of a directory that lacked them. */
  readonly lost: readonly Repair[];
  /** Files to which objects refer and that the backup does not have. */
  readonly missing: readonly MissingFile[];
}

export async function restoreBackup({
  backup,
  to,
  time,
  onProgress,
  named = [],
}: RestoreOptions): Promise<RestoreResult> {
  const list = await readBackupList(backup);
  if (list === undefined) throw new OperatorError(`there is no backup in ${backup}: it has no ${listName}`);
  if (time !== undefined && time > list.time) {
    throw new OperatorError(
      `the backup ends at ${new Date(list.time).toISOString()}, before ${new Date(time).toISOString()}: choose an earlier --time, or a later backup`,
    );
  }
  const made = mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = readdirSync(to);
  // The remains of a killed restore are not a directory yet.
  if (names.includes(unfinishedRestore)) await empty(to);
  else if (names[0] !== undefined) {
    throw new OperatorError(`${to} is not empty (${names[0]}): a backup is restored into a new directory`);
  }
  await writeFile(join(to, unfinishedRestore), '', { flag: 'wx', mode: 0o600 });
  await syncFolder(to);
  try {
    const bytes = [...list.files.values()].reduce((sum, file) => sum + file.bytes, 0);
    let done = 0;
    for (const file of list.files.values()) {
      await copyFile(backup, to, file, (more) => {
        done += more;
        onProgress?.({ step: 'copying', done, total: bytes });
      });
    }
    for (const folder of new Set([...list.files.keys()].map((path) => dirname(path))))
      await syncFolder(join(to, folder));
    checkLogs(backup, to);
    const { repairs, newest } = await rewindAll(to, time, onProgress);
    const missing = await Array.fromAsync(findMissingFiles(to, named, onProgress));
    await rm(join(to, unfinishedRestore));
    await syncFolder(to);
    await syncFolder(dirname(to));
    return {
      position: newest.position,
      time: newest.time,
      files: list.files.size,
      bytes,
      lost: repairs.filter(({ outcome }) => outcome === 'lost'),
      missing,
    };
  } catch (error) {
    // A partial directory must not be mistaken for a complete one.
    await empty(to);
    if (made !== undefined) await removeMade(to, made);
    throw error;
  }
}

/** Removes the folders that were created for it, up to the topmost: a refused restore leaves none behind. */
async function removeMade(to: string, made: string): Promise<void> {
  for (let folder = resolve(to); folder.startsWith(resolve(made)); folder = dirname(folder))
    await rmdir(folder);
}

/** The mark is removed last, so that this can be repeated, too. */
async function empty(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name !== unfinishedRestore);
  for (const name of names) await rm(join(directory, name), { recursive: true });
  await rm(join(directory, unfinishedRestore), { force: true });
}

interface RewoundAll {
  readonly newest: Rewound;
  readonly repairs: readonly Repair[];
}

/**
 * Rewinds the directory and those inside it: a moment applies to all their logs. Returns the newest record of the
 * first.
 */
async function rewindAll(
  directory: string,
  time: number | undefined,
  onProgress: OnProgress | undefined,
): Promise<RewoundAll> {
  const { newest, repairs } = await rewindLogs(directory, { time, onProgress });
  if (newest.beginsLater !== undefined)
    throw new RangeError(
      `cannot go back to ${new Date(time!).toISOString()}: the log starts later, at ${newest.beginsLater}`,
    );
  const all = [...repairs];
  for (const path of findInnerDirectories(directory).withObjects) {
    const inner = join(directory, path);
    const rewound = await rewindLogs(inner, { time, onProgress }).catch((error: Error) => {
      if (error instanceof RangeError) throw new RangeError(`${path}: ${error.message}`, { cause: error });
      throw error;
    });
    all.push(...rewound.repairs);
    // At that moment it did not exist. The backup has later data.
    if (rewound.newest.beginsLater !== undefined) await rm(inner, { recursive: true });
  }
  return { newest, repairs: all };
}

/** Each object host has its own log. */
async function rewindLogs(
  directory: string,
  options: { readonly time: number | undefined; readonly onProgress: OnProgress | undefined },
): Promise<RewoundAll> {
  const repairs: Repair[] = [];
  let newest: Rewound | undefined;
  for (const each of listLogDirectories(directory)) {
    const { repairs: found, ...rewound } = await rewindDirectory({ directory: each, ...options });
    repairs.push(...found);
    if ((rewound.time ?? 0) >= (newest?.time ?? 0)) newest = rewound;
  }
  return { newest: newest!, repairs };
}

/** The backup must contain all parts that the directories list: otherwise opening one would start with less. */
function checkLogs(backup: string, to: string): void {
  const inner = findInnerDirectories(to).withObjects.map((path) => join(to, path));
  for (const each of [to, ...inner].flatMap(listLogDirectories))
    if (!hasObjects(each))
      throw createDamaged(backup, `it has no log for ${relative(to, each) || 'its objects'}`);
}

/** Copies a file of the list, and checks it. */
async function copyFile(
  backup: string,
  to: string,
  { path, bytes, length, crc32: expected }: ListedFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  await mkdir(join(to, dirname(path)), { recursive: true, mode: 0o700 });
  const source = join(backup, path);
  const from = await open(source, 'r').catch((error: NodeJS.ErrnoException) => {
    throw createDamaged(source, error.code === 'ENOENT' ? 'it is missing' : error.message);
  });
  try {
    const target = await open(join(to, path), 'wx', 0o600);
    try {
      const memory = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, bytes));
      let crc = 0;
      for (let at = 0; at < bytes;) {
        const { bytesRead } = await from.read(memory, 0, Math.min(memory.length, bytes - at), at);
        if (bytesRead === 0) throw createDamaged(source, `it has ${at} bytes instead of ${bytes}`);
        const piece = memory.subarray(0, bytesRead);
        await target.write(piece, 0, bytesRead, at);
        crc = crc32(piece, crc);
        at += bytesRead;
        onBytes(bytesRead);
      }
      if (crc !== expected) throw createDamaged(source, 'its checksum does not match');
      if (length !== undefined) await target.truncate(length);
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await from.close();
  }
}

function createDamaged(file: string, problem: string): OperatorError {
  return new OperatorError(`cannot restore, a file of the backup is damaged, ${problem}: ${file}`, {
    code: 'BACKUP_DAMAGED',
  });
}
