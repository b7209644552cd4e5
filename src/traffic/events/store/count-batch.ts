/**
 * Counts the events of a block by common values. Each distinct value occurs once in a block, so events are counted by
 * value index, and the values are looked up once for each group.
 */
import { type Dimension, type EventTally, formatBucket, type GroupCounter } from '../groups.ts';
import { EventsDamageError } from './errors.ts';
import { placeOf } from './blocks/columns.ts';
import type { OpenBlock } from './blocks/open-block.ts';
import type { EventBatch } from './blocks/scan.ts';

interface Counting {
  readonly counters: readonly GroupCounter[];
  readonly onDamage: (damage: EventsDamageError) => void;
}

/** Damage is reported, and the batch is counted by none of the counters. */
export function countBatch(batch: EventBatch, { counters, onDamage }: Counting): void {
  if (batch.kind === 'pending') {
    for (const [atMs, event] of batch.events) for (const counter of counters) counter.add(event, atMs);
    return;
  }
  const { block, rows } = batch;
  if (block === undefined) return;
  try {
    const tallies = counters.map(({ dimensions }) => countRows(block, rows, dimensions));
    for (const [index, counter] of counters.entries())
      for (const tally of tallies[index]!) counter.addTally(tally);
  } catch (error) {
    if (!(error instanceof EventsDamageError)) throw error;
    onDamage(error);
  }
}

function countRows(
  block: OpenBlock,
  rows: readonly number[],
  dimensions: readonly Dimension[],
): EventTally[] {
  const codings = dimensions.map((dimension) => createCoding(block, dimension));
  const { times } = block;
  const groups = new Map<number, { count: number; lastMs: number; readonly row: number }>();
  const codes = encode(rows, codings);
  for (const [index, row] of rows.entries()) {
    const atMs = times[row]!;
    const group = groups.get(codes[index]!);
    if (group === undefined) groups.set(codes[index]!, { count: 1, lastMs: atMs, row });
    else {
      group.count++;
      if (atMs > group.lastMs) group.lastMs = atMs;
    }
  }
  return Array.from(groups.values(), ({ count, lastMs, row }) => ({
    values: codings.map(({ valueOf }) => valueOf(row)),
    count,
    lastMs,
  }));
}

interface Coding {
  /** Greater than every code. */
  readonly size: number;
  readonly codeOf: (row: number) => number;
  readonly valueOf: (row: number) => string | number;
}

/** Combines the codes of several dimensions; renumbers them before they exceed exact integers. */
function encode(rows: readonly number[], codings: readonly Coding[]): readonly number[] {
  let codes: number[] = rows.map(() => 0);
  let size = 1;
  for (const coding of codings) {
    if (size * coding.size > Number.MAX_SAFE_INTEGER) {
      const known = new Map<number, number>();
      codes = codes.map((code) => known.getOrInsert(code, known.size));
      size = known.size;
    }
    for (const [index, row] of rows.entries())
      codes[index] = codes[index]! * coding.size + coding.codeOf(row);
    size *= coding.size;
  }
  return codes;
}

function createCoding(block: OpenBlock, dimension: Dimension): Coding {
  if ('bucketMs' in dimension) {
    const { bucketMs } = dimension;
    const first = Math.floor(block.head.firstMs / bucketMs);
    return {
      size: Math.floor(block.head.lastMs / bucketMs) - first + 1,
      codeOf: (row) => Math.floor(block.times[row]! / bucketMs) - first,
      valueOf: (row) => formatBucket(block.times[row]!, bucketMs),
    };
  }
  const { field } = dimension;
  const valueOf = (row: number): string | number => block.value(field, row) as string | number;
  // A block does not store the values of these fields as text.
  if (field === 'id' || field === 'datetime' || field === 'originatorRayName') {
    const known = new Map<string | number, number>();
    return {
      size: block.head.rows + 1,
      codeOf: (row) => known.getOrInsert(valueOf(row), known.size),
      valueOf,
    };
  }
  const column = block.column(field);
  return {
    size: Math.max(column.values.length, 1),
    codeOf: (row) => placeOf(column, row),
    valueOf,
  };
}
