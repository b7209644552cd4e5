/**
 * A copy of a whole data directory in a folder, made while the directory is in use. A folder that has a backup of the
 * same directory is brought up to date: only what is new is copied.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { crc32 } from 'node:zlib';
import { DirectoryLock } from '#sqlite';
import { hostsFile, type OnProgress } from '#objects';
import type { Access, SentFile } from './access.ts';
import {
  type BackupList,
  isPlainPath,
  type ListedFile,
  listName,
  readBackupList,
  syncFolder,
  writeBackupList,
} from './backup-list.ts';
import type { Piece } from './channel.ts';
import { MaintenanceError } from './error.ts';

export interface BackupOptions {
  /** Made if missing; otherwise empty, or a backup of the same directory. */
  readonly to: string;
  readonly now: () => number;
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

export async function backUp(access: Access, { to, now, onProgress }: BackupOptions): Promise<BackupResult> {
  prepareFolder(to, access.directory);
  using _lock = DirectoryLock.acquire(to);
  const before = await readBackupList(to);
  const time = now();
  const writer = new BackupWriter(to, before, onProgress);
  let position = 0;
  for await (const answer of access.ask({ do: 'backup' })) {
    if ('backup' in answer) {
      ({ position } = answer.backup);
      writer.total = answer.backup.bytes;
    } else if ('file' in answer) {
      await answer.channel.send({ from: await writer.begin(answer.file) });
      await writer.endIfWhole();
    } else if ('piece' in answer) {
      await writer.write(answer.piece);
      await writer.endIfWhole();
    }
  }
  const { files, copied } = writer;
  writer.checkContinues();
  for (const folder of new Set([...files.keys()].map((path) => dirname(path))))
    await syncFolder(join(to, folder));
  await writeBackupList(to, { position, time }, files.values());
  await removeSuperseded(to, files, before);
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0);
  return { files: files.size, bytes, copied, position, time };
}

function prepareFolder(to: string, directory: string): void {
  if (`${to}/`.startsWith(`${directory}/`)) {
    throw new MaintenanceError(
      `${to} is inside the directory that is to be copied: choose a folder elsewhere`,
    );
  }
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = readdirSync(to).filter((name) => !ownNames.has(name));
  if (names.length === 0 || existsSync(join(to, listName)) || names.every(isPart)) return;
  throw new MaintenanceError(
    `${to} contains something else (${names[0]}, and no ${listName}): choose an empty folder`,
  );
}

/** What is in the folder besides the files of the backup. */
const ownNames = new Set([listName, `${listName}.tmp`, 'lock', 'lock.holder']);

/** What a first backup that was interrupted leaves: they are written before the list is. */
const partNames = new Set(['journal', 'tables', 'images', hostsFile]);

/** The folders of object hosts have the same parts in them. */
const hostFolder = /^host-\d+$/;

function isPart(name: string): boolean {
  return partNames.has(name) || hostFolder.test(name);
}

/**
 * Removes what only the earlier backup needed, and what one that was interrupted has left; nothing that others have put
 * there.
 */
async function removeSuperseded(
  to: string,
  files: ReadonlyMap<string, ListedFile>,
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

/** The file that is being received. */
interface Current {
  readonly file: SentFile & { readonly path: string };
  readonly handle: FileHandle;
  /** Undefined if it continues a file that is there. */
  readonly temporary: string | undefined;
  at: number;
  crc: number;
}

class BackupWriter {
  readonly files = new Map<string, ListedFile>();
  copied = 0;
  total = 0;
  #done = 0;
  #current: Current | undefined;
  readonly #to: string;
  readonly #before: BackupList | undefined;
  readonly #onProgress: OnProgress | undefined;

  constructor(to: string, before: BackupList | undefined, onProgress: OnProgress | undefined) {
    this.#to = to;
    this.#before = before;
    this.#onProgress = onProgress;
  }

  /** Takes the next file; answers from which byte on it is wanted. */
  async begin(sent: SentFile): Promise<number> {
    const { path } = sent;
    if (!isPlainPath(path))
      throw new MaintenanceError(`the server names a file that is not in its directory: ${path}`);
    const file = { ...sent, path };
    const had = this.#findEarlier(file);
    if (had?.bytes === file.bytes) {
      this.files.set(path, { ...describe(file), crc32: had.crc32 });
      this.#advance(file.bytes);
      return file.bytes;
    }
    await mkdir(join(this.#to, dirname(path)), { recursive: true, mode: 0o700 });
    const target = join(this.#to, path);
    // The bytes that the list of the earlier backup names stay as they are: it is valid until this one is.
    const temporary = had === undefined ? `${target}.tmp` : undefined;
    const handle = await open(temporary ?? target, temporary === undefined ? 'r+' : 'w', 0o600);
    const at = had?.bytes ?? 0;
    this.#advance(at);
    this.#current = { file, handle, temporary, at, crc: had?.crc32 ?? 0 };
    return at;
  }

  async write({ offset, bytes }: Piece): Promise<void> {
    const current = this.#current;
    if (current === undefined || offset !== current.at) {
      throw new MaintenanceError('the files of the backup did not arrive in order');
    }
    await current.handle.write(bytes, 0, bytes.length, offset);
    current.at += bytes.length;
    current.crc = crc32(bytes, current.crc);
    this.copied += bytes.length;
    this.#advance(bytes.length);
  }

  async endIfWhole(): Promise<void> {
    const current = this.#current;
    if (current === undefined || current.at < current.file.bytes) return;
    const { file, handle, temporary, crc } = current;
    this.#current = undefined;
    await handle.sync();
    await handle.close();
    if (temporary !== undefined) await rename(temporary, join(this.#to, file.path));
    this.files.set(file.path, { ...describe(file), crc32: crc });
  }

  /** Throws if the log that was backed up before is not the beginning of this one. */
  checkContinues(): void {
    const logs = [...this.files.keys()].filter(isLog).sort();
    for (const { path, bytes } of this.#before?.files.values() ?? []) {
      const oldest = logs.find((each) => dirname(each) === dirname(path)) ?? '';
      if (!isLog(path) || path < oldest) continue;
      if ((this.files.get(path)?.bytes ?? 0) < bytes) throw createOtherHistory(this.#to);
    }
  }

  #findEarlier({ path, bytes, stamp }: SentFile & { readonly path: string }): ListedFile | undefined {
    const had = this.#before?.files.get(path);
    if (had === undefined || stamp === undefined) return undefined;
    if (isLog(path) && (had.stamp !== stamp || had.bytes > bytes)) throw createOtherHistory(this.#to);
    if (had.stamp !== stamp || had.bytes > bytes) return undefined;
    const size = statSync(join(this.#to, path), { throwIfNoEntry: false })?.size ?? 0;
    return size >= had.bytes ? had : undefined;
  }

  #advance(bytes: number): void {
    this.#done += bytes;
    this.#onProgress?.({ step: 'copying', done: this.#done, total: this.total });
  }
}

function describe({
  path,
  bytes,
  length,
  stamp,
}: SentFile & { readonly path: string }): Omit<ListedFile, 'crc32'> {
  return {
    path,
    bytes,
    ...(length === undefined || length === bytes ? {} : { length }),
    ...(stamp === undefined ? {} : { stamp }),
  };
}

function isLog(path: string): boolean {
  return /^(?:host-\d+\/)?journal\//.test(path);
}

function createOtherHistory(to: string): MaintenanceError {
  return new MaintenanceError(
    `${to} has a backup of another directory, or of this one before it was restored: choose an empty folder`,
    { code: 'BACKUP_OF_ANOTHER_HISTORY' },
  );
}
