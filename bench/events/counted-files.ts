/** The real file system, with the bytes counted that are written to each part of a directory. */
import { type FileSystem, type OpenFile, realFileSystem } from '../../src/foundation/files.ts';

export class CountedFiles {
  readonly written = new Map<string, number>();
  readonly fs: FileSystem;
  readonly #nameOf: (path: string) => string;

  constructor(nameOf: (path: string) => string) {
    this.#nameOf = nameOf;
    this.fs = {
      ...realFileSystem,
      open: async (path, mode) => this.#count(await realFileSystem.open(path, mode)),
      openSync: (path, mode) => this.#count(realFileSystem.openSync(path, mode)),
    };
  }

  #count(file: OpenFile): OpenFile {
    const add = ({ length }: Uint8Array): void => {
      const name = this.#nameOf(file.path);
      this.written.set(name, (this.written.get(name) ?? 0) + length);
    };
    return {
      path: file.path,
      read: (target, position) => file.read(target, position),
      readSync: (target, position) => file.readSync(target, position),
      write: (bytes, position) => (add(bytes), file.write(bytes, position)),
      writeSync: (bytes, position) => (add(bytes), file.writeSync(bytes, position)),
      fdatasync: () => file.fdatasync(),
      fsyncSync: () => file.fsyncSync(),
      truncateSync: (size) => file.truncateSync(size),
      sizeSync: () => file.sizeSync(),
      closeSync: () => file.closeSync(),
    };
  }
}
