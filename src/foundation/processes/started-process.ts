/** A child process as it was started or adopted, before its work is known. */
import type { ChildProcess as NodeProcess, SendHandle } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Frames } from './channel/frames.ts';
import type { PassedHandle } from './messages.ts';

/** The required part of Node's process object: an adopted process has no more, and already has its handles. */
export interface ProcessHandle extends Pick<NodeProcess, 'stdout' | 'stderr'> {
  readonly pid?: number | undefined;
  /** Undefined if the machine had no free descriptors for it. */
  readonly stdio: readonly unknown[] | undefined;
  send(message: PassedHandle, handle: SendHandle): unknown;
  kill(signal: 'SIGKILL'): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A process with a module that calls `runChild`, started by code that could not wait for this module. */
export interface StartedProcess {
  /** Its standard output and error are unchanged; then follow a channel and two pipes, as `spawnChild` creates them. */
  readonly process: ProcessHandle;
  readonly closed: Promise<ClosedProcess>;
  /** For an adopted process: its connection, with the data after its first message. */
  readonly adopted?: { readonly socket: Socket; readonly frames: Frames };
}

/** How a process has ended, or why it was not started. */
export type ClosedProcess =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly error: Error };
