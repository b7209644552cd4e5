/**
 * Standard output as a sink. A pipe, a socket or a terminal is written through Node's stream, which does not wait for
 * the reader. A file is written by its descriptor on another thread, because Node's stream would wait for the disk.
 */
import { fstatSync, write as writeToFile } from 'node:fs';
import { promisify } from 'node:util';
import type { LineSink } from './line-sink.ts';

const writeFile = promisify(writeToFile);
const descriptor = 1;

export class StdoutSink implements LineSink {
  readonly name = 'standard output';
  readonly #isFile = fstatSync(descriptor).isFile();

  async write(bytes: Buffer): Promise<void> {
    if (!this.#isFile) return this.#writeToStream(bytes);
    for (let at = 0; at < bytes.length;) at += (await writeFile(descriptor, bytes, at)).bytesWritten;
  }

  async reopen(): Promise<void> {}

  async close(): Promise<void> {}

  #writeToStream(bytes: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    return promise;
  }
}
