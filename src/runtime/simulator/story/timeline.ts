/** The events of a life, as text, in order. */
import { inspect } from 'node:util';
import type { StorageChange } from './storage-watch.ts';

export interface Moment {
  /** Milliseconds since the life began. */
  readonly atMs: number;
  /** A client, an object, the host, or the outside. */
  readonly who: string;
  readonly what: string;
  /** Whether this is a fault that the simulator caused. */
  readonly isFault: boolean;
  /** The changes in the storage of the object in `who`. */
  readonly changes?: readonly StorageChange[];
}

export interface MomentDetails {
  readonly isFault?: boolean;
  readonly changes?: readonly StorageChange[];
}

const valueCharactersMax = 120;
const whoWidthMax = 28;

export class Timeline {
  readonly moments: Moment[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(who: string, what: string, { isFault = false, changes = [] }: MomentDetails = {}): void {
    const changed = changes.length === 0 ? {} : { changes };
    this.moments.push({ atMs: this.#now(), who, what, isFault, ...changed });
  }
}

export function printMoments(moments: readonly Moment[]): string {
  const width = Math.min(whoWidthMax, Math.max(0, ...moments.map(({ who }) => who.length)));
  return moments
    .map(({ atMs, who, what, isFault }) => {
      const time = `${Math.round(atMs)} ms`.padStart(9);
      return `${time}  ${who.padEnd(width)}  ${isFault ? '✗ ' : ''}${what}`;
    })
    .join('\n');
}

/** A value on one line, truncated. */
export function showShort(value: unknown): string {
  const text = inspect(value, { depth: 4, breakLength: Infinity, compact: true });
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text;
}
