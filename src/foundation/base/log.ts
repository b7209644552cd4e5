/**
 * The log: each entry is one line, as JSON or as text for people. Values cannot break out of their line, so nothing that a
 * client sends can look like another entry. Callers never pass credentials: they log paths without queries, and no headers.
 */
const logLevels = ['debug', 'info', 'warn', 'error'] as const;

type LogLevel = (typeof logLevels)[number];

type LogFields = Readonly<Record<string, unknown>>;

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

export interface LogStyle {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
}

export interface LogOptions extends LogStyle {
  readonly write: (line: string) => void;
  readonly now?: () => number;
}

export function createLog({ level, format, write, now = Date.now }: LogOptions): Log {
  const least = logLevels.indexOf(level);
  const line = format === 'json' ? formatJsonLine : formatTextLine;
  const at = (each: LogLevel): Log[LogLevel] =>
    logLevels.indexOf(each) < least
      ? () => {}
      : (message, fields = {}) => write(line(new Date(now()), each, message, fields));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function formatJsonLine(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time, level, message, ...toPlainFields(fields) })}\n`;
}

function formatTextLine(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  const { error, ...rest } = toPlainFields(fields);
  const pairs = Object.entries(rest).map(([name, value]) => ` ${name}=${formatValue(value)}`);
  // The lines of a stack are indented, so that none of them looks like an entry of the log.
  const stack =
    error === undefined ? '' : `\n    ${escapeControls(readStack(error)).replaceAll('\\n', '\n    ')}`;
  return `${time.toISOString()} ${level.padEnd(5)} ${escapeControls(message)}${pairs.join('')}${stack}\n`;
}

function readStack(error: unknown): string {
  return (error as { readonly stack?: string }).stack ?? JSON.stringify(error);
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return escapeControls(/[\s"=]/.test(text) ? JSON.stringify(text) : text);
}

/** Control characters can move the cursor of a terminal and start new lines. */
function escapeControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the pattern looks for them
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) =>
    character === '\n' ? '\\n' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Drops undefined fields, and converts errors into objects that JSON can represent. */
function toPlainFields(fields: LogFields): Record<string, unknown> {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    there.map(([name, value]) => [name, name === 'error' ? toPlainError(value) : value]),
  );
}

function toPlainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return isPlainError(error) ? error : { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  const hasCause = cause !== undefined && depth < causesMax;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(hasCause ? { cause: toPlainError(cause, depth + 1) } : {}),
  };
}

/** An error of another process, in the form in which its log wrote it. */
function isPlainError(error: unknown): boolean {
  const { message } = Object(error) as { readonly message?: unknown };
  return typeof message === 'string';
}

const causesMax = 4;
