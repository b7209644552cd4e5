/** What happened in a life, in words, in order. */
import { inspect } from 'node:util';

export interface Moment {
  /** Milliseconds since the life began. */
  readonly atMs: number;
  /** A client, an object, the host, or the outside. */
  readonly who: string;
  readonly what: string;
  /** Whether something went wrong here that the simulator brought about. */
  readonly isFault: boolean;
}

const valueCharactersMax = 120;
const whoWidthMax = 28;

export class Timeline {
  readonly moments: Moment[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(who: string, what: string, { isFault = false }: { readonly isFault?: boolean } = {}): void {
    this.moments.push({ atMs: this.#now(), who, what, isFault });
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

/** A value on one line, cut short. */
export function showShort(value: unknown): string {
  const text = inspect(value, { depth: 4, breakLength: Infinity, compact: true });
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text;
}
