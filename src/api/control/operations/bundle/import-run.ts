/** One import: its permissions, and its results. */
import { type Code, Fault } from '#contract';
import type { ZoneContext } from '../../context/handler.ts';

export type Mode = 'merge' | 'replace';

export interface Tally {
  added: number;
  changed: number;
  removed: number;
  kept: number;
}

export class ImportRun<C = ZoneContext> {
  readonly context: C;
  readonly mode: Mode;
  readonly #changes = new Map<string, Tally>();

  constructor(context: C, mode: Mode) {
    this.context = context;
    this.mode = mode;
  }

  /** The tally of one kind of resource. */
  getTally(kind: string): Tally {
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

/** A context that drops one kind of message, for work done in many steps that reports once at the end. */
export function hideMessages(context: ZoneContext, { code }: Code): ZoneContext {
  return {
    ...context,
    addMessage(message) {
      if (message.code !== code) context.addMessage(message);
    },
  };
}

/**
 * Imports one part of the bundle through its regular operation, so that the same checks apply. Problems are reported with
 * pointers into the bundle; `root` is the prefix of the operation's own pointers.
 */
export function runWithin<T>(pointer: string, work: () => T, root = ''): T {
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
