/**
 * What a bucket records about its objects and uploads, in the SQL of its object. Each file of contents belongs to one
 * object, in the order of `number`, or to one upload, whose parts are numbered by the caller.
 */
import type { DurableObjectStorage } from '#objects';
import type { PendingFiles } from './bodies/body-objects.ts';
import type { StoredFile } from './bodies/body-store.ts';
import type { HttpMetadata, ObjectRecord, ObjectSettings } from './r2-records.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    key BLOB PRIMARY KEY, version TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, uploaded INTEGER NOT NULL,
    checksums TEXT NOT NULL, http TEXT NOT NULL, custom TEXT NOT NULL, storage_class TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, key BLOB NOT NULL, began INTEGER NOT NULL, is_over INTEGER NOT NULL,
    http TEXT NOT NULL, custom TEXT NOT NULL, storage_class TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS upload_times ON uploads (began);
  CREATE TABLE IF NOT EXISTS files (
    file TEXT PRIMARY KEY, key BLOB, upload TEXT, number INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS files_of_objects ON files (key, number) WHERE key IS NOT NULL;
  CREATE UNIQUE INDEX IF NOT EXISTS files_of_uploads ON files (upload, number) WHERE upload IS NOT NULL;
  CREATE TABLE IF NOT EXISTS pending_files (file TEXT PRIMARY KEY);
`;

interface SettingsRow extends Record<string, string | number | null | ArrayBuffer> {
  http: string;
  custom: string;
  storage_class: string;
}

export interface ObjectRow extends SettingsRow {
  key: ArrayBuffer;
  version: string;
  size: number;
  etag: string;
  uploaded: number;
  checksums: string;
}

export interface Upload extends ObjectSettings {
  readonly isOver: boolean;
}

export interface UploadPart extends StoredFile {
  readonly number: number;
  readonly etag: string;
}

export class ObjectTable {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(schema);
  }

  get(key: string): ObjectRecord | undefined {
    const [row] = this.#exec<ObjectRow>('SELECT * FROM objects WHERE key = ?', Buffer.from(key));
    return row === undefined ? undefined : toRecord(row);
  }

  filesOf(key: string): StoredFile[] {
    return this.#exec(
      'SELECT file, size FROM files WHERE key = ? ORDER BY number',
      Buffer.from(key),
    ) as never;
  }

  isRecorded(file: string): boolean {
    return this.#exec('SELECT 1 FROM files WHERE file = ?', file).length > 0;
  }

  /** Files in a cluster that are being written. */
  readonly pending: PendingFiles = {
    note: (file) => void this.#exec('INSERT INTO pending_files (file) VALUES (?)', file),
    list: () => this.#exec<{ file: string }>('SELECT file FROM pending_files').map(({ file }) => file),
    forget: (file) => void this.#exec('DELETE FROM pending_files WHERE file = ?', file),
  };

  /** Replaces an object; returns the files that are no longer needed. */
  put(object: ObjectRecord, files: readonly StoredFile[]): string[] {
    const free = this.delete(object.key);
    const key = Buffer.from(object.key);
    this.#exec(
      `INSERT INTO objects (key, version, size, etag, uploaded, checksums, http, custom, storage_class)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      key,
      object.version,
      object.size,
      object.etag,
      object.uploaded,
      JSON.stringify(object.checksums),
      ...encodeSettings(object),
    );
    for (const [number, { file, size }] of files.entries()) {
      this.#exec(
        `INSERT INTO files (file, key, number, size, etag) VALUES (?, ?, ?, ?, '')
         ON CONFLICT (file) DO UPDATE SET key = excluded.key, number = excluded.number, upload = NULL`,
        file,
        key,
        number,
        size,
      );
      this.settle(file);
    }
    return free;
  }

  /** Returns the files that are no longer needed. */
  delete(key: string): string[] {
    const bytes = Buffer.from(key);
    this.#exec('DELETE FROM objects WHERE key = ?', bytes);
    return this.#freed('DELETE FROM files WHERE key = ? RETURNING file', bytes);
  }

  /** Objects from `first` on and before `end`, in the order of their keys. */
  range(first: Uint8Array, end: Uint8Array | null, limit: number): ObjectRecord[] {
    return this.#exec<ObjectRow>(
      'SELECT * FROM objects WHERE key >= ? AND (? IS NULL OR key < ?) ORDER BY key LIMIT ?',
      first,
      end,
      end,
      limit,
    ).map(toRecord);
  }

  beginUpload(id: string, key: string, settings: ObjectSettings, now: number): void {
    this.#exec(
      'INSERT INTO uploads (id, key, began, is_over, http, custom, storage_class) VALUES (?, ?, ?, 0, ?, ?, ?)',
      id,
      Buffer.from(key),
      now,
      ...encodeSettings(settings),
    );
  }

  upload(id: string, key: string): Upload | undefined {
    const [row] = this.#exec<SettingsRow & { is_over: number }>(
      'SELECT is_over, http, custom, storage_class FROM uploads WHERE id = ? AND key = ?',
      id,
      Buffer.from(key),
    );
    return row === undefined ? undefined : { isOver: row.is_over === 1, ...decodeSettings(row) };
  }

  partsOf(upload: string): UploadPart[] {
    return this.#exec(
      'SELECT number, file, size, etag FROM files WHERE upload = ? ORDER BY number',
      upload,
    ) as never;
  }

  /** Returns the files that are no longer needed. */
  putPart(upload: string, { number, file, size, etag }: UploadPart): string[] {
    const free = this.#freed(
      'DELETE FROM files WHERE upload = ? AND number = ? RETURNING file',
      upload,
      number,
    );
    this.#exec(
      'INSERT INTO files (file, upload, number, size, etag) VALUES (?, ?, ?, ?, ?)',
      file,
      upload,
      number,
      size,
      etag,
    );
    this.settle(file);
    return free;
  }

  /** Ends the upload. Returns the files that are no longer needed: parts that did not become part of an object. */
  endUpload(id: string): string[] {
    this.#exec('UPDATE uploads SET is_over = 1 WHERE id = ?', id);
    return this.#freed('DELETE FROM files WHERE upload = ? RETURNING file', id);
  }

  /** Deletes uploads that began before a time. Returns the files that are no longer needed. */
  forgetUploads(before: number): string[] {
    const ids = this.#exec<{ id: string }>('SELECT id FROM uploads WHERE began <= ?', before);
    return ids.flatMap(({ id }) => {
      const free = this.endUpload(id);
      this.#exec('DELETE FROM uploads WHERE id = ?', id);
      return free;
    });
  }

  /** When the oldest upload began; null if there is none. */
  oldestUpload(): number | null {
    return this.#exec<{ began: number | null }>('SELECT min(began) AS began FROM uploads')[0]!.began;
  }

  /** Forgets the note of a file that was recorded or removed: its name without the number of its parts. */
  settle(file: string): void {
    this.pending.forget(file.split('.', 1)[0]!);
  }

  #exec<Row extends Record<string, string | number | null | ArrayBuffer>>(
    sql: string,
    ...bindings: unknown[]
  ): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...bindings).toArray();
  }

  #freed(sql: string, ...bindings: unknown[]): string[] {
    return this.#exec<{ file: string }>(sql, ...bindings).map(({ file }) => file);
  }
}

export function toRecord(row: ObjectRow): ObjectRecord {
  const { key, version, size, etag, uploaded, checksums } = row;
  return {
    key: Buffer.from(key).toString(),
    version,
    size,
    etag,
    uploaded,
    checksums: JSON.parse(checksums) as ObjectRecord['checksums'],
    ...decodeSettings(row),
  };
}

function encodeSettings({ http, custom, storageClass }: ObjectSettings): [string, string, string] {
  const { cacheExpiry, ...fields } = http;
  const kept = cacheExpiry === undefined ? fields : { ...fields, cacheExpiry: cacheExpiry.getTime() };
  return [JSON.stringify(kept), JSON.stringify(custom), storageClass];
}

function decodeSettings({ http, custom, storage_class }: SettingsRow): ObjectSettings {
  const { cacheExpiry, ...fields } = JSON.parse(http) as Omit<HttpMetadata, 'cacheExpiry'> & {
    cacheExpiry?: number;
  };
  return {
    http: cacheExpiry === undefined ? fields : { ...fields, cacheExpiry: new Date(cacheExpiry) },
    custom: JSON.parse(custom) as Record<string, string>,
    storageClass: storage_class,
  };
}
