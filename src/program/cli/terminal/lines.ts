/**
 * Lines on standard error, as text for people or as JSON for programs. Independent of Workers, so that a process that
 * only supervises others stays small.
 */
import { styleText } from 'node:util';
import { createLog, type Log } from '#base';
import { escapeUnprintable } from './text.ts';

export interface TerminalLines {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
  request(served: ShownRequest): void;
}

interface ShownRequest {
  readonly method: string;
  readonly target: string;
  /** Undefined if the client disconnected. */
  readonly status: number | undefined;
  readonly durationMs: number;
}

export function createTerminalLines(format: 'text' | 'json'): TerminalLines {
  return format === 'json' ? createJsonLines() : textLines;
}

/** For supervisors: which process has ended, and why. */
export function createSupervisorLog({ error }: Pick<TerminalLines, 'error'>): Log {
  const say = (message: string, { reason }: Readonly<Record<string, unknown>> = {}): void =>
    error(typeof reason === 'string' ? `${message}: ${reason}` : message);
  return { debug: () => {}, info: () => {}, warn: say, error: say };
}

const textLines: TerminalLines = {
  info: (text) => write(text),
  warn: (text) => write(`${applyStyle('yellow', 'warning')}: ${text}`),
  error: (text) => write(`${applyStyle('red', 'error')}: ${text}`),
  request: ({ method, target, status, durationMs }) =>
    write(
      `${method} ${escapeUnprintable(target)} ${status ?? 'client left'} ${applyStyle('dim', `${formatMs(durationMs)} ms`)}`,
    ),
};

function createJsonLines(): TerminalLines {
  const log = createLog({ level: 'info', format: 'json', write: (line) => process.stderr.write(line) });
  return {
    info: (text) => log.info(text),
    warn: (text) => log.warn(text),
    error: (text) => log.error(text),
    request: ({ method, target, status, durationMs }) =>
      log.info('request', { method, target, status, ms: Number(formatMs(durationMs)) }),
  };
}

/** Two digits for fast requests, none for slow ones. */
function formatMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}

function write(line: string): void {
  process.stderr.write(`${line}\n`);
}

function applyStyle(style: 'red' | 'yellow' | 'dim', text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
