/**
 * Adds the output of a child to the log of its parent under the name of the child. A line of the child's log stays an
 * entry with its level and fields; any other output (a stack of Node, a print for debugging) becomes an entry of its
 * own.
 */
import type { Readable } from 'node:stream';
import type { Log } from '#base';
import { Lines } from '#streams';
import { Intake } from './channel/intake.ts';
import { lineCharactersMax } from './limits.ts';

export class ChildOutput {
  readonly #nameOf: () => string;
  readonly #logOf: () => Log;
  #said: string | undefined;

  constructor({ nameOf, logOf }: { readonly nameOf: () => string; readonly logOf: () => Log }) {
    this.#nameOf = nameOf;
    this.#logOf = logOf;
  }

  /** The error that the child printed last, if any: Node prints one before the process exits. */
  get said(): string | undefined {
    return this.#said;
  }

  read(stream: Readable, level: 'info' | 'warn'): void {
    const lines = new Lines(lineCharactersMax);
    stream.setEncoding('utf8');
    // oxlint-disable-next-line no-new -- it lives as long as the stream
    new Intake(stream, {
      splitter: lines,
      take: (line) => this.take(line, level),
      onFault: (error) => this.#logOf().error('could not log what a process printed', { error }),
    });
    stream.once('close', () => this.take(lines.rest(), level));
  }

  take(line: string, level: 'info' | 'warn'): void {
    if (line.trim() === '' || this.#logEntry(line)) return;
    if (/^\w*(?:Error|FATAL ERROR)\b/.test(line)) this.#said = line.slice(0, 500);
    this.#logOf()[level]('a process printed', { process: this.#nameOf(), text: line });
  }

  /** Whether the line is an entry. A forged entry that cannot be written is treated as printed text. */
  #logEntry(line: string): boolean {
    const entry = readEntry(line);
    if (entry === undefined) return false;
    const { level, message, fields } = entry;
    try {
      this.#logOf()[level](message, { ...fields, process: this.#nameOf() });
      return true;
    } catch {
      return false;
    }
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

interface ChildLine {
  readonly level: (typeof levels)[number];
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Undefined if the line is not an entry of a JSON log. */
function readEntry(line: string): ChildLine | undefined {
  if (!line.startsWith('{"time":')) return undefined;
  try {
    const { time: _, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const known = levels.find((each) => each === level);
    return known !== undefined && typeof message === 'string' ? { level: known, message, fields } : undefined;
  } catch {
    return undefined;
  }
}
