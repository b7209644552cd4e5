/**
 * The file that says where the server is and how to call it, for pipelines that start one. It appears when requests are accepted.
 *
 * Secrets are told once, at the first start, and only their hashes are kept. So that a later start can write them again, they are
 * taken over from the file that the start before left in the same place, as long as they are still valid; where there is none, or
 * they were rolled, the file comes without them. While the server starts, the older file stands aside under another
 * name, so that nobody takes it for news.
 */
import { accessSync, constants, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartError } from './data-directory.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';

/** As it is in the file, and in the greeting. */
export interface Ready {
  /** The base URL, ending in `/client/v4`. */
  readonly api: string;
  /** The same over HTTPS, where that is on. */
  readonly api_https?: string;
  /** The certificate of the local authority, where HTTPS uses it. */
  readonly ca_file?: string;
  /** Of health and metrics, where they have a listener of their own. */
  readonly admin?: string;
  /** Where traffic of the zones is judged and passed on. */
  readonly edge?: string;
  readonly edge_https?: string;
  readonly email: string;
  readonly token?: string;
  readonly key?: string;
  readonly account_id: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: string }[];
}

export type Secrets = Pick<Ready, 'token' | 'key'> & { readonly email?: string };

const fileBytesMax = 1024 * 1024;

export class ReadyFile {
  readonly #file: string;

  /** Refuses a place where it could not be written, before there are secrets to write. */
  constructor(file: string) {
    const directory = dirname(resolve(file));
    try {
      accessSync(directory, constants.W_OK);
    } catch (error) {
      throw new StartError(
        `the ready file cannot be written to ${directory}: name another with --ready-file`,
        {
          cause: error,
        },
      );
    }
    this.#file = file;
  }

  get #aside(): string {
    return `${this.#file}.before`;
  }

  /** Puts the file of the start before aside and answers with what it told. */
  takeOver(): Secrets {
    try {
      renameSync(this.#file, this.#aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return readReady(this.#aside) ?? {};
  }

  /** For a start that came to nothing: another process may be the one that the file is about. */
  putBack(): void {
    try {
      renameSync(this.#aside, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  write(ready: Ready): void {
    const text = `${JSON.stringify(ready, undefined, 2)}\n`;
    // The same news as before need no space on a disk that may have none.
    if (readIfThere(this.#aside) === text) return this.putBack();
    writePrivateFile(this.#file, text);
    rmSync(this.#aside, { force: true });
  }
}

const texts: ReadonlySet<string> = new Set<keyof Ready>([
  'api',
  'api_https',
  'ca_file',
  'admin',
  'email',
  'token',
  'key',
  'account_id',
]);

/** What a ready file tells; undefined when there is none, or it is something else. */
export function readReady(file: string): Partial<Ready> | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const value: unknown = text.length > fileBytesMax ? undefined : JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const known = Object.entries(value).filter(
      ([name, each]) => texts.has(name) && typeof each === 'string' && isPrintable(each),
    );
    return Object.fromEntries(known);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What goes into headers and into the shell. */
function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]{1,4096}$/.test(text);
}
