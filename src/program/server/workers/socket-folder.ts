/**
 * The folder of the sockets by which the edge reaches Workers, in the temporary directory: the path of a socket is at most
 * 107 bytes long, and a data directory can be anywhere. For uploaded Workers, the data directory notes it, so that a program
 * that starts after a crash has the same one, and processes of the edge that have outlived the crash go on to use it.
 */
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createOwnedFolder,
  forgetWorkersStarted,
  isLiveEdgeSocket,
  noteWorkersStarted,
  readIfThere,
  takeOwnedFolder,
  writePrivateFile,
} from '#base';

const prefix = 'gatehouse-workers-';

/** The dot keeps it out of backups: a copy of the directory has no sockets. */
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
    // In a copy of the directory, it is the folder of another program.
    if (noted !== undefined && owner === realpathSync(data) && takeOwnedFolder(noted)) {
      forgetWorkersStarted(noted);
      // Of Workers that have ended with the program before this one; its processes of the edge may live.
      for (const name of readdirSync(noted))
        if (name.endsWith('.sock') && !isLiveEdgeSocket(name)) rmSync(join(noted, name), { force: true });
      return new SocketFolder(noted, note);
    }
    const path = createSocketFolder();
    writePrivateFile(note, `${realpathSync(data)}\n${path}\n`);
    return new SocketFolder(path, note);
  }

  /** All Workers have sockets that will: requests for others are refused from now on, and do not wait. */
  noteStarted(): void {
    noteWorkersStarted(this.path);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
    rmSync(this.#note, { force: true });
  }
}

/** Of a program that was killed, a process of the edge may go on to use its folder. */
export function createSocketFolder(): string {
  return createOwnedFolder(prefix, { isUsed: (folder) => readdirSync(folder).some(isLiveEdgeSocket) });
}
