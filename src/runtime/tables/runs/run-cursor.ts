/**
 * A position in a run. It holds one decoded block and a window of blocks read ahead; the window starts small, because a scan
 * may end soon, and doubles with every read.
 */
import { BlockRows } from './block.ts';
import { blockBytesTarget, readAheadBytesMax } from '../limits.ts';
import type { RowCursor, RowRange, RowValue } from '../row.ts';
import type { Run } from './run.ts';
import { lowerBound } from '../sorted-map.ts';

interface RunCursorOptions {
  readonly range: RowRange;
  readonly reverse: boolean;
  /** `all`: the whole range will be read, bypassing the cache. `some`: the scan may stop anywhere. */
  readonly expect: 'all' | 'some';
}

/** Selects the row of a loaded block that the cursor moves to. */
type Landing = (keys: readonly string[]) => number;
const onFirst: Landing = () => 0;
const onLast: Landing = (keys) => keys.length - 1;

export class RunCursor implements RowCursor {
  key: string | undefined;
  readonly #run: Run;
  readonly #range: RowRange;
  readonly #reverse: boolean;
  /** The blocks that can contain rows of the range. */
  readonly #blockFirst: number;
  readonly #blockLast: number;
  #windowBytes: number;
  #window: readonly Buffer[] = [];
  #windowStart = 0;
  #block = -1;
  #rows: BlockRows | undefined;
  #place = 0;

  private constructor(run: Run, { range, reverse, expect }: RunCursorOptions) {
    this.#run = run;
    this.#range = range;
    this.#reverse = reverse;
    this.#blockFirst = run.index.findBlock(range.lower);
    this.#blockLast = run.index.findBlock(range.upper);
    this.#windowBytes = expect === 'all' ? readAheadBytesMax : blockBytesTarget;
  }

  /** A cursor on the first row of the range, or on the last one if it goes in reverse. */
  static async open(run: Run, options: RunCursorOptions): Promise<RunCursor> {
    const cursor = new RunCursor(run, options);
    const { lower, upper } = options.range;
    await (options.reverse
      ? cursor.#enter(cursor.#blockLast, (keys) => lowerBound(keys, upper) - 1)
      : cursor.#enter(cursor.#blockFirst, (keys) => lowerBound(keys, lower)));
    return cursor;
  }

  get value(): RowValue {
    return this.#rows?.getValue(this.#place) ?? null;
  }

  next(): Promise<void> | undefined {
    return this.#land(this.#place + (this.#reverse ? -1 : 1));
  }

  seek(key: string): Promise<void> | undefined {
    const keys = this.#rows?.keys;
    if (this.key === undefined || keys === undefined) return undefined;
    const place = lowerBound(keys, key);
    if (place < keys.length) return this.#land(place);
    const block = Math.max(this.#block + 1, this.#run.index.findBlock(key));
    return this.#enter(block, (next) => lowerBound(next, key));
  }

  /** Moves to a row of the current block, or to the next block if the row is past its end. */
  #land(place: number): Promise<void> | undefined {
    const keys = this.#rows?.keys ?? [];
    if (place < 0) return this.#enter(this.#block - 1, onLast);
    if (place >= keys.length) return this.#enter(this.#block + 1, onFirst);
    const key = keys[place]!;
    this.#place = place;
    this.key = key >= this.#range.lower && key < this.#range.upper ? key : undefined;
    return undefined;
  }

  #enter(block: number, landing: Landing): Promise<void> | undefined {
    if (block < this.#blockFirst || block > this.#blockLast) {
      this.key = undefined;
      return undefined;
    }
    const bytes = this.#window[block - this.#windowStart] ?? this.#run.getCachedBlock(block);
    if (bytes !== undefined) return this.#decode(block, bytes, landing);
    return this.#load(block).then((loaded) => this.#decode(block, loaded, landing));
  }

  #decode(block: number, bytes: Buffer, landing: Landing): Promise<void> | undefined {
    this.#block = block;
    this.#rows = new BlockRows(bytes);
    return this.#land(landing(this.#rows.keys));
  }

  async #load(block: number): Promise<Buffer> {
    const [first, end] = this.#chooseStretch(block);
    this.#windowBytes = Math.min(this.#windowBytes * 2, readAheadBytesMax);
    this.#windowStart = first;
    this.#window =
      end - first === 1 ? [await this.#run.readBlock(block)] : await this.#run.readBlocks(first, end);
    return this.#window[block - first]!;
  }

  /** The blocks to read at once: `block` and those ahead of it, within the window and the range. */
  #chooseStretch(block: number): [first: number, end: number] {
    const { index } = this.#run;
    if (!this.#reverse) return [block, index.findStretchEnd(block, this.#windowBytes, this.#blockLast + 1)];
    let first = block;
    const startMin = index.getOffset(block + 1) - this.#windowBytes;
    while (first > this.#blockFirst && index.getOffset(first - 1) >= startMin) first -= 1;
    return [first, block + 1];
  }
}
