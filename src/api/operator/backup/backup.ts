/**
 * Copies a whole data directory to a folder while the directory is in use. A folder with a backup of the same directory
 * is updated: only new data is copied.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DirectoryLock } from '#sqlite';
import { type OnProgress } from '#objects';
import { readTar, type ReadTarFile } from '#streams';
import type { OperatorAccess } from '../operator-client.ts';
import { OperatorError } from '../error.ts';
import {
  type BackupList,
  failureName,
  isCount,
  isPlainPath,
  listName,
  readBackupList,
  syncFolder,
  writeFileLine,
} from './backup-list.ts';
import { findEntryKind } from '../directory-contents.ts';
import type { FileComment } from './send-backup.ts';

export interface BackupOptions {
  /** Created if missing; otherwise empty, or a backup of the same directory. */
  readonly to: string;
  readonly onProgress?: OnProgress | undefined;
}

export interface BackupResult {
  readonly files: number;
  readonly bytes: number;
  /** What was copied this time. */
  readonly copied: number;
  readonly position: number;
  readonly time: number;
}

export async function backUp(
  access: OperatorAccess,
  { to, onProgress }: BackupOptions,
): Promise<BackupResult> {
  prepareFolder(to, access.directory);
  using _lock = DirectoryLock.acquire(to);
  const before = await readBackupList(to);
  if (before === undefined) await markAsOurs(to);
  const response = await access.client.exchange('/backup', { content: listWhatIsThere(to, before) });
  const total = Number(response.headers.get('x-backup-bytes'));
  let done = 0;
  let copied = 0;
  const advance = (bytes: number): void => {
    done += bytes;
    onProgress?.({ step: 'copying', done, total });
  };
  for await (const file of readTar(response.body!, (reason) => new OperatorError(reason))) {
    if (file.path === failureName) throw await readFailure(file);
    if (file.path !== listName) copied += file.bytes;
    await receive(file, { to, before, advance });
  }
  const list = await readBackupList(to, temporaryList);
  if (list === undefined) throw new OperatorError('the server sent no list of the files of the backup');
  checkContinues(to, before, list);
  for (const folder of new Set([...list.files.keys()].map((path) => dirname(path))))
    await syncFolder(join(to, folder));
  await rename(join(to, temporaryList), join(to, listName));
  await syncFolder(to);
  await removeSuperseded(to, list, before);
  const { position, time, files } = list;
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0);
  return { files: files.size, bytes, copied, position, time };
}

/** Until everything is copied, the list of the earlier backup is valid. */
const temporaryList = `${listName}.tmp`;

/** So that a first backup can be repeated if it is interrupted before it has its list. */
async function markAsOurs(to: string): Promise<void> {
  await writeFile(join(to, temporaryList), '', { mode: 0o600 });
  await syncFolder(to);
}

/** Files that need not be sent again: those of the earlier backup that have the bytes in its list. */
async function* listWhatIsThere(
  to: string,
  before: BackupList | undefined,
): AsyncGenerator<Uint8Array, void> {
  for (const file of before?.files.values() ?? []) {
    const size = statSync(join(to, file.path), { throwIfNoEntry: false })?.size ?? 0;
    if (file.stamp !== undefined && size >= file.bytes) yield Buffer.from(writeFileLine(file));
  }
}

/** Why the server stopped sending. */
async function readFailure({ content }: ReadTarFile): Promise<OperatorError> {
  const reason = Buffer.concat(await Array.fromAsync(content)).toString();
  return new OperatorError(reason, { code: 'BACKUP_INCOMPLETE' });
}

interface Receiving {
  readonly to: string;
  readonly before: BackupList | undefined;
  readonly advance: (bytes: number) => void;
}

async function receive(file: ReadTarFile, { to, before, advance }: Receiving): Promise<void> {
  const { path, content, comment } = file;
  if (!isPlainPath(path))
    throw new OperatorError(`the server names a file that is not in its directory: ${file.path}`);
  const { bytes, from, stamp } = readComment(comment ?? `{"bytes":${file.bytes},"from":0}`);
  const had = before?.files.get(path);
  if (had !== undefined && isLog(path) && (had.stamp !== stamp || had.bytes > bytes))
    throw createOtherHistory(to);
  advance(from);
  if (from > 0 && from === bytes) return;
  await mkdir(join(to, dirname(path)), { recursive: true, mode: 0o700 });
  const target = join(to, path);
  // The bytes in the list of the earlier backup are not changed: it is valid until this one is.
  const temporary = from === 0 ? `${target}.tmp` : undefined;
  const handle = await open(temporary ?? target, temporary === undefined ? 'r+' : 'w', 0o600);
  try {
    let at = from;
    for await (const piece of content) {
      await handle.write(piece, 0, piece.length, at);
      at += piece.length;
      advance(piece.length);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (temporary !== undefined && path !== listName) await rename(temporary, target);
}

function readComment(comment: string): FileComment {
  const read = JSON.parse(comment) as FileComment;
  if (isCount(read.bytes) && isCount(read.from) && read.from <= read.bytes) return read;
  throw new OperatorError(`the server sent an invalid description of a file: ${comment}`);
}

function prepareFolder(to: string, directory: string): void {
  if (`${to}/`.startsWith(`${directory}/`)) {
    throw new OperatorError(`${to} is inside the directory to be copied: choose a folder elsewhere`);
  }
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = readdirSync(to).filter((name) => !ownNames.has(name));
  if (names.length === 0 || [listName, temporaryList].some((name) => existsSync(join(to, name)))) return;
  throw new OperatorError(
    `${to} has other content (${names[0]}, and no ${listName}): choose an empty folder`,
  );
}

/** Entries of the folder besides the files of the backup. */
const ownNames = new Set([listName, temporaryList, 'lock', 'lock.holder']);

/** Entries that only a data directory has: other folders beside the backup may belong to the user. */
function isPart(name: string): boolean {
  return ['objects', 'directory', 'directories'].includes(findEntryKind(name) ?? '');
}

/** Removes what only the earlier backup needed, and remains of an interrupted one; nothing else. */
async function removeSuperseded(
  to: string,
  { files }: BackupList,
  before: BackupList | undefined,
): Promise<void> {
  const superseded = [...(before?.files.keys() ?? [])];
  for (const folder of readdirSync(to).filter(isPart)) {
    if (!statSync(join(to, folder)).isDirectory()) continue;
    for (const entry of await readdir(join(to, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) superseded.push(relative(to, join(entry.parentPath, entry.name)));
    }
  }
  for (const path of new Set(superseded)) if (!files.has(path)) await rm(join(to, path), { force: true });
}

/** Throws if the log of the earlier backup is not the start of this one. */
function checkContinues(to: string, before: BackupList | undefined, { files }: BackupList): void {
  const logs = [...files.keys()].filter(isLog).sort();
  for (const { path, bytes } of before?.files.values() ?? []) {
    const isGone = isInside(path) && !logs.some((each) => directoryOf(each) === directoryOf(path));
    const oldest = logs.find((each) => dirname(each) === dirname(path)) ?? '';
    // A Worker that was deleted, or records beyond the retention.
    if (!isLog(path) || isGone || path < oldest) continue;
    if ((files.get(path)?.bytes ?? 0) < bytes) throw createOtherHistory(to);
  }
}

function isLog(path: string): boolean {
  return logPath.test(path);
}

const logPath = /(?:^|\/)(?:host-\d+\/)?journal\/[^/]+$/;

/** The directory below the copied one to whose log the file belongs. */
function directoryOf(path: string): string {
  return path.replace(logPath, '');
}

function isInside(path: string): boolean {
  return isLog(path) && directoryOf(path) !== '';
}

function createOtherHistory(to: string): OperatorError {
  return new OperatorError(
    `${to} has a backup of another directory, or of this one before it was restored: choose an empty folder`,
    { code: 'BACKUP_OF_ANOTHER_HISTORY' },
  );
}
