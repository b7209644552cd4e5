/** Why a process has ended. */
import type { WorkKind } from '#work';

export type EndReason =
  /** It was asked to stop. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'exited'; readonly code: number; readonly said: string | undefined }
  | { readonly kind: 'signal'; readonly signal: string; readonly said: string | undefined }
  /** Its event loop was blocked. `work` is what it was doing. */
  | { readonly kind: 'stuck'; readonly ms: number; readonly work: Partial<Record<WorkKind, string>> }
  /** A statement of SQL exceeded its time limit. */
  | { readonly kind: 'statement'; readonly ms: number; readonly work: Partial<Record<WorkKind, string>> }
  /** Not even its watchdog responded: the process was stopped, or the machine does not schedule it. */
  | { readonly kind: 'silent'; readonly ms: number }
  | { readonly kind: 'memory'; readonly bytes: number; readonly bytesMax: number }
  | { readonly kind: 'not ready'; readonly ms: number }
  /** It sent an invalid message, or closed its channel. */
  | { readonly kind: 'protocol'; readonly problem: string }
  /** It could not start, and reported why. */
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

/** For counts by reason, so that the series of each exists from the start. */
export const endKinds: readonly EndReason['kind'][] = [
  'stopped',
  'exited',
  'signal',
  'stuck',
  'statement',
  'silent',
  'memory',
  'protocol',
  'failed',
];

export function describeEnd(reason: EndReason): string {
  switch (reason.kind) {
    case 'stopped':
      return 'it was asked to stop';
    case 'exited':
      return `it exited with code ${reason.code}${quote(reason.said)}`;
    case 'signal':
      return `it was ended by ${reason.signal}${quote(reason.said)}`;
    case 'stuck':
      return `its event loop did not turn for ${reason.ms} ms${describeWork(reason.work)}`;
    case 'statement':
      return `an SQL statement exceeded its time limit, ${reason.ms} ms so far${describeWork(reason.work)}`;
    case 'silent':
      return `its watchdog did not answer for ${reason.ms} ms`;
    case 'memory':
      return `it used ${toMegabytes(reason.bytes)} MB of memory, and ${toMegabytes(reason.bytesMax)} MB are allowed`;
    case 'not ready':
      return `it was not ready after ${reason.ms} ms`;
    case 'protocol':
      return `it broke the protocol between the processes: ${reason.problem}`;
    case 'failed':
      return reason.message;
  }
}

function describeWork(work: Partial<Record<WorkKind, string>>): string {
  const parts = Object.entries(work).map(([kind, name]) => `${kind} ${name}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function quote(said: string | undefined): string {
  return said === undefined ? '' : `: ${said}`;
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
