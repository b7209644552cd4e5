/** The terminal output of `gatehouse dev`: messages, one line per request, and each error once. */
import { describeError, ReportedErrors, type ServedRequest, type WorkerLog } from '#workers';
import { createTerminalLines } from './lines.ts';

export interface TerminalLog extends WorkerLog {
  request(served: ServedRequest): void;
}

export interface TerminalLogOptions {
  readonly format: 'text' | 'json';
  /** `quiet`: no line per request. */
  readonly requests: 'shown' | 'quiet';
}

export function createTerminalLog({ format, requests }: TerminalLogOptions): TerminalLog {
  const reported = new ReportedErrors();
  const lines = createTerminalLines(format);
  return {
    ...lines,
    error: (error, during) => {
      if (reported.isNew(error)) lines.error(join(during, describe(error)));
    },
    request: requests === 'quiet' ? () => {} : lines.request,
  };
}

/** A message of the runtime is already text. */
function describe(error: unknown): string {
  return typeof error === 'string' ? error : describeError(error);
}

function join(during: string | undefined, text: string): string {
  return during === undefined ? text : `${during}: ${text}`;
}
