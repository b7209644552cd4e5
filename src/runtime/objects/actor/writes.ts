/**
 * What an object has written and is on its way to disk.
 *
 * A *turn* is one entry into the object (an event, a timer, an answer that comes back, a section) with all the
 * microtasks that follow from it. When they have run out, the storage commits what the turn wrote, whether or not the disk
 * is busy: no code of the object ever runs inside the transaction of an earlier turn. A *record* comes later and may hold
 * several turns that have ended. The output gate opens for a turn when the record that holds it is durable.
 *
 * Invariants:
 * - A turn is committed whole or not at all, and before the object's next turn begins.
 * - Turns are recorded in order; a record holds only turns that have ended, and never a part of one.
 * - A batch is everything written since the last record. The turn that is open belongs to the newest batch.
 * - A transaction across turns is one turn: nothing of it is committed before it ends.
 * - Should a turn or a record fail, the object is reset. Turns that had ended are recorded all the same, unless
 *   a record before them was lost.
 */
import { JournalWriteError } from '#journal';
import type { Recorded } from '../ledger/ledger.ts';
import type { OutputGate } from '../gates/output-gate.ts';
import { turnsPerRecordMax } from '../limits.ts';
import { constraintsViolatedError, writeFailedError } from '../errors.ts';

/** The part of a storage that commits. */
export interface CommittingStore {
  /** Commits what the turn wrote. Answers whether the storage needs a record at once. */
  endTurn(): boolean;
  /** Appends one record of the turns that have ended since the last one; undefined if they changed nothing. */
  record(): Recorded | undefined;
  /** What a turn that has not ended wrote is gone. */
  close(): void;
}

/** The object whose writes these are. */
interface WritingActor {
  readonly output: OutputGate;
  /** Why the object has ended, if it has; nothing more may be written then. */
  readonly ended: Error | undefined;
  readonly broken: Error | undefined;
  /** Something is under way that keeps the object awake, until `end`. */
  begin(): void;
  end(): void;
  break(cause: Error): void;
  /** Asks for a record of the turns that have ended. */
  scheduleRecord(): void;
  log(message: string, error?: unknown): void;
}

interface Batch {
  readonly durable: PromiseWithResolvers<void>;
  /** Resolved when the batch has its place in the journal. */
  readonly recorded: PromiseWithResolvers<void>;
  /** How many turns of it have ended: zero if there is nothing to record. */
  turnsEnded: number;
  /** How many had when it was last asked whether there are more. */
  turnsSeen: number;
  /** Somebody waits for it to be durable. */
  wanted: boolean;
  /** Somebody wants the state at the end of the turn that is open: nothing of a later one may share its record. */
  awaited: boolean;
}

const microtask = Promise.resolve();

export class Writes {
  readonly #actor: WritingActor;
  #store: CommittingStore | undefined;
  #batch: Batch | undefined;
  #newestDurable: Promise<void> | undefined;
  #transactions = 0;
  /** A turn that has written is open until it is committed; if it is confirmed, the output waits for what it wrote. */
  #turn: 'clean' | 'unconfirmed' | 'confirmed' = 'clean';
  /** The end of the microtasks: not waited for, waited for, or waited for with something written since. An open turn is. */
  #watch: 'off' | 'waiting' | 'written' = 'off';

  constructor(actor: WritingActor) {
    this.#actor = actor;
  }

  /** Whether anything is written and not yet recorded. */
  get pending(): boolean {
    return this.#batch !== undefined;
  }

  /** Where it is written to; to be told before anything is. */
  use(store: CommittingStore): void {
    this.#store = store;
  }

  /** To be called before each write: makes it part of the turn, and holds the output until that is durable. */
  before({ confirmed = true }: { confirmed?: boolean } = {}): void {
    if (this.#actor.ended !== undefined) throw this.#actor.ended;
    // Inside a transaction nothing is promised yet: its words wait only for what was written before it.
    if (this.#transactions > 0) return;
    const batch = this.#ensureBatch();
    if (this.#watch === 'off') this.#watchTurn();
    else this.#watch = 'written';
    if (this.#turn === 'clean') this.#turn = 'unconfirmed';
    if (!confirmed) return;
    this.#turn = 'confirmed';
    this.#actor.output.hold(batch.durable.promise);
  }

  #ensureBatch(): Batch {
    if (this.#batch === undefined) {
      this.#batch = {
        durable: Promise.withResolvers(),
        recorded: Promise.withResolvers(),
        turnsEnded: 0,
        turnsSeen: 0,
        wanted: false,
        awaited: false,
      };
      this.#batch.durable.promise.catch(() => {});
      this.#actor.begin();
    }
    return this.#batch;
  }

  /**
   * Waits for the microtasks to run out: what Node calls a tick begins when they have, if it was asked for by one of
   * them.
   */
  #watchTurn(): void {
    this.#watch = 'waiting';
    void microtask.then(this.#askForTick);
  }

  readonly #askForTick = (): void => {
    this.#watch = 'waiting';
    process.nextTick(this.#onTick);
  };

  readonly #onTick = (): void => {
    const isWritten = this.#watch === 'written';
    this.#watch = 'off';
    if (this.#turn === 'clean') return;
    // Another tick may have run just before this one and written; its own microtasks are still to come.
    if (isWritten) this.#watchTurn();
    else this.endTurn();
  };

  /** Calls `next` as a turn of its own, when the microtasks of this one have run out and it is committed. */
  afterTurn(next: () => void): void {
    void microtask.then(() => {
      process.nextTick(() => {
        if (this.#turn !== 'clean') this.afterTurn(next);
        else next();
      });
    });
  }

  /** A transaction across turns begins: what was written before it is committed first, apart from it. */
  enterTransaction(): void {
    this.endTurn();
    if (this.#actor.broken !== undefined) throw this.#actor.broken;
    this.#transactions++;
  }

  /** The transaction is over; what it left is committed, and the output waits for it. */
  leaveTransaction(): void {
    this.#transactions--;
    if (this.#transactions > 0 || this.#actor.broken !== undefined) return;
    this.#turn = 'confirmed';
    this.#actor.output.hold(this.#ensureBatch().durable.promise);
    this.endTurn();
  }

  /** Ends the turn: what it wrote is committed, and is going to be recorded. */
  endTurn(): void {
    if (this.#turn === 'clean' || this.#transactions > 0) return;
    this.#turn = 'clean';
    const batch = this.#batch!;
    let urgent: boolean;
    try {
      urgent = this.#store!.endTurn();
    } catch (error) {
      this.#fail(error);
      return;
    }
    batch.turnsEnded++;
    if (urgent || batch.awaited || batch.turnsEnded === turnsPerRecordMax) this.record();
    else if (batch.turnsEnded === 1) this.#actor.scheduleRecord();
  }

  /** Somebody waits for what is written so far to be durable. */
  want(): void {
    if (this.#batch !== undefined) this.#batch.wanted = true;
  }

  /** Whether a record would come too soon: no caller waits for it, and turns have ended since this was last asked. */
  takeNews(): boolean {
    const batch = this.#batch;
    if (batch === undefined || batch.wanted || batch.turnsSeen === batch.turnsEnded) return false;
    batch.turnsSeen = batch.turnsEnded;
    return true;
  }

  /** Makes one record of the turns that have ended. */
  record(): void {
    const batch = this.#batch;
    if (batch === undefined || batch.turnsEnded === 0 || this.#actor.broken !== undefined) return;
    this.#batch = undefined;
    // The turn that is open is not in the record.
    if (this.#turn !== 'clean') {
      const { durable } = this.#ensureBatch();
      if (this.#turn === 'confirmed') this.#actor.output.hold(durable.promise);
    }
    let recorded: Recorded | undefined;
    try {
      recorded = this.#store!.record();
    } catch (error) {
      batch.recorded.resolve();
      this.#actor.end();
      this.#fail(error);
      return;
    }
    batch.recorded.resolve();
    this.#followRecord(batch, recorded?.durable ?? this.#newestDurable ?? Promise.resolve());
  }

  #followRecord(batch: Batch, durable: Promise<void>): void {
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

  #fail(error: unknown): void {
    this.#actor.break(
      isConstraintViolation(error) ? constraintsViolatedError(error) : writeFailedError(error as Error),
    );
  }

  /** Resolves when everything written so far has its place in the journal, but for a transaction that is open. */
  async recorded(): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined) return;
    batch.awaited = true;
    // Otherwise the end of the turn does it.
    if (this.#turn === 'clean') this.record();
    await batch.recorded.promise;
  }

  /** Resolves when everything written so far is durable, confirmed or not, but for a transaction that is open. */
  async durable(): Promise<void> {
    this.want();
    await (this.#batch?.durable.promise ?? this.#newestDurable);
  }

  /** The object's life is over: turns that had ended are kept, the one that is open is not. */
  end(): void {
    const batch = this.#batch;
    this.#turn = 'clean';
    batch?.recorded.resolve();
    if (batch === undefined || batch.turnsEnded === 0) return;
    this.#batch = undefined;
    try {
      this.#store!.record();
    } catch (error) {
      // Nothing can be chained to a record that was lost: those who wait for these turns are told.
      if (error instanceof JournalWriteError) return;
      this.#actor.log('the last writes of an object that was reset could not be kept', error);
    }
  }
}

function isConstraintViolation(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('SQLITE_CONSTRAINT');
}
