/** Appends batches to a file, with rotation and a size limit. */
import { RotatedFile } from '#files';
import type { Batch, Sink } from './sink.ts';

export class FileSink implements Sink {
  readonly #file: RotatedFile;

  constructor(file: RotatedFile) {
    this.#file = file;
  }

  send({ lines }: Batch): Promise<void> {
    return this.#file.write(lines);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
