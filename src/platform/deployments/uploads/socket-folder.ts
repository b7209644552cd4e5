/**
 * The folder of the sockets through which the edge reaches Workers, in the temporary directory: the path of a socket
 * has at most 107 bytes, and a data directory can be anywhere. For uploaded Workers, the data directory contains its
 * path, so that a program that starts after a crash uses the same folder, and processes of the edge that have survived
 * the crash can continue to use it.
 */
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLiveEdgeSocket } from '#base';
import {
  createOwnedFolder,
  forgetWorkersStarted,
  noteWorkersStarted,
  readIfThere,
  takeOwnedFolder,
  writePrivateFile,
} from '#files';

const prefix = 'gatehouse-workers-';

/** The leading dot keeps it out of backups: a copy of the directory has no sockets. */
const noteName = '.worker-sockets';

export class SocketFolder implements Disposable {
  readonly path: string;
  readonly #note: string;

  private constructor(path: string, note: string) {
    this.path = path;
    this.#note = note;
  }

  static open(data: string): SocketFolder {
    const note = join(data, noteName);
    const [owner, noted] = readIfThere(note)?.split('\n') ?? [];
    // In a copy of the directory, the folder belongs to another program.
    if (noted !== undefined && owner === realpathSync(data) && takeOwnedFolder(noted)) {
      forgetWorkersStarted(noted);
      // Sockets of Workers that ended with the previous program; its processes of the edge may still be running.
      for (const name of readdirSync(noted))
        if (name.endsWith('.sock') && !isLiveEdgeSocket(name)) rmSync(join(noted, name), { force: true });
      return new SocketFolder(noted, note);
    }
    const path = createSocketFolder();
    writePrivateFile(note, `${realpathSync(data)}\n${path}\n`);
    return new SocketFolder(path, note);
  }

  /** Sockets exist for all Workers that start: from now on, requests for others are refused instead of waiting. */
  noteStarted(): void {
    noteWorkersStarted(this.path);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
    rmSync(this.#note, { force: true });
  }
}

/** A process of the edge may continue to use the folder of a killed program. */
export function createSocketFolder(): string {
  return createOwnedFolder(prefix, { isUsed: (folder) => readdirSync(folder).some(isLiveEdgeSocket) });
}
