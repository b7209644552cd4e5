/**
 * What a parent and its child process send each other, and what the watchdog thread of a child writes.
 *
 * Messages are frames on a pipe (`channel/frames.ts`). The channel of Node only passes sockets: Node trusts what it reads
 * there, so it is closed before a child runs code of users.
 */
import type { WorkKind, WorkNotes } from '#base';

/** Where a successor of the parent listens, and what the child tells it. */
export interface Successor {
  readonly path: string;
  /** Of the setup: a successor that would give another one replaces the child. */
  readonly setupDigest: string;
}

/** On the channel of Node, from either side: a handle comes with it. */
export interface PassedHandle {
  readonly name: string;
}

export type ToChild =
  | {
      readonly kind: 'start';
      readonly name: string;
      readonly setup: unknown;
      readonly stuckMs: number;
      /** 0 for no limit. */
      readonly statementMs: number;
      /** How many handles come on the channel of Node: it begins when it has them all. */
      readonly handles: number;
      /** Whether it goes on to pass sockets to its parent; otherwise the channel of Node is closed before it begins. */
      readonly passesSockets: boolean;
      /** Set if the child may outlive its parent. */
      readonly successor?: Successor | undefined;
    }
  | { readonly kind: 'message'; readonly body: unknown }
  | { readonly kind: 'stop'; readonly graceMs: number };

export type ToParent =
  | { readonly kind: 'ready'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }
  /** It knows that it is to stop. */
  | { readonly kind: 'stopping' }
  /** From one that was taken over: it lives. */
  | { readonly kind: 'beat'; readonly residentBytes: number }
  /** What it would print, where there is nothing to print to. */
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'message'; readonly body: unknown };

/** One line of JSON on the pipe of the watchdog. */
export type WatchLine =
  | { readonly kind: 'beat'; readonly residentBytes?: number; readonly orphan?: number }
  | {
      /** A turn of the event loop, or a statement of SQL within one, takes longer than it may. */
      readonly kind: 'stuck' | 'statement';
      /** The process that it is about, if that is not the one of the pipe but a child that has outlived it. */
      readonly orphan?: number;
      readonly ms: number;
      readonly work: Partial<Record<WorkKind, string>>;
    };

/** The numbers of the pipes for the watchdog and for messages in a child. Those after them are what its parent passes on. */
export const watchFd = 4;
export const channelFd = 5;
export const firstPassedFd = 6;

/**
 * What the main thread of a child and its watchdog share: turns of the event loop, how long one may take, how long a
 * statement of SQL may take, 0 for any time, the descriptor to
 * which beats go, and whether the child may outlive its parent.
 */
export const watchWords = { turns: 0, stuckMs: 1, statementMs: 2, beatsFd: 3, mayOutlive: 4 } as const;

export interface WatchThreadData {
  readonly words: SharedArrayBuffer;
  readonly notes: WorkNotes;
  readonly beatMs: number;
  readonly blockedFactor: number;
  readonly statementClockFactor: number;
  readonly lookMsMax: number;
}
