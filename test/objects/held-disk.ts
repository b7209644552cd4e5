/** A disk whose syncs of the journal can be held back, one by one or all, and let go or made to fail. */
import { type FileSystem, type OpenFile, realFileSystem } from '#base';

export class HeldDisk implements FileSystem {
  #holding = false;
  #waiting: Array<PromiseWithResolvers<void>> = [];

  readonly rename = realFileSystem.rename;
  readonly renameSync = realFileSystem.renameSync;
  readonly unlink = realFileSystem.unlink;
  readonly unlinkSync = realFileSystem.unlinkSync;
  readonly readdirSync = realFileSystem.readdirSync;
  readonly mkdirSync = realFileSystem.mkdirSync;
  readonly fsyncDirectory = realFileSystem.fsyncDirectory;
  readonly fsyncDirectorySync = realFileSystem.fsyncDirectorySync;

  async open(path: string, mode: 'read' | 'edit' | 'create'): Promise<OpenFile> {
    return this.#wrap(await realFileSystem.open(path, mode));
  }

  openSync(path: string, mode: 'read' | 'edit' | 'create'): OpenFile {
    return this.#wrap(realFileSystem.openSync(path, mode));
  }

  /** How many syncs are held back now. */
  get held(): number {
    return this.#waiting.length;
  }

  hold(): void {
    this.#holding = true;
  }

  release(): void {
    this.#holding = false;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Makes the syncs that are held back fail; later ones succeed. */
  fail(): void {
    this.#holding = false;
    const error = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #wrap(file: OpenFile): OpenFile {
    return {
      path: file.path,
      read: (target, position) => file.read(target, position),
      readSync: (target, position) => file.readSync(target, position),
      write: (bytes, position) => file.write(bytes, position),
      writeSync: (bytes, position) => file.writeSync(bytes, position),
      fdatasync: async () => {
        if (this.#holding && file.path.includes('/journal/')) {
          const waiting = Promise.withResolvers<void>();
          this.#waiting.push(waiting);
          await waiting.promise;
        }
      },
      fsyncSync: () => file.fsyncSync(),
      truncateSync: (size) => file.truncateSync(size),
      sizeSync: () => file.sizeSync(),
      closeSync: () => file.closeSync(),
    };
  }
}
