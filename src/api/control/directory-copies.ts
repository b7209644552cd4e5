/**
 * The directories of object hosts, which follow that of the program. A host asks for a whole directory when it starts and
 * gets every change after it, in order. Writes do not wait for a host: a call says how far the directory had come when it
 * was sent, and the host waits until its copy has come as far.
 */
import type { CoreRules } from '#seclang';
import { RpcTarget } from '#objects';
import type { Directory, DirectoryMessage, DirectorySnapshot } from './context/directory.ts';
import { accountName } from './objects/account.ts';

/** The name of the service. */
export const controlService = 'control';

/** What the program tells a host. */
export type HostMessage =
  | DirectoryMessage
  | { readonly kind: 'ready' }
  | { readonly kind: 'core-rules'; readonly rules: CoreRules | undefined };

/** What a host starts with. */
export interface HostStart {
  readonly directory: DirectorySnapshot;
  /** Whether the program has loaded everything. */
  readonly isReady: boolean;
  /** The OWASP rules that are in force. */
  readonly coreRules: CoreRules | undefined;
}

/** The other end, in a host. */
interface HostFollower {
  follow(message: HostMessage): Promise<void>;
}

interface FollowerStub extends HostFollower, Disposable {
  dup(): FollowerStub;
}

interface CopyListeners {
  /** An object was written to. */
  readonly onChange: (objectName: string) => void;
  /** An object may have been written to, and is read again where something of it is remembered. */
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

  /** Called by a host that starts. */
  start(follower: FollowerStub): HostStart {
    this.#followers.add(follower.dup());
    if (this.#isReady) this.#lookAgain();
    return {
      directory: this.#directory().takeSnapshot(),
      isReady: this.#isReady,
      coreRules: this.#coreRules,
    };
  }

  /** Called by a host when an object of it was written to. */
  changed(objectName: string): void {
    this.#listeners.onChange(objectName);
  }

  /** Lets hosts do work of their own: the directory is loaded. */
  static setReady(copies: DirectoryCopies): void {
    copies.#isReady = true;
    DirectoryCopies.tell(copies, { kind: 'ready' });
  }

  /** Resolves when every host has them. */
  static async setCoreRules(copies: DirectoryCopies, rules: CoreRules | undefined): Promise<void> {
    copies.#coreRules = rules;
    await Promise.all(copies.#tellAll({ kind: 'core-rules', rules }));
  }

  static tell(copies: DirectoryCopies, message: HostMessage): void {
    void Promise.all(copies.#tellAll(message));
  }

  /** The host is started again, and the one before it may have ended before it told of what it wrote last. */
  #lookAgain(): void {
    const { onLook } = this.#listeners;
    onLook(accountName);
    for (const zoneId of this.#directory().zones.keys()) onLook(zoneId);
  }

  #tellAll(message: HostMessage): Promise<void>[] {
    return Array.from(this.#followers, (follower) =>
      follower.follow(message).catch(() => {
        // The host has ended. The next one starts with everything as it is then.
        this.#followers.delete(follower);
        follower[Symbol.dispose]();
      }),
    );
  }
}
