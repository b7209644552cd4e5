/** A part of the contents of an object of a bucket: an object of its own, moved and replaced like any other. */
import { DurableObject } from '#objects';

const schema = 'CREATE TABLE IF NOT EXISTS chunks (start INTEGER PRIMARY KEY, bytes BLOB NOT NULL)';

export class R2ContentObject extends DurableObject {
  /** Writing the same bytes again changes nothing. */
  write(start: number, bytes: Uint8Array): void {
    this.ctx.storage.sql.exec(schema);
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO chunks (start, bytes) VALUES (?, ?)', start, bytes);
  }

  /** Returns fewer bytes at the end. */
  read(offset: number, length: number): Uint8Array {
    if (!this.#isWritten) return new Uint8Array();
    const rows = this.ctx.storage.sql
      .exec<{ start: number; bytes: ArrayBuffer }>(
        'SELECT start, bytes FROM chunks WHERE start < ? AND start + length(bytes) > ? ORDER BY start',
        offset + length,
        offset,
      )
      .toArray();
    return Buffer.concat(
      rows.map(({ start, bytes }) =>
        Buffer.from(bytes).subarray(Math.max(offset - start, 0), offset + length - start),
      ),
    );
  }

  /** Returns whether anything was stored. */
  async remove(): Promise<boolean> {
    if (!this.#isWritten) return false;
    await this.ctx.storage.deleteAll();
    return true;
  }

  /** Reading an object that was never written stores nothing. */
  get #isWritten(): boolean {
    return (
      this.ctx.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'chunks'").toArray().length > 0
    );
  }
}
