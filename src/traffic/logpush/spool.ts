/**
 * The bounded buffer of a job, in files: the undelivered lines, also across a restart.
 *
 * Invariants:
 * - Lines are delivered in the order in which they arrived. A line is removed when it was delivered, or with the oldest
 *   file when there is no room left; then it is counted as dropped.
 * - All files together have at most `bytesMax`, except for lines that are written at the same time.
 * - A line is complete: a partial line after a crash is overwritten.
 * - Files are not synced: a power failure may lose the last seconds. After a crash, the last batch may be delivered
 *   again.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeDecidingFile, encodeDecidingFile, makeDirectory, replaceFile } from '#files';
import { bufferBytesMax, segmentBytesMax } from './limits.ts';

export interface SpoolOptions {
  readonly directory: string;
  readonly bytesMax?: number;
  readonly segmentBytesMax?: number;
}

export interface SpooledLines {
  /** Unique among the lines of all buffers; the same when they are read again. */
  readonly id: string;
  readonly bytes: Buffer;
  readonly records: number;
  readonly segment: number;
  /** The offset of the next lines in the segment. */
  readonly end: number;
  /** How many lines were dropped before these and not reported yet. */
  readonly droppedBefore: number;
}

interface Segment {
  readonly number: number;
  bytes: number;
  records: number;
}

interface DeliveredPosition {
  /** The name of the buffer: hosts of a cluster, and a recreated buffer, have segments with the same numbers. */
  readonly name: string;
  readonly segment: number;
  readonly offset: number;
  readonly records: number;
  readonly dropped: number;
}

const lineFeed = 0x0a;

const nothingDelivered = { segment: 0, offset: 0, records: 0, dropped: 0 };

export class Spool {
  readonly #options: Required<SpoolOptions>;
  /** The oldest first; the last one is written to. */
  readonly #segments: Segment[] = [];
  /** The delivered part of the oldest segment. */
  #offset = 0;
  #records = 0;
  #name = '';
  /** Lines dropped and not reported yet. */
  #unreported = 0;
  #dropped = 0;
  #lastNumber = 0;
  #file: FileHandle | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: SpoolOptions) {
    this.#options = { bytesMax: bufferBytesMax, segmentBytesMax, ...options };
  }

  static async open(options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(options);
    makeDirectory(options.directory);
    try {
      await spool.#restore();
      return spool;
    } catch (error) {
      // Node ends a program that loses an open file.
      await spool.#file?.close();
      throw error;
    }
  }

  /** Bytes that wait to be delivered. */
  get waitingBytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0) - this.#offset;
  }

  get waitingRecords(): number {
    return this.#segments.reduce((sum, { records }) => sum + records, 0) - this.#records;
  }

  /** Since it was opened. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts lines that were dropped before they reached the buffer. */
  countDropped(records: number): void {
    this.#dropped += records;
    this.#unreported += records;
  }

  /** Resolves when they are written; they end with a line feed. Rejects, with nothing added, if the disk refuses. */
  append(bytes: Buffer, records: number): Promise<void> {
    return this.#queue(async () => {
      let last = this.#segments.at(-1);
      if (last === undefined || last.bytes >= this.#options.segmentBytesMax) last = await this.#begin();
      // At an explicit position: the remains of a failed write are overwritten.
      await this.#file!.write(bytes, 0, bytes.length, last.bytes);
      last.bytes += bytes.length;
      last.records += records;
      while (this.#segments.length > 1 && this.#total > this.#options.bytesMax) await this.#dropOldest();
    });
  }

  /** The next lines, at least one; undefined if there are none. */
  read(max: { readonly bytes: number; readonly records: number }): Promise<SpooledLines | undefined> {
    return this.#queue(async () => {
      await this.#forgetDelivered();
      const first = this.#segments[0];
      if (first === undefined || this.#offset >= first.bytes) return undefined;
      const whole = await readFile(this.#pathOf(first.number));
      const { end, records } = findEnd(whole.subarray(0, first.bytes), this.#offset, max);
      return {
        id: `${this.#name}-${first.number}-${end}`,
        bytes: whole.subarray(this.#offset, end),
        records,
        segment: first.number,
        end,
        droppedBefore: this.#unreported,
      };
    });
  }

  /** The lines were delivered, together with the report of those dropped before them. */
  advance({ segment, end, records, droppedBefore }: SpooledLines): Promise<void> {
    return this.#queue(async () => {
      this.#unreported -= droppedBefore;
      if (this.#segments[0]?.number === segment) {
        this.#offset = end;
        this.#records += records;
        await this.#forgetDelivered();
      }
      await this.#writePosition();
    });
  }

  /** Never rejects: if the position cannot be written, the last batches are delivered again. */
  async close(): Promise<void> {
    await this.#queue(async () => {
      await this.#writePosition().catch(() => {});
      await this.#file?.close();
      this.#file = undefined;
    });
  }

  get #total(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #pathOf(segment: number): string {
    return join(this.#options.directory, `${String(segment).padStart(12, '0')}.lines`);
  }

  async #restore(): Promise<void> {
    const { directory } = this.#options;
    const position = await this.#readPosition();
    this.#name = position.name;
    this.#unreported = position.dropped;
    for (const name of (await readdir(directory)).toSorted()) {
      const number = Number(/^(\d{12})\.lines$/.exec(name)?.[1]);
      if (!Number.isInteger(number)) continue;
      const path = join(directory, name);
      const text = number < position.segment ? undefined : await readFile(path);
      const bytes = (text?.lastIndexOf(lineFeed) ?? -1) + 1;
      if (bytes > 0) this.#segments.push({ number, bytes, records: countLines(text!.subarray(0, bytes)) });
      else await rm(path);
    }
    const [first] = this.#segments;
    if (first?.number === position.segment && position.offset <= first.bytes) {
      this.#offset = position.offset;
      this.#records = position.records;
    }
    const last = this.#segments.at(-1);
    this.#lastNumber = last?.number ?? position.segment;
    if (last !== undefined) this.#file = await open(this.#pathOf(last.number), 'r+');
    await this.#writePosition();
  }

  async #begin(): Promise<Segment> {
    const number = ++this.#lastNumber;
    const file = await open(this.#pathOf(number), 'wx', 0o600);
    await this.#file?.close();
    this.#file = file;
    const segment = { number, bytes: 0, records: 0 };
    this.#segments.push(segment);
    return segment;
  }

  async #dropOldest(): Promise<void> {
    this.countDropped(this.#segments[0]!.records - this.#records);
    await this.#removeOldest();
    await this.#writePosition();
  }

  /** The segment that is written to stays. */
  async #forgetDelivered(): Promise<void> {
    while (this.#segments.length > 1 && this.#offset >= this.#segments[0]!.bytes) await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    const { number } = this.#segments.shift()!;
    this.#offset = 0;
    this.#records = 0;
    await rm(this.#pathOf(number), { force: true });
  }

  get #positionPath(): string {
    return join(this.#options.directory, 'position.json');
  }

  async #readPosition(): Promise<DeliveredPosition> {
    const text = await readFile(this.#positionPath, 'utf8').catch(() => '');
    // If it is missing or damaged, delivered lines are delivered again, which is better than losing lines.
    const position = decodeDecidingFile(text, ['name', ...Object.keys(nothingDelivered)]);
    return { ...nothingDelivered, name: randomBytes(4).toString('hex'), ...position };
  }

  async #writePosition(): Promise<void> {
    const position: DeliveredPosition = {
      name: this.#name,
      segment: this.#segments[0]?.number ?? this.#lastNumber,
      offset: this.#offset,
      records: this.#records,
      dropped: this.#unreported,
    };
    await replaceFile(this.#positionPath, (file) => file.writeFile(encodeDecidingFile(position)));
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** The end of the lines from `start` that fit; the end of the first line if that alone does not fit. */
function findEnd(
  bytes: Buffer,
  start: number,
  max: { readonly bytes: number; readonly records: number },
): { readonly end: number; readonly records: number } {
  let end = start;
  let records = 0;
  while (records < max.records) {
    const next = bytes.indexOf(lineFeed, end) + 1;
    if (next === 0 || (records > 0 && next - start > max.bytes)) break;
    end = next;
    records++;
  }
  return { end, records };
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}
