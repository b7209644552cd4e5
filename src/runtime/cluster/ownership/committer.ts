/**
 * Sends the writes of all objects of this host, many in one statement.
 *
 * Promises:
 * - writes of one object are committed in order, and none after one that was not;
 * - a write is acknowledged only if it is certain to be in the log, written by this host. If an answer is lost, the
 *   object is claimed again, which makes the lost statement harmless if it is still in transit, and reveals its
 *   outcome. Reading the head alone would not: the statement may arrive later, or wait for a lock;
 * - a write that is certain not to have been done is sent again, as long as this host has the object.
 */
import { BackOff } from '#base';
import type { CommitQueue } from '#journal';
import type { LogDay } from '#objects';
import { ClaimLostError, createLeaseError, DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import {
  commitBytesMax,
  commitsInFlightMax,
  objectsPerCommitMax,
  retryMsMax,
  retryMsMin,
} from '../limits.ts';
import type { Claim, PendingWrite } from './claim.ts';
import { dayOf } from './log-day.ts';
import type { LeaseDatabase, Write } from './lease-database.ts';
import type { Membership } from './membership.ts';

const retryDelays = { msMin: retryMsMin, msMax: retryMsMax };

interface SentCommit {
  readonly claim: Claim;
  readonly write: PendingWrite;
  readonly epoch: number;
}

export interface CommitterParts {
  readonly database: Pick<LeaseDatabase, 'claim' | 'commit' | 'createDay'>;
  readonly membership: Pick<Membership, 'id' | 'holds' | 'renew'>;
  readonly clock: LeaseClock;
  /** How long a write waits for a database that does not respond. */
  readonly waitMs: number;
}

export class Committer implements CommitQueue {
  readonly #parts: CommitterParts;
  /** Claims with a write to send. */
  readonly #ready = new Set<Claim>();
  readonly #unsettled = new Set<Promise<void>>();
  readonly #days = new Set<LogDay>();
  #inFlight = 0;
  #isPumping = false;
  #whenFree: (() => void) | undefined;
  #failures = 0;
  readonly #backOff = new BackOff(retryDelays);

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#inFlight >= commitsInFlightMax;
  }

  get failures(): number {
    return this.#failures;
  }

  whenFree(callback: () => void): void {
    this.#whenFree = callback;
  }

  async flush(): Promise<void> {
    await Promise.all(this.#unsettled);
  }

  async probe(): Promise<void> {
    const { membership } = this.#parts;
    if (!membership.holds) await membership.renew();
    if (!membership.holds) throw createLeaseError();
  }

  append(claim: Claim, write: Omit<PendingWrite, 'since' | 'done'>): Promise<void> {
    if (claim.lost !== undefined) return Promise.reject(claim.lost);
    const done = Promise.withResolvers<void>();
    claim.waiting.push({ ...write, since: this.#parts.clock.now(), done });
    const { promise } = done;
    this.#unsettled.add(promise);
    const settle = (): void => void this.#unsettled.delete(promise);
    promise.then(settle, () => {
      this.#failures++;
      settle();
    });
    this.#offer(claim);
    return promise;
  }

  #offer(claim: Claim): void {
    if (claim.isSending || claim.waiting.length === 0) return;
    this.#ready.add(claim);
    if (this.#isPumping) return;
    this.#isPumping = true;
    // Records appended in the same turn share a statement.
    queueMicrotask(() => this.#pump());
  }

  #pump(): void {
    this.#isPumping = false;
    while (this.#ready.size > 0 && !this.busy) {
      const batch = this.#take();
      if (batch.length === 0) return;
      this.#inFlight++;
      void this.#send(batch).finally(() => {
        this.#inFlight--;
        const free = this.#whenFree;
        this.#whenFree = undefined;
        free?.();
        this.#pump();
      });
    }
  }

  #take(): SentCommit[] {
    const batch: SentCommit[] = [];
    let bytes = 0;
    for (const claim of this.#ready) {
      const [write] = claim.waiting;
      if (write === undefined) {
        this.#ready.delete(claim);
        continue;
      }
      bytes += write.payload.length;
      if (batch.length > 0 && bytes > commitBytesMax) break;
      this.#ready.delete(claim);
      claim.isSending = true;
      batch.push({ claim, write, epoch: claim.epoch });
      if (batch.length === objectsPerCommitMax) break;
    }
    // The same order everywhere, so that statements never deadlock.
    return batch.toSorted((a, b) => (a.claim.object < b.claim.object ? -1 : 1));
  }

  async #send(batch: readonly SentCommit[]): Promise<void> {
    const { database, membership } = this.#parts;
    const day = dayOf(batch.reduce((latest, { write }) => Math.max(latest, write.time), 0));
    try {
      if (!this.#days.has(day)) await database.createDay(day);
      this.#days.add(day);
      const answer = await database.commit(membership.id, day, batch.map(toWrite));
      this.#backOff.reset();
      if (!answer.isLeased) {
        await membership.renew();
        return await this.#sendAgain(batch, createLeaseError());
      }
      for (const [index, sent] of batch.entries()) {
        if (answer.done[index] === true) this.#acknowledge(sent);
        else this.#giveUp(sent.claim, new ClaimLostError());
      }
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (error.reason === 'no-table') this.#days.delete(day);
      if (error.outcome === 'unknown') for (const sent of batch) void this.#findOut(sent, error);
      else if (error.reason === 'refused') for (const { claim } of batch) this.#giveUp(claim, error);
      else await this.#sendAgain(batch, error);
    }
  }

  /** None of the batch was done. */
  async #sendAgain(batch: readonly SentCommit[], cause: DatabaseError): Promise<void> {
    await this.#pause(this.#backOff);
    for (const { claim, write } of batch) {
      if (this.#isTooLate(write)) this.#giveUp(claim, cause);
      else this.#release(claim);
    }
  }

  /** Determines the outcome of a write whose answer was lost. */
  async #findOut({ claim, write, epoch }: SentCommit, cause: DatabaseError): Promise<void> {
    const { database, membership } = this.#parts;
    const backOff = new BackOff(retryDelays);
    while (!claim.isLost) {
      try {
        const answer = await database.claim(membership.id, claim.object);
        if (claim.isLost) return;
        if (answer.result === 'claimed') {
          claim.epoch = answer.epoch;
          const { sequence, wrote } = answer;
          if (sequence === write.sequence && wrote === epoch)
            return this.#acknowledge({ claim, write, epoch });
          if (sequence === write.sequence - 1) return this.#release(claim);
          return this.#giveUp(claim, new ClaimLostError());
        }
        if (answer.result === 'elsewhere') return this.#giveUp(claim, new ClaimLostError());
        await membership.renew();
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
      }
      // The host that wakes the object next claims it, which determines the outcome.
      if (this.#isTooLate(write)) return this.#giveUp(claim, cause);
      await this.#pause(backOff);
    }
  }

  #acknowledge({ claim, write }: SentCommit): void {
    if (claim.waiting[0] !== write) return;
    claim.waiting.shift();
    write.done.resolve();
    this.#release(claim);
  }

  #release(claim: Claim): void {
    claim.isSending = false;
    this.#offer(claim);
  }

  #giveUp(claim: Claim, cause: Error): void {
    claim.isSending = false;
    this.#ready.delete(claim);
    claim.lose(cause);
  }

  #isTooLate(write: PendingWrite): boolean {
    return this.#parts.clock.now() - write.since > this.#parts.waitMs;
  }

  #pause(backOff: BackOff): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.setTimer(backOff.next(), resolve));
  }
}

function toWrite({ claim, write, epoch }: SentCommit): Write {
  const { sequence, time, payload, name, alarm } = write;
  return { object: claim.object, epoch, sequence, time, payload, name, alarm };
}
