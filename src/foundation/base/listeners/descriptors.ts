/**
 * How many files and connections the process may have open, and which of them are not for clients. A process without a
 * free descriptor can neither open files nor start others, and closes connections that it cannot accept. So its listeners
 * leave some: those for operators the fewest, so that health and metrics are answered when visitors or clients of the API
 * take all that they can get.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Who connects to a listener. */
export type Clients = 'visitors' | 'api' | 'operators';

/** Of the descriptors, at most. */
const reservedPart = 1 / 3;
/** Enough for the databases of some hundred objects that wake at the same time. */
const reservedMax = 512;
/** Of those reserved, what each kind of client must leave. */
const leftBy: Readonly<Record<Clients, number>> = { visitors: 1, api: 2 / 3, operators: 1 / 3 };
/** A listener has this many connections however many descriptors other parts of the process use. */
const connectionsMin = 8;
/** Counting takes a moment where there are thousands. */
const betweenCountsMs = 1_000;

let limit: number | undefined;

/** Node has raised the soft limit to the hard one by then. Unbounded where the system does not say. */
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
  /** The first that its clients must leave. */
  readonly #end: number;
  /** What the process has open beside the connections of the listener. */
  #others = 0;
  #countedMs = -Infinity;

  constructor(clients: Clients) {
    this.#end = Math.floor(readLimit() - Math.min(readLimit() * reservedPart, reservedMax) * leftBy[clients]);
  }

  /** If the process had nothing else open. */
  get connectionsMax(): number {
    return this.#end;
  }

  /** `open` are the connections that the listener has without this one, which was just accepted. */
  allows(socket: Socket, open: number): boolean {
    const handle = Reflect.get(socket, '_handle') as { readonly fd?: number } | null;
    const descriptor = handle?.fd ?? -1;
    if (open < connectionsMin) return true;
    if (descriptor >= this.#end) return false;
    // The kernel gives out the lowest number that is free: as long as all are low, there is room.
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
      // Without a free descriptor, the last count holds.
    }
  }
}
