/**
 * The writes of an object that are not yet durable.
 *
 * A *turn* is one entry into the object (an event, a timer, an answer, a section) with all the microtasks that follow
 * from it. When these have run, the storage commits what the turn wrote, whether or not the disk is busy: no code of
 * the object ever runs inside the transaction of an earlier turn. A *record* comes later and may hold several turns
 * that have ended. The output gate opens for a turn when the record that holds it is durable.
 *
 * Invariants:
 * - A turn is committed whole or not at all, and before the object's next turn begins.
 * - Turns are recorded in order; a record holds only turns that have ended, and never a part of one.
 * - A batch is everything written since the last record. The open turn belongs to the newest batch.
 * - A transaction across turns is one turn: nothing of it is committed before it ends.
 * - If a turn or a record fails, the object is reset. Turns that had ended are still recorded, unless a record before
 *   them was lost.
 */
import { JournalWriteError } from '#journal';
import type { Recorded } from '../ledger/ledger.ts';
import type { OutputGate } from '../gates/output-gate.ts';
import { turnsPerRecordMax } from '../limits.ts';
import { constraintsViolatedError, writeFailedError } from '../errors.ts';

/** The part of a storage that commits. */
export interface CommittingStore {
  /** Commits what the turn wrote. Returns whether the storage needs a record at once. */
  endTurn(): boolean;
  /** Appends one record of the turns that have ended since the last one; undefined if they changed nothing. */
  record(): Recorded | undefined;
  /** Discards what an open turn wrote. */
  close(): void;
}

/** The object whose writes these are. */
interface WritingActor {
  readonly output: OutputGate;
  /** Why the object's life has ended, if it has; no further write is accepted then. */
  readonly ended: Error | undefined;
  readonly broken: Error | undefined;
  /** Counts work in progress, which keeps the object awake until `end`. */
  begin(): void;
  end(): void;
  break(cause: Error): void;
  /** Asks for a record of the turns that have ended. */
  scheduleRecord(): void;
  log(message: string, error?: unknown): void;
}

interface TurnBatch {
  readonly durable: PromiseWithResolvers<void>;
  /** Resolved when the batch has its position in the journal. */
  readonly recorded: PromiseWithResolvers<void>;
  /** How many of its turns have ended: zero if there is nothing to record. */
  turnsEnded: number;
  /** The value of `turnsEnded` at the last call of `takeNews`. */
  turnsSeen: number;
  /** A caller waits for it to be durable. */
  wanted: boolean;
  /** A caller waits for the state at the end of the open turn: nothing of a later turn may share its record. */
  awaited: boolean;
}

const microtask = Promise.resolve();

export class Writes {
  readonly #actor: WritingActor;
  #store: CommittingStore | undefined;
  #batch: TurnBatch | undefined;
  #newestDurable: Promise<void> | undefined;
  #transactions = 0;
  /** A turn that has written is open until it is committed; if it is confirmed, output waits for its writes. */
  #turn: 'clean' | 'unconfirmed' | 'confirmed' = 'clean';
  /** Whether the end of the microtasks is awaited (as it is for an open turn), and whether more was written since. */
  #watch: 'off' | 'waiting' | 'written' = 'off';

  constructor(actor: WritingActor) {
    this.#actor = actor;
  }

  /** Whether anything is written and not yet recorded. */
  get pending(): boolean {
    return this.#batch !== undefined;
  }

  /** Sets the storage that the writes go to; called before the first write. */
  use(store: CommittingStore): void {
    this.#store = store;
  }

  /** Called before each write: makes it part of the turn, and holds output until it is durable. */
  before({ confirmed = true }: { confirmed?: boolean } = {}): void {
    if (this.#actor.ended !== undefined) throw this.#actor.ended;
    // Inside a transaction nothing is promised yet: output waits only for what was written before it.
    if (this.#transactions > 0) return;
    const batch = this.#ensureBatch();
    if (this.#watch === 'off') this.#watchTurn();
    else this.#watch = 'written';
    if (this.#turn === 'clean') this.#turn = 'unconfirmed';
    if (!confirmed) return;
    this.#turn = 'confirmed';
    this.#actor.output.hold(batch.durable.promise);
  }

  #ensureBatch(): TurnBatch {
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

  /** Waits for the microtasks to run out: a tick that one of them requests runs only after all of them. */
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

  /** Calls `next` as a turn of its own, when the microtasks of this turn have run and it is committed. */
  afterTurn(next: () => void): void {
    void microtask.then(() => {
      process.nextTick(() => {
        if (this.#turn !== 'clean') this.afterTurn(next);
        else next();
      });
    });
  }

  /** Begins a transaction across turns: earlier writes are committed first, separately from it. */
  enterTransaction(): void {
    this.endTurn();
    if (this.#actor.broken !== undefined) throw this.#actor.broken;
    this.#transactions++;
  }

  /** Ends the transaction: its writes are committed, and output waits for them. */
  leaveTransaction(): void {
    this.#transactions--;
    if (this.#transactions > 0 || this.#actor.broken !== undefined) return;
    this.#turn = 'confirmed';
    this.#actor.output.hold(this.#ensureBatch().durable.promise);
    this.endTurn();
  }

  /** Ends the turn: its writes are committed, and a record is scheduled. */
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

  /** A caller waits for everything written so far to be durable. */
  want(): void {
    if (this.#batch !== undefined) this.#batch.wanted = true;
  }

  /** Whether a record would come too soon: no caller waits for it, and turns have ended since the last call. */
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
    // The open turn is not in the record.
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

  #followRecord(batch: TurnBatch, durable: Promise<void>): void {
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

  /** Resolves when everything written so far has its position in the journal, except an open transaction. */
  async recorded(): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined) return;
    batch.awaited = true;
    // If a turn is open, its end makes the record.
    if (this.#turn === 'clean') this.record();
    await batch.recorded.promise;
  }

  /** Resolves when everything written so far is durable, confirmed or not, except an open transaction. */
  async durable(): Promise<void> {
    this.want();
    await (this.#batch?.durable.promise ?? this.#newestDurable);
  }

  /** The object's life is over: turns that had ended are kept, the open one is not. */
  end(): void {
    const batch = this.#batch;
    this.#turn = 'clean';
    batch?.recorded.resolve();
    if (batch === undefined || batch.turnsEnded === 0) return;
    this.#batch = undefined;
    try {
      this.#store!.record();
    } catch (error) {
      // Nothing can be chained to a lost record; waiters for these turns get the failure.
      if (error instanceof JournalWriteError) return;
      this.#actor.log('the last writes of an object that was reset could not be kept', error);
    }
  }
}

function isConstraintViolation(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('SQLITE_CONSTRAINT');
}
