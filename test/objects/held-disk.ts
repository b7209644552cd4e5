/**
 * A disk whose syncs of the journal, or reads of the tables, can be held back, and then released or made to fail. It
 * never really syncs: no test here cuts the power, and most would only wait for the disk. In a cluster, commits replace
 * syncs.
 */
import { type FileSystem, type OpenFile, realFileSystem } from '#files';

export class HeldDisk implements FileSystem {
  #holding: 'syncs' | 'reads' | undefined;
  #waiting: Array<PromiseWithResolvers<void>> = [];

  readonly rename = realFileSystem.rename;
  readonly renameSync = realFileSystem.renameSync;
  readonly unlink = realFileSystem.unlink;
  readonly unlinkSync = realFileSystem.unlinkSync;
  readonly readdirSync = realFileSystem.readdirSync;
  readonly mkdirSync = realFileSystem.mkdirSync;

  async open(path: string, mode: 'read' | 'edit' | 'create'): Promise<OpenFile> {
    return this.#wrap(await realFileSystem.open(path, mode));
  }

  openSync(path: string, mode: 'read' | 'edit' | 'create'): OpenFile {
    return this.#wrap(realFileSystem.openSync(path, mode));
  }

  async fsyncDirectory(): Promise<void> {}

  fsyncDirectorySync(): void {}

  /** How many operations are held back now. */
  get held(): number {
    return this.#waiting.length;
  }

  hold(what: 'syncs' | 'reads'): void {
    this.#holding = what;
  }

  release(): void {
    this.#holding = undefined;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Makes held operations fail; later ones succeed. */
  fail(): void {
    this.#holding = undefined;
    const error = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Waits while syncs are held back; rejects if they are made to fail. */
  async passSync(): Promise<void> {
    if (this.#holding === 'syncs') await this.#pass();
  }

  #wrap(file: OpenFile): OpenFile {
    return {
      path: file.path,
      read: async (target, position) => {
        if (this.#holding === 'reads' && file.path.includes('/tables/')) await this.#pass();
        return await file.read(target, position);
      },
      readSync: (target, position) => file.readSync(target, position),
      write: (bytes, position) => file.write(bytes, position),
      writeSync: (bytes, position) => file.writeSync(bytes, position),
      fdatasync: async () => {
        if (file.path.includes('/journal/')) await this.passSync();
      },
      fsyncSync: () => {},
      truncateSync: (size) => file.truncateSync(size),
      sizeSync: () => file.sizeSync(),
      closeSync: () => file.closeSync(),
    };
  }

  async #pass(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    await waiting.promise;
  }
}
