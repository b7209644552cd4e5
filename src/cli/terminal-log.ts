/** What the commands tell the person at the terminal. Answers go to standard output, everything else to standard error. */
import { styleText } from 'node:util';
import { ConfigError, type WorkerLog } from '#workers';

export const terminalLog: WorkerLog = {
  info: (text) => process.stderr.write(`${text}\n`),
  warn: (text) => process.stderr.write(`${styled('yellow', 'warning')}: ${text}\n`),
  error: (error) => process.stderr.write(`${styled('red', 'error')}: ${textOf(error)}\n`),
};

function styled(style: 'red' | 'yellow', text: string): string {
  return styleText(style, text, { stream: process.stderr });
}

function textOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? String(error);
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${textOf(error.cause)}`;
}
