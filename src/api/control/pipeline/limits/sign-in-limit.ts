/**
 * Limits how often clients can try credentials. Failures are counted by address and, for an email address with its key,
 * by account; beyond a limit, attempts are refused until the window ends, even with correct credentials: otherwise the
 * limit would not stop guessing.
 *
 * No address is locked out for longer than a window, and an account under attack stays usable for its owner: an address
 * from which the account has signed in is not refused because of the failures of others, and tokens do not count by
 * account. Everything is in memory and bounded. Addresses of the API are counted separately (`RateLimit` in the
 * pipeline), because many programs can share one.
 */
import { RecentMap } from '#base';
import { signInsKnownMax } from '../../context/limits.ts';
import { type Allowance, RateLimit } from './rate-limit.ts';

export interface SignInAttempt {
  readonly address: string;
  /** The email address that is sent with a key. */
  readonly email: string | undefined;
  /** Whether this is a sign-in to the dashboard. */
  readonly isInteractive: boolean;
}

const windowMs = 5 * 60 * 1000;
/** People who copy credentials fail a few times. */
const failuresByAddressMax = 20;
/** Programs with an old key fail more often, and are harmless. */
const failuresByAccountMax = 50;

export class SignInLimit {
  readonly #addresses = new RateLimit('sign-in', { requests: failuresByAddressMax, windowMs });
  readonly #accounts = new RateLimit('sign-in', { requests: failuresByAccountMax, windowMs });
  /** Pairs of an account and an address from which it has signed in. */
  readonly #known = new RecentMap<string, true>({ sizeMax: signInsKnownMax });

  /** How long to wait if the attempt must be refused; otherwise undefined. */
  findRefusal(attempt: SignInAttempt, nowMs: number): Allowance | undefined {
    const { address, email, isInteractive } = attempt;
    const byAddress = isInteractive ? refuse(this.#addresses, address, nowMs) : undefined;
    if (byAddress !== undefined || email === undefined || this.isKnown(attempt)) return byAddress;
    return refuse(this.#accounts, email.toLowerCase(), nowMs);
  }

  /** Whether the account has signed in from this address. */
  isKnown(attempt: SignInAttempt): boolean {
    return attempt.email !== undefined && this.#known.has(toKey(attempt));
  }

  noteFailure({ address, email, isInteractive }: SignInAttempt, nowMs: number): void {
    if (isInteractive) this.#addresses.take(address, nowMs);
    if (email !== undefined) this.#accounts.take(email.toLowerCase(), nowMs);
  }

  noteSuccess(attempt: SignInAttempt): void {
    if (attempt.email !== undefined) this.#known.set(toKey(attempt), true);
  }
}

function refuse(limit: RateLimit, who: string, nowMs: number): Allowance | undefined {
  const allowance = limit.read(who, nowMs);
  return allowance.isOver ? allowance : undefined;
}

function toKey({ email = '', address }: SignInAttempt): string {
  return `${email.toLowerCase()} ${address}`;
}
