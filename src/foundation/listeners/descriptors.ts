/**
 * How many files and connections the process may have open, and which of them are reserved. A process without a free
 * descriptor can neither open files nor start child processes, and closes connections that it cannot accept. So its
 * listeners reserve some: the listener for operators the fewest, so that health and metrics are answered when visitors
 * or clients of the API use all descriptors available to them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The kinds of clients of a listener. */
export type Clients = 'visitors' | 'api' | 'operators';

/** The maximum fraction of the descriptors. */
const reservedPart = 1 / 3;
/** Enough for the databases of a few hundred objects that wake at the same time. */
const reservedMax = 512;
/** The fraction of the reserved descriptors that each kind of client must leave free. */
const leftBy: Readonly<Record<Clients, number>> = { visitors: 1, api: 2 / 3, operators: 1 / 3 };
/** A listener may have this many connections however many descriptors the rest of the process uses. */
const connectionsMin = 8;
/** Counting takes a while where there are thousands. */
const betweenCountsMs = 1_000;

let limit: number | undefined;

/** Node has raised the soft limit to the hard one by then. Unbounded where the system does not report it. */
function readLimit(): number {
  if (limit !== undefined) return limit;
  let text = '';
  try {
    text = readFileSync('/proc/self/limits', 'latin1');
  } catch {
    // Another system, or one without /proc.
  }
  return (limit = Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Infinity));
}

/** Whether the descriptors of the process allow another connection of one listener. */
export class DescriptorBudget {
  /** The first descriptor that its clients must leave free. */
  readonly #end: number;
  /** Open descriptors other than the connections of the listener. */
  #others = 0;
  #countedMs = -Infinity;

  constructor(clients: Clients) {
    this.#end = Math.floor(readLimit() - Math.min(readLimit() * reservedPart, reservedMax) * leftBy[clients]);
  }

  /** The maximum if the process had nothing else open. */
  get connectionsMax(): number {
    return this.#end;
  }

  /** `open` is the number of the listener's connections without this one, which was just accepted. */
  allows(socket: Socket, open: number): boolean {
    const handle = Reflect.get(socket, '_handle') as { readonly fd?: number } | null;
    const descriptor = handle?.fd ?? -1;
    if (open < connectionsMin) return true;
    if (descriptor >= this.#end) return false;
    // The kernel assigns the lowest free number: as long as all are low, there is room.
    if (descriptor >= this.#end / 2) this.#count(open + 1);
    return open < this.#end - this.#others;
  }

  #count(open: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#countedMs < betweenCountsMs) return;
    this.#countedMs = nowMs;
    try {
      this.#others = Math.max(0, readdirSync('/proc/self/fd').length - open);
    } catch {
      // Without a free descriptor, the last count remains in effect.
    }
  }
}
