/**
 * The log: one line per happening, as JSON or as text for a person. A line is one line whatever it holds, so nothing a client sends
 * can pass for another one. Credentials are never put in: callers log paths without queries, and no headers.
 */
const logLevels = ['debug', 'info', 'warn', 'error'] as const;

type LogLevel = (typeof logLevels)[number];

type LogFields = Readonly<Record<string, unknown>>;

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
  readonly now?: () => number;
}

export function createLog({ level, format, write, now = Date.now }: LogOptions): Log {
  const least = logLevels.indexOf(level);
  const line = format === 'json' ? jsonLine : textLine;
  const at = (each: LogLevel): Log[LogLevel] =>
    logLevels.indexOf(each) < least
      ? () => {}
      : (message, fields = {}) => write(line(new Date(now()), each, message, fields));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function jsonLine(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time, level, message, ...plain(fields) })}\n`;
}

function textLine(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  const { error, ...rest } = plain(fields);
  const pairs = Object.entries(rest).map(([name, value]) => ` ${name}=${inText(value)}`);
  // A stack has lines of its own; they are indented, so that none can be taken for a line of the log.
  const stack = error === undefined ? '' : `\n    ${clean(stackOf(error)).replaceAll('\\n', '\n    ')}`;
  return `${time.toISOString()} ${level.padEnd(5)} ${clean(message)}${pairs.join('')}${stack}\n`;
}

function stackOf(error: unknown): string {
  return (error as { readonly stack?: string }).stack ?? JSON.stringify(error);
}

function inText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return clean(/[\s"=]/.test(text) ? JSON.stringify(text) : text);
}

/** Control characters move cursors and begin lines. */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) =>
    character === '\n' ? '\\n' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Only what is there, and errors as objects that JSON can show. */
function plain(fields: LogFields): Record<string, unknown> {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    there.map(([name, value]) => [name, name === 'error' ? plainError(value) : value]),
  );
}

function plainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  const hasCause = cause !== undefined && depth < causesMax;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(hasCause ? { cause: plainError(cause, depth + 1) } : {}),
  };
}

const causesMax = 4;
