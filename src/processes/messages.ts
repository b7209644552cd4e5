/** What a parent and its child process say to each other, and what the watchdog thread of a child says. */
import type { WorkKind, WorkNotes } from '#base';

export type ToChild =
  /** Comes with a handle. */
  | { readonly kind: 'handle' }
  | {
      readonly kind: 'start';
      readonly name: string;
      readonly setup: unknown;
      readonly stuckMs: number;
      /** 0 for no limit. */
      readonly statementMs: number;
    }
  | { readonly kind: 'message'; readonly body: unknown }
  | { readonly kind: 'stop'; readonly graceMs: number };

export type ToParent =
  | { readonly kind: 'ready'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }
  /** Comes with a handle. */
  | { readonly kind: 'handle'; readonly name: string }
  /** It knows that it is to stop. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'message'; readonly body: unknown };

/** One line of JSON on the pipe of the watchdog. */
export type WatchLine =
  | { readonly kind: 'beat'; readonly residentBytes?: number }
  | {
      /** A turn of the event loop, or a statement of SQL within one, takes longer than it may. */
      readonly kind: 'stuck' | 'statement';
      readonly ms: number;
      readonly work: Partial<Record<WorkKind, string>>;
    };

/** The number of the pipe of the watchdog in a child. Those after it are what its parent passes on. */
export const watchFd = 4;
export const firstPassedFd = 5;

/**
 * What the main thread of a child and its watchdog share: turns of the event loop, how long one may take, and how long a
 * statement of SQL may take, 0 for any time.
 */
export const watchWords = { turns: 0, stuckMs: 1, statementMs: 2 } as const;

export interface WatchThreadData {
  readonly words: SharedArrayBuffer;
  readonly notes: WorkNotes;
  readonly beatMs: number;
  readonly blockedFactor: number;
  readonly statementClockFactor: number;
  readonly lookMsMax: number;
}
