/**
 * What an object has written and is on its way to disk. The writes of a turn are one batch; it becomes one record when
 * the turn is committed, and opens the output gate when the record is durable. A transaction across turns is a
 * batch of its own. Should a batch fail, the object is reset.
 */
import type { JournalWriteError } from '#journal';
import type { Recorded } from '../ledger/ledger.ts';
import type { Actor } from './actor.ts';
import { constraintsViolatedError, writeFailedError } from './broken.ts';

/** The part of a storage that commits. */
export interface CommittingStore {
  /** The record of what was written since the last one, if anything was. */
  commit(): Recorded | undefined;
  /** Marks the end of a turn whose commit may wait for more; absent where committing costs next to nothing. */
  holdTurn?(): void;
  /** Undoes what was written since the last mark; answers whether anything before it is still to be committed. */
  dropTurn?(): boolean;
  close(): void;
}

interface Batch {
  readonly durable: PromiseWithResolvers<void>;
  /** Resolved when the batch has its place in the journal. */
  readonly recorded: PromiseWithResolvers<void>;
  /** Whether the end of the turn is going to be told. */
  scheduled: boolean;
  /** Somebody wants the state at the end of this turn: nothing of a later one may share its record. */
  awaited: boolean;
}

export class Writes {
  readonly #actor: Actor;
  #store: CommittingStore | undefined;
  #batch: Batch | undefined;
  #newestDurable: Promise<void> | undefined;
  #transactions = 0;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Whether anything is written and not yet committed. */
  get pending(): boolean {
    return this.#batch !== undefined;
  }

  /** Where it is written to; to be told before anything is. */
  use(store: CommittingStore): void {
    this.#store = store;
  }

  /** To be called before each write: gives it a batch, and holds the output until that is durable. */
  before({ confirmed = true }: { confirmed?: boolean } = {}): void {
    if (this.#actor.ended !== undefined) throw this.#actor.ended;
    const batch = this.#ensureBatch();
    // Inside a transaction nothing is promised yet: its words wait only for what was written before it.
    if (confirmed && this.#transactions === 0) this.#actor.output.hold(batch.durable.promise);
  }

  #ensureBatch(): Batch {
    if (this.#batch === undefined) {
      this.#batch = {
        durable: Promise.withResolvers(),
        recorded: Promise.withResolvers(),
        scheduled: false,
        awaited: false,
      };
      this.#batch.durable.promise.catch(() => {});
      this.#actor.begin();
    }
    if (!this.#batch.scheduled && this.#transactions === 0) {
      this.#batch.scheduled = true;
      this.#actor.parts.scheduleCommit(this.#actor);
    }
    return this.#batch;
  }

  /** A transaction across turns begins: what was written before it is committed first, apart from it. */
  enterTransaction(): void {
    if (this.#actor.broken !== undefined) throw this.#actor.broken;
    if (this.#transactions === 0) this.commitTurn();
    this.#transactions++;
  }

  /** The transaction is over; what it left is committed as a batch of its own, and the output waits for it. */
  leaveTransaction(): void {
    this.#transactions--;
    if (this.#transactions > 0 || this.#actor.broken !== undefined) return;
    this.#actor.output.hold(this.#ensureBatch().durable.promise);
    this.commitTurn();
  }

  /** Ends the turn without committing it yet, if the storage can tell it from what follows. */
  holdTurn(): boolean {
    const batch = this.#batch;
    if (batch === undefined || batch.awaited || this.#actor.broken !== undefined || this.#transactions > 0)
      return false;
    if (this.#store?.holdTurn === undefined) return false;
    try {
      this.#store.holdTurn();
    } catch {
      // Committing meets the same trouble, and resets the object for it.
      return false;
    }
    batch.scheduled = false;
    return true;
  }

  /** Forgets what this turn has written and commits what the turns before it did. */
  dropTurn(): void {
    if (this.#store?.dropTurn?.() === true) this.commitTurn();
  }

  /** Ends the turn: what was written becomes one record. */
  commitTurn(): void {
    const batch = this.#batch;
    if (batch === undefined || this.#actor.broken !== undefined || this.#transactions > 0) return;
    this.#batch = undefined;
    let recorded: Recorded | undefined;
    try {
      recorded = this.#store!.commit();
    } catch (error) {
      batch.recorded.resolve();
      this.#actor.end();
      this.#actor.break(
        isConstraintViolation(error) ? constraintsViolatedError(error) : writeFailedError(error as Error),
      );
      return;
    }
    batch.recorded.resolve();
    const durable = recorded?.durable ?? this.#newestDurable ?? Promise.resolve();
    this.#newestDurable = durable;
    durable.then(
      () => {
        if (this.#newestDurable === durable) this.#newestDurable = undefined;
        batch.durable.resolve();
        this.#actor.end();
      },
      (error: JournalWriteError) => {
        this.#actor.end();
        const cause = writeFailedError(error);
        this.#actor.break(cause);
        batch.durable.reject(cause);
      },
    );
  }

  /** Resolves when everything written so far has its place in the journal. */
  async recorded(): Promise<void> {
    const batch = this.#settlingBatch;
    if (batch === undefined) return;
    batch.awaited = true;
    // Turns that were held have ended: there is no later moment to wait for.
    if (!batch.scheduled) this.commitTurn();
    await batch.recorded.promise;
  }

  /** Resolves when everything written so far is durable, confirmed or not. */
  async durable(): Promise<void> {
    await (this.#settlingBatch?.durable.promise ?? this.#newestDurable);
  }

  /** The batch that ends with this turn. A transaction's does not: whoever waits for it inside waits for himself. */
  get #settlingBatch(): Batch | undefined {
    return this.#transactions === 0 ? this.#batch : undefined;
  }

  /** The object's life is over: turns that had ended are kept even if their commit was still to come. */
  end(): void {
    this.#batch?.recorded.resolve();
    if (this.#transactions > 0) return;
    try {
      if (this.#store?.dropTurn?.() === true) this.#store.commit();
    } catch (error) {
      this.#actor.parts.log('the last writes of an object that was reset could not be kept', error);
    }
  }
}

function isConstraintViolation(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('SQLITE_CONSTRAINT');
}
