/**
 * The ready file contains the address of the server and how to call it, for pipelines that start one. It appears when
 * requests are accepted, and is newer than the start of the server, even if its content has not changed.
 *
 * Secrets are shown once, at the first start, and only their hashes are stored. So that a later start can write them
 * again, it takes them from the previous ready file if they are still valid; if there is none, or the secrets were
 * rolled, the file does not contain them. While the server starts, the old file is moved aside, so that no reader
 * mistakes it for the new one.
 */
import { accessSync, constants, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isObject, StartError } from '#base';
import { readIfThere, writePrivateFile } from '#files';

/** The content of the file, also used in the greeting. */
export interface Ready {
  /** The base URL, ending with `/client/v4`. */
  readonly api: string;
  /** The same over HTTPS, if that is on. */
  readonly api_https?: string;
  /** The certificate of the local authority, if HTTPS uses it. */
  readonly ca_file?: string;
  /** The URL of health and metrics, if they have a separate listener. */
  readonly admin?: string;
  /** The URL at which requests to the zones are evaluated and forwarded. */
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

  /** Rejects a path that cannot be written, before there are secrets to write. */
  constructor(file: string) {
    const directory = dirname(resolve(file));
    try {
      accessSync(directory, constants.W_OK);
    } catch (error) {
      throw new StartError(
        `the ready file cannot be written to ${directory}: choose another path with --ready-file`,
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

  /** Moves the previous file aside and returns its secrets. */
  takeOver(): Secrets {
    try {
      renameSync(this.#file, this.#aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return readReady(this.#aside) ?? {};
  }

  /** For a failed start: the file may describe another process. */
  putBack(): void {
    try {
      renameSync(this.#aside, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  write(ready: Ready): void {
    const text = `${JSON.stringify(ready, undefined, 2)}\n`;
    if (readIfThere(this.#aside) === text) {
      // Only updates the time of the file, which needs no space on a full disk.
      const now = new Date();
      utimesSync(this.#aside, now, now);
      return this.putBack();
    }
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

/** The content of a ready file; undefined if there is none, or if it has another format. */
export function readReady(file: string): Partial<Ready> | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const value: unknown = text.length > fileBytesMax ? undefined : JSON.parse(text);
    if (!isObject(value)) return undefined;
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

/** Text that is safe in headers and in a shell. */
function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]{1,4096}$/.test(text);
}
