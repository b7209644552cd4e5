/** A process of a child as it was started or taken over, before it is known what it does. */
import type { ChildProcess as NodeProcess, SendHandle } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Frames } from './channel/frames.ts';
import type { PassedHandle } from './messages.ts';

/** What is needed of a process of Node: one that was taken over has no more, and its handles already. */
export interface ProcessHandle extends Pick<NodeProcess, 'stdout' | 'stderr'> {
  readonly pid?: number | undefined;
  /** Undefined if the machine has no descriptors for it. */
  readonly stdio: readonly unknown[] | undefined;
  send(message: PassedHandle, handle: SendHandle): unknown;
  kill(signal: 'SIGKILL'): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A process that runs a module that calls `runChild`, started by somebody who could not wait for this code. */
export interface StartedProcess {
  /** Its standard output and error are as they were made; then come a channel and two pipes, as `spawnChild` makes them. */
  readonly process: ProcessHandle;
  readonly closed: Promise<ClosedProcess>;
  /** Of one that was taken over: where it has connected, with what followed its first message. */
  readonly adopted?: { readonly socket: Socket; readonly frames: Frames };
}

/** How a process has ended, or why there is none. */
export type ClosedProcess =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly error: Error };
