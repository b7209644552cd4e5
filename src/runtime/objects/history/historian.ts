/**
 * Finds points in an object's history and restores objects to them. Works on records alone, so it does not matter
 * whether the object is awake.
 */
import { type Position, type Log, noPosition } from '#journal';
import type { Clock } from '#base';
import type { IdFactory } from '../ids.ts';
import type { OnProgress } from '../progress.ts';
import type { Chronicle, Ledger } from '../ledger/ledger.ts';
import { decodeOwner } from '../ledger/records.ts';
import { type BookmarkedPoint, formatBookmark, parseBookmark } from './bookmarks.ts';
import type { Images, PageSource } from './images.ts';
import { type Chain, Materialiser } from './materialise.ts';

export interface HistoryPoint {
  readonly bookmark: string;
  readonly time: Date;
  /** What happened: an ordinary commit, a restore or import, or everything deleted. */
  readonly kind: 'write' | 'restore' | 'import' | 'delete-all' | 'restore-requested';
  /** Its size in the journal. */
  readonly bytes: number;
}

/** The storage of images. */
export type ImageStore = Pick<Images, 'read' | 'pageCount' | 'has' | 'write' | 'remove' | 'basesOf'>;

export class Historian {
  readonly #journal: Log;
  readonly #images: ImageStore;
  readonly #loader: HistoryLoader | undefined;
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #materialiser: Materialiser;
  /** Records before this are dropped, or about to be. */
  #floor = noPosition;

  constructor(parts: {
    readonly journal: Log;
    readonly images: ImageStore;
    readonly clock: Clock;
    readonly retentionMs: number;
    /** Set if the log and the images are stored elsewhere. */
    readonly loader?: HistoryLoader;
  }) {
    this.#journal = parts.journal;
    this.#loader = parts.loader;
    this.#clock = parts.clock;
    this.#retentionMs = parts.retentionMs;
    this.#images = parts.images;
    this.#materialiser = new Materialiser(parts.journal, parts.images);
  }

  currentBookmark(object: Chronicle, ids: IdFactory): string {
    return this.#format(object, ids, { position: object.entry.head, kind: 'after' });
  }

  async bookmarkForTime(object: Chronicle, ids: IdFactory, time: number): Promise<string> {
    const now = this.#clock.now();
    if (!Number.isFinite(time)) {
      throw new TypeError('The value cannot be converted because it is not a valid Date.');
    }
    if (time > now) {
      throw new RangeError(
        `cannot find a bookmark for a time in the future: ${new Date(time).toISOString()}`,
      );
    }
    if (time < now - this.#retentionMs) {
      const days = this.#retentionMs / (24 * 60 * 60_000);
      throw new RangeError(
        `cannot find a bookmark for a time older than the ${days} days that history is kept: ${new Date(time).toISOString()}`,
      );
    }
    using _loaded = object.entry.headTime > time ? await this.#loader?.loadRecords() : undefined;
    return this.#format(object, ids, { position: this.#positionAt(object, time), kind: 'after' });
  }

  /** The record whose state a bookmark names. Throws if it is malformed, not yet written, or no longer kept. */
  async resolve(object: Chronicle, ids: IdFactory, bookmark: string): Promise<Position> {
    const point = parseBookmark(ids, decodeOwner(object.owner).idHex, bookmark);
    const { head } = object.entry;
    if (point.position > head) {
      throw new RangeError(`cannot restore to a bookmark in the future of this Durable Object: ${bookmark}`);
    }
    using _loaded = await this.#loader?.loadRecords();
    const found = this.#locate(object, point.position);
    const position = point.kind === 'undo' ? this.#beforeRestore(head, found) : found;
    if (this.#isLeftBehind(head, position) || !this.#materialiser.reaches(chainOf(object), position)) {
      throw new RangeError(`cannot restore to a bookmark older than the history that is kept: ${bookmark}`);
    }
    return position;
  }

  /** The points of an object's history from a record on, newest first. */
  async points(
    object: Chronicle,
    ids: IdFactory,
    { from, limit }: { readonly from: Position; readonly limit: number },
  ): Promise<HistoryPoint[]> {
    using _loaded = await this.#loader?.loadRecords();
    return this.#walkPoints(object, ids, from).take(limit).toArray();
  }

  *#walkPoints(object: Chronicle, ids: IdFactory, from: Position): Generator<HistoryPoint> {
    for (const { position, time, bytes, commit } of this.#materialiser.walk(from)) {
      const bookmark = this.#format(object, ids, { position, kind: 'after' });
      let kind: HistoryPoint['kind'] = 'write';
      if (commit.request !== undefined) kind = 'restore-requested';
      else if (commit.base !== undefined) {
        if (commit.base.request !== noPosition) kind = 'restore';
        else kind = commit.base.image === noPosition ? 'delete-all' : 'import';
      }
      yield { bookmark, time: new Date(time), kind, bytes };
    }
  }

  /** Passes the database after the record at `position` to `use`; it can be read until `use` resolves. */
  async readDatabase<T>(
    object: Chronicle,
    position: Position,
    use: (source: PageSource) => Promise<T>,
  ): Promise<T> {
    using _loaded = await this.#loader?.loadState(object.entry.snapshots, position);
    return await use(await this.#materialiser.at(chainOf(object), position));
  }

  /** Writes that database as a file for SQLite; `pathFor` returns a path for a database of that many bytes. */
  writeDatabase(
    object: Chronicle,
    position: Position,
    pathFor: (bytes: number) => string,
  ): string | Promise<string> {
    if (this.#loader !== undefined) return this.#loadAndWrite(this.#loader, object, position, pathFor);
    return this.#materialiser.writeFile(chainOf(object), position, pathFor);
  }

  async #loadAndWrite(
    loader: HistoryLoader,
    object: Chronicle,
    position: Position,
    pathFor: (bytes: number) => string,
  ): Promise<string> {
    using _loaded = await loader.loadState(object.entry.snapshots, position);
    return await this.#materialiser.writeFile(chainOf(object), position, pathFor);
  }

  /** Requests a restore to `position`, effective at the next start; returns the bookmark that undoes it. */
  async request(ledger: Ledger, ids: IdFactory, target: Position): Promise<string> {
    const { position, durable } = ledger.append({ chained: true, request: { target } });
    await durable;
    return this.#format(ledger, ids, { position, kind: 'undo' });
  }

  /** Makes `source` the object's database, in one record after all earlier ones. */
  async startOver(
    ledger: Ledger,
    source: PageSource,
    { request, alarm, name }: { request: Position; alarm: number | null; name?: string | undefined },
    onProgress?: OnProgress,
  ): Promise<void> {
    let image = noPosition;
    if (source.pageCount > 0) {
      image = this.#journal.end;
      await this.#images.write(ledger.owner, image, 'base', source, onProgress);
    }
    await ledger.append({
      chained: true,
      base: { image, request },
      ...(alarm === (ledger.entry.alarm ?? null) ? {} : { alarm }),
      ...(name === undefined || ledger.entry.name !== undefined ? {} : { name }),
    }).durable;
  }

  /** Writes the state after the newest record as a snapshot, so that waking and restoring start there. */
  async snapshot(ledger: Ledger): Promise<void> {
    const object = await ledger.settled();
    const { head, logWeight } = object.entry;
    await this.#writeSnapshot(object, head);
    await ledger.append({ chained: false, snapshot: { position: head, exists: true, weight: logWeight } })
      .durable;
    // A snapshot whose record has been dropped is where the kept history begins: it stays.
    const kept = ledger.entry.snapshots.filter((position) => position >= this.#journal.start);
    // Exclusively: a restore in progress may be reading one of them.
    await ledger.exclusively(async () => {
      for (const spare of superfluousSnapshots(kept)) await this.#dropSnapshot(ledger, spare);
    });
  }

  /**
   * The records before `position` are about to be dropped: from now on no caller can request a state older than that of
   * the object's last record among them. `settleOn` handles earlier requests.
   */
  leaveBehind(position: Position): void {
    this.#floor = position;
  }

  /** Makes the state after a record the oldest one kept: the records before it may be dropped. */
  async settleOn(ledger: Ledger, position: Position): Promise<void> {
    const object = await ledger.settled();
    // A restore that was requested and is not yet done still needs its target.
    const goal = object.entry.request?.target ?? noPosition;
    const needed = goal !== noPosition && goal < position ? [goal, position] : [position];
    for (const one of needed) {
      if (object.entry.snapshots.includes(one)) continue;
      await this.#writeSnapshot(object, one);
      await ledger.append({ chained: false, snapshot: { position: one, exists: true, weight: 0 } }).durable;
    }
    for (const older of ledger.entry.snapshots) {
      if (older < position && !needed.includes(older)) await this.#dropSnapshot(ledger, older);
    }
    for (const image of this.#images.basesOf(ledger.owner)) {
      if (image <= position) await this.#images.remove(ledger.owner, image, 'base');
    }
  }

  /** The object's newest record up to a position; zero if it has none. Its records must have been loaded. */
  newestUpTo(object: Chronicle, position: Position): Position {
    for (const { position: at, commit } of this.#materialiser.walk(object.entry.head)) {
      if (at <= position) return at;
      if (commit.previous < this.#journal.start) return commit.previous;
    }
    return noPosition;
  }

  async #writeSnapshot(object: Chronicle, position: Position): Promise<void> {
    await this.readDatabase(object, position, (source) =>
      this.#images.write(object.owner, position, 'snapshot', source),
    );
  }

  async #dropSnapshot(ledger: Ledger, position: Position): Promise<void> {
    await ledger.append({ chained: false, snapshot: { position, exists: false, weight: 0 } }).durable;
    await this.#images.remove(ledger.owner, position, 'snapshot');
  }

  /** The newest record at or before `time`. */
  #positionAt(object: Chronicle, time: number): Position {
    const { head, headTime, snapshots } = object.entry;
    if (head === noPosition || headTime <= time) return head;
    // Snapshots are of records in the chain: the walk back starts at the oldest that is too new, not at the end.
    const isTooNew = (position: Position): boolean =>
      position >= this.#journal.start && this.#journal.read(position).time > time;
    for (const { position, time: at, commit } of this.#materialiser.walk(snapshots.find(isTooNew) ?? head)) {
      if (at <= time) return position;
      // Everything earlier was dropped: the oldest state kept is the one after that history.
      if (commit.previous < this.#journal.start) {
        return snapshots.includes(commit.previous) ? commit.previous : noPosition;
      }
    }
    return noPosition;
  }

  #isLeftBehind(head: Position, position: Position): boolean {
    if (position === noPosition || position >= this.#floor) return false;
    let last = head;
    for (const { position: at, commit } of this.#materialiser.walk(head)) {
      if (at < this.#floor) return position !== at;
      last = commit.previous;
    }
    return position !== last;
  }

  /** Where the record of a bookmark is now: the bookmark may be from a log that the object was moved from. */
  #locate({ entry: { head, snapshots } }: Chronicle, position: Position): Position {
    if (position === noPosition || position >= this.#journal.start || snapshots.includes(position))
      return position;
    for (const { position: at, commit } of this.#materialiser.walk(head)) {
      if (commit.origins?.includes(position) === true) return at;
    }
    return position;
  }

  /** The state just before the restore that `request` asked for; the newest state if it is still pending. */
  #beforeRestore(head: Position, request: Position): Position {
    for (const { position, commit } of this.#materialiser.walk(head)) {
      if (commit.base?.request === request) return commit.previous;
      if (position <= request) break;
    }
    return head;
  }

  #format(object: Chronicle, ids: IdFactory, point: BookmarkedPoint): string {
    return formatBookmark(ids, decodeOwner(object.owner).idHex, point);
  }
}

function chainOf(object: Chronicle): Chain {
  return { owner: object.owner, snapshots: object.entry.snapshots };
}

/**
 * The snapshots that can be dropped when there are many: those kept are close together near the newest and further
 * apart towards the past, at most two for each doubling of the distance. So an object that is always busy keeps a few
 * dozen of them, and a restore still starts within a constant factor of its target's distance from now.
 */
function superfluousSnapshots(snapshots: readonly Position[]): Position[] {
  const newest = snapshots.at(-1);
  if (newest === undefined) return [];
  const byDistance = new Map<number, Position[]>();
  for (const position of snapshots) {
    const doubling = Math.floor(Math.log2(newest - position + 1));
    byDistance.set(doubling, [...(byDistance.get(doubling) ?? []), position]);
  }
  return [...byDistance.values()].flatMap((group) => group.slice(1, -1));
}

/**
 * Fetches an object's history that is stored elsewhere, so that the log and the images can read it synchronously. It
 * stays until the returned value is disposed of.
 */
export interface HistoryLoader {
  /** Everything that the database after the record at `position` is materialised from. */
  loadState(snapshots: readonly Position[], position: Position): Promise<Disposable>;
  /** Every record that is kept. */
  loadRecords(): Promise<Disposable>;
}
