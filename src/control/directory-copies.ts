/**
 * The directories of object hosts, which follow that of the program. A host asks for a whole directory when it starts and
 * gets every change after it, in order. Nobody waits for a host: a call says how far the directory had come when it was
 * sent, and the host waits until its copy has come as far.
 */
import { RpcTarget } from '#objects';
import type { Directory, DirectoryMessage, DirectorySnapshot } from './context/directory.ts';

/** The name of the service. */
export const controlService = 'control';

/** What the program tells a host. */
export type HostMessage = DirectoryMessage | { readonly kind: 'ready' };

/** What a host starts with. */
export interface HostStart {
  readonly directory: DirectorySnapshot;
  /** Whether the program has loaded everything. */
  readonly isReady: boolean;
}

/** The other end, in a host. */
interface HostFollower {
  follow(message: HostMessage): Promise<void>;
}

interface FollowerStub extends HostFollower, Disposable {
  dup(): FollowerStub;
}

export class DirectoryCopies extends RpcTarget {
  readonly #directory: () => Directory;
  readonly #onChange: (objectName: string) => void;
  readonly #followers = new Set<FollowerStub>();
  #isReady = false;

  constructor(directory: () => Directory, onChange: (objectName: string) => void) {
    super();
    this.#directory = directory;
    this.#onChange = onChange;
  }

  /** Called by a host that starts. */
  start(follower: FollowerStub): HostStart {
    this.#followers.add(follower.dup());
    return { directory: this.#directory().takeSnapshot(), isReady: this.#isReady };
  }

  /** Called by a host when an object of it was written to. */
  changed(objectName: string): void {
    this.#onChange(objectName);
  }

  /** Lets hosts do work of their own: the directory is loaded. */
  static setReady(copies: DirectoryCopies): void {
    copies.#isReady = true;
    DirectoryCopies.tell(copies, { kind: 'ready' });
  }

  static tell(copies: DirectoryCopies, message: HostMessage): void {
    for (const follower of copies.#followers) {
      follower.follow(message).catch(() => {
        // The host has ended. The next one starts with a whole directory.
        copies.#followers.delete(follower);
        follower[Symbol.dispose]();
      });
    }
  }
}
