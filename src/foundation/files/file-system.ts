/**
 * Files as a dependency. Everything that Gatehouse must not lose goes through a `FileSystem`, so that a test can record
 * every write, sync, rename and unlink, replay any prefix of them, and make any of them fail.
 *
 * The interface has only what a log and a store of immutable files need. Reads and writes are positional: a write either
 * takes all its bytes or rejects, and a read is short only at the end of the file. Functions whose names end in `Sync` block
 * the event loop, all others run on the thread pool. Nothing is durable before the sync that covers it has returned:
 * `fdatasync` for contents and length, `fsyncDirectory` for names (a file that was created, renamed or unlinked).
 *
 * Every error names the file, in `path` and in the message, even if the system's error does not.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { fdatasync, fsync, fsyncSync } from './syncing/sync.ts';

/** `read`: the file must exist. `edit`: it must exist and is opened for reading and writing. `create`: it must not exist. */
export type OpenMode = 'read' | 'edit' | 'create';

export interface OpenFile {
  readonly path: string;
  /** Fills `target` from `position` on and returns how many bytes were read. */
  read(target: Uint8Array, position: number): Promise<number>;
  readSync(target: Uint8Array, position: number): number;
  write(bytes: Uint8Array, position: number): Promise<void>;
  writeSync(bytes: Uint8Array, position: number): void;
  fdatasync(): Promise<void>;
  fsyncSync(): void;
  /** Cuts the file, or extends it with zeros. */
  truncateSync(size: number): void;
  sizeSync(): number;
  closeSync(): void;
}

export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  openSync(path: string, mode: OpenMode): OpenFile;
  /** Replaces `to` if it exists. */
  rename(from: string, to: string): Promise<void>;
  renameSync(from: string, to: string): void;
  unlink(path: string): Promise<void>;
  unlinkSync(path: string): void;
  /** The names in a directory, sorted. */
  readdirSync(path: string): string[];
  /** Creates one directory, whose parent must exist. Returns whether it is new. */
  mkdirSync(path: string): boolean;
  fsyncDirectory(path: string): Promise<void>;
  fsyncDirectorySync(path: string): void;
}

const flags: Record<OpenMode, number> = {
  read: fs.constants.O_RDONLY,
  edit: fs.constants.O_RDWR,
  create: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL,
};

class RealFile implements OpenFile {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
  }

  read(target: Uint8Array, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const continueFrom = (done: number): void => {
        fs.read(this.#descriptor, target, done, target.length - done, position + done, (error, count) => {
          if (error !== null) return reject(this.#addPath(error));
          if (count === 0 || done + count === target.length) return resolve(done + count);
          continueFrom(done + count);
        });
      };
      continueFrom(0);
    });
  }

  readSync(target: Uint8Array, position: number): number {
    let done = 0;
    while (done < target.length) {
      const length = target.length - done;
      const count = this.#withPath(() =>
        fs.readSync(this.#descriptor, target, done, length, position + done),
      );
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  write(bytes: Uint8Array, position: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const continueFrom = (done: number): void => {
        fs.write(this.#descriptor, bytes, done, bytes.length - done, position + done, (error, count) => {
          if (error !== null) return reject(this.#addPath(error));
          if (done + count === bytes.length) return resolve();
          continueFrom(done + count);
        });
      };
      continueFrom(0);
    });
  }

  writeSync(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length;) {
      const length = bytes.length - done;
      done += this.#withPath(() => fs.writeSync(this.#descriptor, bytes, done, length, position + done));
    }
  }

  fdatasync(): Promise<void> {
    return fdatasync(this.#descriptor).catch((error: NodeJS.ErrnoException) => {
      throw this.#addPath(error);
    });
  }

  fsyncSync(): void {
    this.#withPath(() => fsyncSync(this.#descriptor));
  }

  truncateSync(size: number): void {
    this.#withPath(() => fs.ftruncateSync(this.#descriptor, size));
  }

  sizeSync(): number {
    return fs.fstatSync(this.#descriptor).size;
  }

  closeSync(): void {
    fs.closeSync(this.#descriptor);
  }

  #withPath<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#addPath(error as NodeJS.ErrnoException);
    }
  }

  #addPath(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
    if (error.path !== undefined) return error;
    error.path = this.path;
    error.message = `${error.message} '${this.path}'`;
    return error;
  }
}

export const realFileSystem: FileSystem = {
  async open(path, mode) {
    return new RealFile(path, await promisify(fs.open)(path, flags[mode], 0o600));
  },
  openSync: (path, mode) => new RealFile(path, fs.openSync(path, flags[mode], 0o600)),
  rename: fs.promises.rename,
  renameSync: fs.renameSync,
  unlink: fs.promises.unlink,
  unlinkSync: fs.unlinkSync,
  readdirSync: (path) => fs.readdirSync(path).sort(),
  mkdirSync(path) {
    try {
      fs.mkdirSync(path, 0o700);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    }
  },
  async fsyncDirectory(path) {
    const directory = await fs.promises.open(path, 'r');
    try {
      await fsync(directory.fd);
    } finally {
      await directory.close();
    }
  },
  fsyncDirectorySync(path) {
    const descriptor = fs.openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  },
};

/**
 * Creates an empty file for its owner only, unless there is one. SQLite lets the umask decide about files that it creates,
 * and gives a journal or a log the mode of its database.
 */
export function touchPrivateFile(path: string): void {
  fs.closeSync(fs.openSync(path, 'a', 0o600));
}
