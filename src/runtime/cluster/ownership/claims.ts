import { BackOff } from '#base';
import { DatabaseError, ObjectElsewhereError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { claimLeases, retryMsMax, retryMsMin } from '../limits.ts';
import { Claim } from './claim.ts';
import type { ClaimAnswer, LeaseDatabase, ObjectKey } from './lease-database.ts';
import type { Membership } from './membership.ts';

/** Which host has an object: this one, another, or undefined if that is unknown. */
export type Reservation = { readonly host: string } | 'here' | undefined;

export interface Claimed {
  readonly claim: Claim;
  readonly answer: Extract<ClaimAnswer, { readonly result: 'claimed' }>;
}

/** The objects of this host. */
export class Claims {
  readonly #database: Pick<LeaseDatabase, 'claim'>;
  readonly #membership: Pick<Membership, 'id' | 'renew'>;
  readonly #clock: LeaseClock;
  readonly #waitMs: number;
  readonly #claims = new Map<ObjectKey, Claim>();
  /** Claims that were made before their objects are woken. */
  readonly #reserved = new Map<ObjectKey, Claimed>();
  readonly #reserving = new Map<ObjectKey, Promise<Reservation>>();
  readonly #claiming = new Map<ObjectKey, Promise<Claimed>>();

  constructor(parts: {
    readonly database: Pick<LeaseDatabase, 'claim'>;
    readonly membership: Pick<Membership, 'id' | 'renew'>;
    readonly clock: LeaseClock;
    readonly waitMs: number;
  }) {
    this.#database = parts.database;
    this.#membership = parts.membership;
    this.#clock = parts.clock;
    this.#waitMs = parts.waitMs;
  }

  get size(): number {
    return this.#claims.size;
  }

  has(object: ObjectKey): boolean {
    return this.#claims.get(object)?.isLost === false;
  }

  /**
   * Claims an object that no host had a moment ago, before it is woken: several hosts may place it at the same time.
   * Rejects if the database does not respond.
   */
  async reserve(object: ObjectKey): Promise<Reservation> {
    // The object is being woken, which may fail because another host has it.
    await this.#claiming.get(object)?.catch(() => {});
    if (this.has(object)) return 'here';
    const present = this.#reserving.get(object);
    if (present !== undefined) return await present;
    const reserving = this.#reserve(object).finally(() => this.#reserving.delete(object));
    this.#reserving.set(object, reserving);
    return await reserving;
  }

  async #reserve(object: ObjectKey): Promise<Reservation> {
    const host = this.#membership.id;
    const answer = await this.#database.claim(host, object);
    if (answer.result === 'elsewhere') return { host: answer.host };
    if (answer.result === 'unleased') await this.#membership.renew();
    // This host may have been declared dead meanwhile: then the claim belongs to no host.
    if (answer.result === 'unleased' || host !== this.#membership.id) return undefined;
    this.#reserved.set(object, { claim: this.#add(object, answer.epoch), answer });
    return 'here';
  }

  /**
   * Claims an object. If the host that has it is unresponsive, waits until that host is declared dead. If that host
   * responds, the object is elsewhere.
   */
  async claim(object: ObjectKey): Promise<Claimed> {
    const reserving = this.#reserving.get(object);
    if (reserving !== undefined) await reserving.catch(() => {});
    const reserved = this.#reserved.get(object);
    this.#reserved.delete(object);
    if (reserved?.claim.isLost === false) return reserved;
    const claiming = this.#claim(object);
    this.#claiming.set(object, claiming);
    try {
      return await claiming;
    } finally {
      this.#claiming.delete(object);
    }
  }

  async #claim(object: ObjectKey): Promise<Claimed> {
    const begunAt = this.#clock.now();
    const backOff = new BackOff({ msMin: retryMsMin, msMax: retryMsMax });
    let seen: Extract<ClaimAnswer, { readonly result: 'elsewhere' }> | undefined;
    for (;;) {
      const host = this.#membership.id;
      const answer = await this.#ask(host, object);
      const waited = this.#clock.now() - begunAt;
      if (answer instanceof DatabaseError) {
        if (waited > this.#waitMs) throw answer;
      } else if (answer.result === 'claimed') {
        // This host may have been declared dead meanwhile: then the claim belongs to no host.
        if (host === this.#membership.id) return { claim: this.#add(object, answer.epoch), answer };
      } else if (answer.result === 'elsewhere') {
        const isAlive = seen?.host === answer.host && seen.beat !== answer.beat;
        if (isAlive || waited > claimLeases * answer.leaseMs) throw new ObjectElsewhereError(answer.host);
        if (seen?.host !== answer.host) seen = answer;
      } else {
        await this.#membership.renew();
        if (waited > this.#waitMs)
          throw new DatabaseError('this host could not renew its lease', { outcome: 'no', reason: 'away' });
      }
      await new Promise<void>((resolve) => void this.#clock.setTimer(backOff.next(), resolve));
    }
  }

  /** Gives up a claim without pending writes. */
  release(claim: Claim, cause: Error): void {
    if (this.#claims.get(claim.object) === claim) this.#claims.delete(claim.object);
    claim.lose(cause);
  }

  /** Loses every claim at once. */
  loseAll(cause: Error): void {
    const claims = [...this.#claims.values()];
    this.#claims.clear();
    this.#reserved.clear();
    for (const claim of claims) claim.lose(cause);
  }

  async #ask(host: string, object: ObjectKey): Promise<ClaimAnswer | DatabaseError> {
    try {
      return await this.#database.claim(host, object);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.reason === 'refused') throw error;
      return error;
    }
  }

  #add(object: ObjectKey, epoch: number): Claim {
    const claim = new Claim(object, epoch);
    this.#claims.get(object)?.lose(new Error('the object was claimed again'));
    this.#claims.set(object, claim);
    return claim;
  }
}
