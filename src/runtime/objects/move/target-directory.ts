/**
 * A directory that objects are moved into. Its log begins after the ends of all source logs, so that no position
 * denotes two records of an object: a dropped record keeps its old position, and every other record gets one here.
 *
 * A record contains its earlier positions (`origins`), so that an older bookmark still leads to it.
 */
import { type Clock, assert } from '#base';
import { type FileSystem, makeDirectory } from '#files';
import { Journal, type JournalRecord, type Position, noPosition } from '#journal';
import { type TableChange, Tables } from '#tables';
import { ImageDamageError, ImageMissingError, type ImageKind, Images } from '../history/images.ts';
import { type ObjectEntry, encodeEntry, reserved } from '../ledger/catalogue.ts';
import { type Commit, type Owner, decodeCommit, encodeCommit } from '../ledger/records.ts';
import type { SourceDirectory } from './source-directory.ts';

/** Changes applied to the tables in one batch. */
const batchChanges = 1_000;

/** Bytes that may wait to be written. */
const queuedBytesMax = 8 * 1024 * 1024;

interface Moved {
  readonly from: Position;
  readonly to: Position;
}

/** The time of the records: each is written with its original time. */
class RecordClock implements Clock {
  readonly virtual = false;
  time = 0;

  now(): number {
    return this.time;
  }

  setTimer(): never {
    throw new Error('a log that is being moved sets no timers');
  }
}

export class TargetDirectory {
  readonly #journal: Journal;
  readonly #tables: Tables;
  readonly #images: Images;
  readonly #clock: RecordClock;
  /** The newest record of each object, so far. */
  readonly #heads = new Map<Owner, Moved>();
  readonly #snapshots = new Map<Owner, Map<Position, Position>>();
  #changes: TableChange[] = [];
  #batches = 0;
  #queuedBytes = 0;

  private constructor(parts: { journal: Journal; tables: Tables; images: Images; clock: RecordClock }) {
    this.#journal = parts.journal;
    this.#tables = parts.tables;
    this.#images = parts.images;
    this.#clock = parts.clock;
  }

  static async open(
    fs: FileSystem,
    directory: string,
    { start, segmentBytes }: { readonly start: Position; readonly segmentBytes: number | undefined },
  ): Promise<TargetDirectory> {
    makeDirectory(directory, fs);
    const clock = new RecordClock();
    const sized = segmentBytes === undefined ? {} : { segmentBytes };
    const journal = await Journal.open({ directory: `${directory}/journal`, fs, clock, start, ...sized });
    const tables = Tables.open({ directory: `${directory}/tables`, fs });
    return new TargetDirectory({ journal, tables, images: new Images(fs, `${directory}/images`), clock });
  }

  /** Adds a record of an object's log. */
  async addRecord(
    source: SourceDirectory,
    { commit, record }: { commit: Commit; record: JournalRecord },
  ): Promise<void> {
    const { owner } = source.translate(commit.owner);
    const moved = await this.#translate(source, owner, commit);
    if (moved === undefined) return;
    this.#clock.time = record.time;
    const origins = commit.chained ? { origins: [...(commit.origins ?? []), record.position] } : {};
    const payload = encodeCommit({ ...moved, owner, ...origins });
    const { position, end } = this.#journal.append(payload);
    if (commit.chained) this.#heads.set(owner, { from: record.position, to: position });
    this.#queuedBytes += end - position;
    if (this.#queuedBytes < queuedBytesMax) return;
    await this.#flush();
    this.#queuedBytes = 0;
  }

  /** Adds an object's entry in the tables, and its snapshots. */
  async addEntry(source: SourceDirectory, from: Owner, entry: ObjectEntry): Promise<void> {
    const { owner } = source.translate(from);
    const find = (position: Position): Promise<Position> => this.#find(source, owner, position);
    const snapshots: Position[] = [];
    for (const position of entry.snapshots) {
      const to = this.#snapshots.get(owner)?.get(position) ?? (await find(position));
      snapshots.push(to);
      await this.#copyImage(source, { from, owner, kind: 'snapshot' }, { from: position, to });
    }
    const { request } = entry;
    const moved: ObjectEntry = {
      ...entry,
      head: await find(entry.head),
      snapshots,
      ...(request === undefined
        ? {}
        : { request: { position: await find(request.position), target: await find(request.target) } }),
    };
    await this.addChange({ owner: reserved.objects, key: owner, value: encodeEntry(moved) });
  }

  async addChange(change: TableChange): Promise<void> {
    this.#changes.push(change);
    if (this.#changes.length < batchChanges) return;
    this.#applyChanges();
    if (this.#tables.needsFlush) await this.#tables.flush();
  }

  /** Makes everything durable. */
  async finish(): Promise<void> {
    await this.#flush();
    this.#applyChanges();
    this.#tables.touch(this.#journal.durableEnd);
    await this.#tables.flush();
  }

  async close(): Promise<void> {
    await this.#tables.close();
    await this.#journal.close();
  }

  /** Reports a record that could not be written, whenever that was. */
  async #flush(): Promise<void> {
    await this.#journal.flush();
    if (this.#journal.lastFailure !== undefined) throw this.#journal.lastFailure;
  }

  #applyChanges(): void {
    if (this.#changes.length === 0) return;
    // Batch positions stay below the start of the log, because more bytes precede it than there are batches.
    this.#tables.apply(this.#changes, ++this.#batches);
    this.#changes = [];
  }

  /** The commit with the positions of this log; undefined if it has no meaning here. */
  async #translate(source: SourceDirectory, owner: Owner, commit: Commit): Promise<Commit | undefined> {
    const find = (position: Position): Promise<Position> => this.#find(source, owner, position);
    const { snapshot, request, base } = commit;
    if (snapshot !== undefined) {
      const position = await find(snapshot.position);
      if (snapshot.exists) this.#noteSnapshot(owner, { from: snapshot.position, to: position });
      return { ...commit, snapshot: { ...snapshot, position } };
    }
    if (!commit.chained) return commit;
    const previous = this.#findPrevious(source, owner, commit.previous);
    if (request !== undefined)
      return { ...commit, previous, request: { target: await find(request.target) } };
    if (base === undefined) return { ...commit, previous };
    const asked = await find(base.request);
    if (base.image === noPosition) return { ...commit, previous, base: { ...base, request: asked } };
    // No record of the object has the position that the next record will get.
    const image = this.#journal.end;
    await this.#copyImage(
      source,
      { from: commit.owner, owner, kind: 'base' },
      { from: base.image, to: image },
    );
    return { ...commit, previous, base: { image, request: asked } };
  }

  #noteSnapshot(owner: Owner, { from, to }: Moved): void {
    const known = this.#snapshots.get(owner) ?? new Map<Position, Position>();
    this.#snapshots.set(owner, known.set(from, to));
  }

  #findPrevious(source: SourceDirectory, owner: Owner, previous: Position): Position {
    if (previous < source.journal.start) return previous;
    const head = this.#heads.get(owner);
    assert(head?.from === previous, 'records of an object are chained in the order of the log');
    return head.to;
  }

  /** The position here of the record that an object had at a position in the source. */
  async #find(source: SourceDirectory, owner: Owner, position: Position): Promise<Position> {
    if (position < source.journal.start) return position;
    const head = this.#heads.get(owner);
    if (head?.from === position) return head.to;
    await this.#flush();
    for (let at = head?.to ?? noPosition; at !== noPosition && at >= this.#journal.start;) {
      const { origins, previous } = decodeCommit(this.#journal.read(at).payload);
      if (origins?.at(-1) === position) return at;
      at = previous;
    }
    throw new Error(
      `cannot move an object, the record at position ${position} that its history names is missing: ${source.journal.directory}`,
    );
  }

  /** A damaged image stays damaged, and a scrub finds it as before; a missing one stays missing. */
  async #copyImage(
    source: SourceDirectory,
    { from, owner, kind }: { readonly from: Owner; readonly owner: Owner; readonly kind: ImageKind },
    place: Moved,
  ): Promise<void> {
    const { images } = source;
    try {
      const pageCount = images.pageCount(from, place.from, kind);
      const blocks = (): Iterable<ReadonlyMap<number, Uint8Array>> => images.read(from, place.from, kind);
      await this.#images.write(owner, place.to, kind, { pageCount, blocks });
    } catch (error) {
      if (!(error instanceof ImageDamageError)) throw error;
      if (!(error instanceof ImageMissingError))
        await this.#images.keepDamaged(owner, place.to, kind, images.readRaw(from, place.from, kind));
    }
  }
}
