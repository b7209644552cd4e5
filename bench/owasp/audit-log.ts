/** The audit log of libmodsecurity: one line of JSON per request, in the order in which requests end. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendBytes } from './send-bytes.ts';

interface AuditLine {
  readonly transaction: {
    readonly request: { readonly uri: string };
    readonly messages?: readonly { readonly details: { readonly ruleId: string } }[];
  };
}

/** A line that does not appear within this many checks never appears. */
const looksMax = 2_000;

export class AuditLog {
  readonly #path: string;
  readonly #port: number;
  #position = 0;
  #rest = '';
  #marks = 0;

  constructor(path: string, port: number) {
    this.#path = path;
    this.#port = port;
  }

  /**
   * The rules that matched in the request just sent; undefined if it did not get as far as the rules. A request of our
   * own behind it marks where its lines end.
   */
  async readNext(isCompared: (id: number) => boolean): Promise<ReadonlySet<number> | undefined> {
    const mark = `/gatehouse-mark-${this.#marks++}`;
    await sendBytes(this.#port, `GET ${mark} HTTP/1.1\r\nHost: mark.example\r\nConnection: close\r\n\r\n`);
    const ids = new Set<number>();
    let isThere = false;
    for (let look = 0; look < looksMax; look++) {
      for (const { transaction } of this.#readLines()) {
        if (transaction.request.uri === mark) return isThere ? ids : undefined;
        isThere = true;
        for (const { details } of transaction.messages ?? [])
          if (isCompared(Number(details.ruleId))) ids.add(Number(details.ruleId));
      }
      await sleep(2);
    }
    throw new Error(`libmodsecurity has not written a line for ${mark}`);
  }

  #readLines(): readonly AuditLine[] {
    if (!existsSync(this.#path)) return [];
    const file = openSync(this.#path, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#position);
      this.#position += readSync(file, bytes, 0, bytes.length, this.#position);
      const lines = (this.#rest + bytes.toString('latin1')).split('\n');
      this.#rest = lines.pop()!;
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditLine);
    } finally {
      closeSync(file);
    }
  }
}
