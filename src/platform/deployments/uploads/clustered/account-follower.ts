/** Applies the deployments in the account, as soon as a change in progress is done, or after a while. */
import type { Log } from '#base';
import { pausedMsMax } from '../../limits.ts';

interface FollowOptions {
  /** Whether a caller waits for it: this also includes a version that makes room for another one. */
  readonly isAsked: boolean;
}

export class AccountFollower {
  readonly #follow: (options: FollowOptions) => Promise<void>;
  readonly #log: Log;

  constructor(follow: (options: FollowOptions) => Promise<void>, log: Log) {
    this.#follow = follow;
    this.#log = log;
  }

  soon(options: FollowOptions): void {
    this.#follow(options).catch((error: unknown) => {
      this.#log.warn('could not read what is deployed; trying again', { error });
      this.later();
    });
  }

  later(): NodeJS.Timeout {
    return setTimeout(() => this.soon({ isAsked: true }), pausedMsMax).unref();
  }
}
