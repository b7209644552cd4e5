/**
 * The list of a backup, `backup.jsonl` in its folder: a line about the backup, then a line for each of its files. Other
 * entries of the folder are not part of it, nor are bytes of a file beyond the length in the list. So a backup is valid
 * at every moment while it is updated, because the list is replaced last.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { OperatorError } from '../error.ts';

export const listName = 'backup.jsonl';

/** The reason, in an archive that could not be completed. */
export const failureName = 'backup.failed';

const formatVersion = 1;

export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
  /** The checksum of these bytes. */
  readonly crc32: number;
  /** The length of the restored file, if it is longer. */
  readonly length?: number;
  readonly stamp?: string;
}

export interface BackupHead {
  /** The end of the log. */
  readonly position: number;
  /** When it was started, in milliseconds. */
  readonly time: number;
}

export interface BackupList extends BackupHead {
  readonly files: ReadonlyMap<string, ListedFile>;
}

/** Undefined if the folder has no backup. */
export async function readBackupList(folder: string, name = listName): Promise<BackupList | undefined> {
  const file = join(folder, name);
  const files = new Map<string, ListedFile>();
  let head: BackupHead | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (head === undefined) head = readHead(line, file);
      else {
        const listed = readFileLine(line, file);
        files.set(listed.path, listed);
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (head === undefined) throw createDamaged(file, 'it is empty');
  return { ...head, files };
}

/** The first line. */
export function writeHead(head: BackupHead): string {
  return `${JSON.stringify({ gatehouse_backup: formatVersion, ...head })}\n`;
}

export function writeFileLine(file: ListedFile): string {
  return `${JSON.stringify(file)}\n`;
}

/** The request for a backup. */
export interface AskedBackup {
  /** The moment to copy in milliseconds, if the client has chosen one. */
  readonly time: number | undefined;
  /** The client's files of an earlier backup. */
  readonly had: readonly ListedFile[];
}

export function* writeAsked({ time, had }: AskedBackup): Generator<Uint8Array, void> {
  if (time !== undefined) yield Buffer.from(`${JSON.stringify({ time })}\n`);
  for (const file of had) yield Buffer.from(writeFileLine(file));
}

/** Empty lines are ignored. */
export async function readAsked(content: AsyncIterable<Uint8Array>): Promise<AskedBackup> {
  const from = 'the request';
  const had: ListedFile[] = [];
  let moment: number | undefined;
  for await (const line of createInterface({ input: Readable.from(content), crlfDelay: Infinity })) {
    if (line === '') continue;
    const { time, path } = parseLine(line, from);
    if (path === undefined && isCount(time)) moment = time;
    else had.push(readFileLine(line, from));
  }
  return { time: moment, had };
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A path below a folder that does not lead out of it. */
export function isPlainPath(path: unknown): path is string {
  if (typeof path !== 'string' || path.length > 1_000) return false;
  return path
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'));
}

function readHead(line: string, file: string): BackupHead {
  const { gatehouse_backup: format, position, time } = parseLine(line, file);
  if (format !== formatVersion) {
    throw new OperatorError(
      `${file} was written by another version: its format is ${JSON.stringify(format)}, this one reads ${formatVersion}`,
    );
  }
  if (!isCount(position) || !isCount(time)) throw createDamaged(file, 'its first line is not valid');
  return { position, time };
}

/** `file` is the file of the line, for messages. */
export function readFileLine(line: string, file: string): ListedFile {
  const { path, bytes, crc32, length, stamp } = parseLine(line, file);
  if (!isPlainPath(path) || !isCount(bytes) || !isCount(crc32))
    throw createDamaged(file, `a line is not valid: ${line}`);
  return {
    path,
    bytes,
    crc32,
    ...(isCount(length) ? { length } : {}),
    ...(typeof stamp === 'string' ? { stamp } : {}),
  };
}

function parseLine(line: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    throw createDamaged(file, `a line is not JSON: ${line.slice(0, 80)}`);
  }
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function createDamaged(file: string, problem: string): OperatorError {
  return new OperatorError(`cannot read the list of the backup, ${problem}: ${file}`, {
    code: 'BACKUP_DAMAGED',
  });
}
