/**
 * What `gatehouse dev` writes to the terminal, on standard error: messages, one line per request, and each error once. As
 * text for people or as lines of JSON for programs.
 */
import { styleText } from 'node:util';
import { createLog, type Log } from '#base';
import { describeError, ReportedErrors, type ServedRequest, type WorkerLog } from '#workers';
import { escapeUnprintable } from './terminal-text.ts';

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
  const log = format === 'json' ? createJsonLog() : textLog;
  return {
    ...log,
    error: (error, during) => {
      if (reported.isNew(error)) log.error(error, during);
    },
    request: requests === 'quiet' ? () => {} : log.request,
  };
}

/** For what supervises processes: which one has ended, and why. */
export function createSupervisorLog(terminal: TerminalLog): Log {
  const say = (message: string, { reason }: Readonly<Record<string, unknown>> = {}): void =>
    terminal.error(typeof reason === 'string' ? `${message}: ${reason}` : message);
  return { debug: () => {}, info: () => {}, warn: say, error: say };
}

const textLog: TerminalLog = {
  info: (text) => write(text),
  warn: (text) => write(`${applyStyle('yellow', 'warning')}: ${text}`),
  error: (error, during) => write(`${applyStyle('red', 'error')}: ${join(during, describe(error))}`),
  request: ({ method, target, status, durationMs }) =>
    write(
      `${method} ${escapeUnprintable(target)} ${status ?? 'client left'} ${applyStyle('dim', `${formatMs(durationMs)} ms`)}`,
    ),
};

function createJsonLog(): TerminalLog {
  const log = createLog({ level: 'info', format: 'json', write: (line) => process.stderr.write(line) });
  return {
    info: (text) => log.info(text),
    warn: (text) => log.warn(text),
    error: (error, during) => log.error(join(during, describe(error))),
    request: ({ method, target, status, durationMs }) =>
      log.info('request', { method, target, status, ms: Number(formatMs(durationMs)) }),
  };
}

/** A message of the runtime comes as text. */
function describe(error: unknown): string {
  return typeof error === 'string' ? error : describeError(error);
}

function join(during: string | undefined, text: string): string {
  return during === undefined ? text : `${during}: ${text}`;
}

/** Two digits for what is quick, none for what is slow. */
function formatMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}

function write(line: string): void {
  process.stderr.write(`${line}\n`);
}

function applyStyle(style: 'red' | 'yellow' | 'dim', text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
