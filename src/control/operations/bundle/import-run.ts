/** One import: what it is allowed to do, and what it has done. */
import { type Code, Fault } from '#api';
import type { ZoneContext } from '../../context/handler.ts';

export type Mode = 'merge' | 'replace';

export interface Tally {
  added: number;
  changed: number;
  removed: number;
  kept: number;
}

export class ImportRun {
  readonly context: ZoneContext;
  readonly mode: Mode;
  readonly #changes = new Map<string, Tally>();

  constructor(context: ZoneContext, mode: Mode) {
    this.context = context;
    this.mode = mode;
  }

  /** Of one kind of things. */
  tally(kind: string): Tally {
    let tally = this.#changes.get(kind);
    if (tally === undefined) {
      tally = { added: 0, changed: 0, removed: 0, kept: 0 };
      this.#changes.set(kind, tally);
    }
    return tally;
  }

  get changes(): Readonly<Record<string, Tally>> {
    return Object.fromEntries(this.#changes);
  }
}

/** A context that keeps one kind of message to itself, for work that is done piece by piece and told at the end. */
export function withoutMessages(context: ZoneContext, { code }: Code): ZoneContext {
  return {
    ...context,
    say(message) {
      if (message.code !== code) context.say(message);
    },
  };
}

/**
 * Does something with a piece of the bundle through the operation that it has otherwise, so that the same checks hold. What
 * is wrong with it is said with pointers into the bundle; `root` is what pointers of the operation begin with.
 */
export function within<T>(pointer: string, work: () => T, root = ''): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const entries = error.entries.map((entry) => {
      const inner = entry.source?.pointer ?? root;
      const rest = inner.startsWith(root) ? inner.slice(root.length) : inner;
      return { ...entry, source: { pointer: `${pointer}${rest}` } };
    });
    throw new Fault(error.status, entries, error.messages);
  }
}
