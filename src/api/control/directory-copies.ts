/**
 * The directories of object hosts, which are copies of the program's. A host requests a whole directory when it starts
 * and receives every later change, in order. Writes do not wait for a host: a call carries the position of the
 * directory when it was sent, and the host waits until its copy has reached that position.
 */
import type { CoreRules } from '#seclang';
import { RpcTarget } from '#objects';
import type { Directory, DirectoryMessage, DirectorySnapshot } from './context/directory.ts';
import { accountName } from './objects/account.ts';

/** The name of the service. */
export const controlService = 'control';

/** A message from the program to a host. */
export type HostMessage =
  | DirectoryMessage
  | { readonly kind: 'ready' }
  | { readonly kind: 'core-rules'; readonly rules: CoreRules | undefined };

/** The state that a host starts with. */
export interface HostStart {
  readonly directory: DirectorySnapshot;
  /** Whether the program has loaded everything. */
  readonly isReady: boolean;
  /** The OWASP rules in force. */
  readonly coreRules: CoreRules | undefined;
}

/** The follower in a host. */
interface HostFollower {
  follow(message: HostMessage): Promise<void>;
}

interface FollowerStub extends HostFollower, Disposable {
  dup(): FollowerStub;
}

interface CopyListeners {
  /** An object was written to. */
  readonly onChange: (objectName: string) => void;
  /** An object may have been written to: cached parts of it are read again. */
  readonly onLook: (objectName: string) => void;
}

export class DirectoryCopies extends RpcTarget {
  readonly #directory: () => Directory;
  readonly #listeners: CopyListeners;
  readonly #followers = new Set<FollowerStub>();
  #isReady = false;
  #coreRules: CoreRules | undefined;

  constructor(directory: () => Directory, listeners: CopyListeners) {
    super();
    this.#directory = directory;
    this.#listeners = listeners;
  }

  /** Called by a starting host. */
  start(follower: FollowerStub): HostStart {
    this.#followers.add(follower.dup());
    if (this.#isReady) this.#lookAgain();
    return {
      directory: this.#directory().takeSnapshot(),
      isReady: this.#isReady,
      coreRules: this.#coreRules,
    };
  }

  /** Called by a host when one of its objects was written to. */
  changed(objectName: string): void {
    this.#listeners.onChange(objectName);
  }

  /** Allows hosts to start their own work: the directory is loaded. */
  static setReady(copies: DirectoryCopies): void {
    copies.#isReady = true;
    DirectoryCopies.tell(copies, { kind: 'ready' });
  }

  /** Resolves when every host has them. */
  static async setCoreRules(copies: DirectoryCopies, rules: CoreRules | undefined): Promise<void> {
    copies.#coreRules = rules;
    await Promise.all(copies.#notifyAll({ kind: 'core-rules', rules }));
  }

  static tell(copies: DirectoryCopies, message: HostMessage): void {
    void Promise.all(copies.#notifyAll(message));
  }

  /** The host is restarted, and its predecessor may have died before it reported its last writes. */
  #lookAgain(): void {
    const { onLook } = this.#listeners;
    onLook(accountName);
    for (const zoneId of this.#directory().zones.keys()) onLook(zoneId);
  }

  #notifyAll(message: HostMessage): Promise<void>[] {
    return Array.from(this.#followers, (follower) =>
      follower.follow(message).catch(() => {
        // The host has ended. Its successor starts with the state of that time.
        this.#followers.delete(follower);
        follower[Symbol.dispose]();
      }),
    );
  }
}
