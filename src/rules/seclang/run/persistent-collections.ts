/**
 * Collections that outlive a request: `IP`, `GLOBAL`, `SESSION`. They are in memory and bounded; a record that was not
 * used for its time expires.
 */
import { type Clock, RecentMap } from '#base';
import { collectionRecordsMax, collectionTimeoutSeconds } from '../limits.ts';

interface StoredVariable {
  value: string;
  expiresAt: number;
}

export interface CollectionRecord {
  readonly entries: Map<string, StoredVariable>;
  expiresAt: number;
}

export class PersistentCollections {
  readonly #clock: Clock;
  readonly #records = new RecentMap<string, CollectionRecord>({ sizeMax: collectionRecordsMax });
  readonly #timeoutMs: number;

  constructor(clock: Clock, timeoutSeconds = collectionTimeoutSeconds) {
    this.#clock = clock;
    this.#timeoutMs = timeoutSeconds * 1_000;
  }

  open(collection: string, name: string): CollectionRecord {
    const now = this.#clock.now();
    const id = `${collection}\0${name}`;
    let record = this.#records.get(id);
    if (record === undefined || record.expiresAt <= now) record = { entries: new Map(), expiresAt: 0 };
    record.expiresAt = now + this.#timeoutMs;
    return this.#records.set(id, record);
  }

  has(collection: string, name: string): boolean {
    return this.#records.has(`${collection}\0${name}`);
  }

  read(record: CollectionRecord, key: string): string | undefined {
    const entry = record.entries.get(key);
    return entry === undefined || entry.expiresAt <= this.#clock.now() ? undefined : entry.value;
  }

  write(record: CollectionRecord, key: string, value: string | undefined): void {
    if (value === undefined) record.entries.delete(key);
    else record.entries.set(key, { value, expiresAt: record.entries.get(key)?.expiresAt ?? Infinity });
  }

  expire(record: CollectionRecord, key: string, seconds: number): void {
    const entry = record.entries.get(key);
    if (entry !== undefined) entry.expiresAt = this.#clock.now() + seconds * 1_000;
  }
}
