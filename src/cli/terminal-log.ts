/** Messages to the user at the terminal. Results go to standard output, everything else to standard error. */
import { styleText } from 'node:util';
import { ConfigError, type WorkerLog } from '#workers';

export const terminalLog: WorkerLog = {
  info: (text) => process.stderr.write(`${text}\n`),
  warn: (text) => process.stderr.write(`${applyStyle('yellow', 'warning')}: ${text}\n`),
  error: (error) => process.stderr.write(`${applyStyle('red', 'error')}: ${toText(error)}\n`),
};

function applyStyle(style: 'red' | 'yellow', text: string): string {
  return styleText(style, text, { stream: process.stderr });
}

function toText(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? String(error);
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${toText(error.cause)}`;
}
