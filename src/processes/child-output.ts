/**
 * What a child prints, into the log of its parent under the name of the child. A line of the log of the child stays an
 * entry with its level and fields; anything else (a stack of Node, a print for debugging) is an entry of its own.
 */
import type { Readable } from 'node:stream';
import type { Log } from '#base';
import { Lines } from './lines.ts';

export class ChildOutput {
  readonly #nameOf: () => string;
  readonly #logOf: () => Log;
  #said: string | undefined;

  constructor({ nameOf, logOf }: { readonly nameOf: () => string; readonly logOf: () => Log }) {
    this.#nameOf = nameOf;
    this.#logOf = logOf;
  }

  /** The error that the child printed last, if any: Node prints one before it ends the process. */
  get said(): string | undefined {
    return this.#said;
  }

  read(stream: Readable, level: 'info' | 'warn'): void {
    const lines = new Lines((line) => this.take(line, level));
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => lines.add(piece));
    stream.once('end', () => lines.end());
    // The pipe of a process that was ended.
    stream.on('error', () => lines.end());
  }

  take(line: string, level: 'info' | 'warn'): void {
    if (line.trim() === '') return;
    const entry = readEntry(line);
    if (entry !== undefined) {
      const { level: own, message, fields } = entry;
      this.#logOf()[own](message, { process: this.#nameOf(), ...fields });
      return;
    }
    if (/^\w*(?:Error|FATAL ERROR)\b/.test(line)) this.#said = line.slice(0, 500);
    this.#logOf()[level]('a process printed', { process: this.#nameOf(), text: line });
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

interface Entry {
  readonly level: (typeof levels)[number];
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Undefined if the line is not one of a log in JSON. */
function readEntry(line: string): Entry | undefined {
  if (!line.startsWith('{"time":')) return undefined;
  try {
    const { time: _, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const known = levels.find((each) => each === level);
    return known !== undefined && typeof message === 'string' ? { level: known, message, fields } : undefined;
  } catch {
    return undefined;
  }
}
