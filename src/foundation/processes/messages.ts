/**
 * The messages between a parent and its child process, and those of a child's watchdog thread.
 *
 * Messages are frames on a pipe (`channel/frames.ts`). Node's own channel only passes sockets: Node trusts the data
 * that it reads there, so it is closed before a child runs user code.
 */
import type { WorkKind, WorkNotes } from '#work';

/** Where a successor of the parent will listen, and what the child sends to it. */
export interface Successor {
  readonly path: string;
  /** The digest of the setup: a successor with another setup replaces the child. */
  readonly setupDigest: string;
}

/** On Node's own channel, in either direction: accompanies a handle. */
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
      /** How many handles arrive on Node's own channel: the child begins when it has them all. */
      readonly handles: number;
      /** Whether the child will pass sockets to its parent; otherwise Node's channel is closed before it begins. */
      readonly passesSockets: boolean;
      /** Set if the child may outlive its parent. */
      readonly successor?: Successor | undefined;
    }
  | { readonly kind: 'message'; readonly body: unknown }
  | { readonly kind: 'stop'; readonly graceMs: number };

export type ToParent =
  | { readonly kind: 'ready'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }
  /** It has received the request to stop. */
  | { readonly kind: 'stopping' }
  /** A heartbeat of an adopted process. */
  | { readonly kind: 'beat'; readonly residentBytes: number }
  /** Output of a process without an output stream. */
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'message'; readonly body: unknown };

/** One line of JSON on the pipe of the watchdog. */
export type WatchLine =
  | { readonly kind: 'beat'; readonly residentBytes?: number; readonly orphan?: number }
  | {
      /** A turn of the event loop, or a statement of SQL within one, exceeds its time limit. */
      readonly kind: 'stuck' | 'statement';
      /** The process that it concerns, if that is not the owner of the pipe but a child that has outlived it. */
      readonly orphan?: number;
      readonly ms: number;
      readonly work: Partial<Record<WorkKind, string>>;
    };

/** The descriptors of the pipes for the watchdog and for messages in a child. Its parent passes on those after them. */
export const watchFd = 4;
export const channelFd = 5;
export const firstPassedFd = 6;

/**
 * Memory shared by the main thread of a child and its watchdog: turns of the event loop, how long one may take, how
 * long a statement of SQL may take (0 for no limit), the descriptor for heartbeats, and whether the child may outlive
 * its parent.
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
