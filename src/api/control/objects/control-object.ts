/**
 * A stateful object that answers operations of the API. It promises that an operation happens completely or not at all,
 * including its entries in the audit log, and that the response leaves after the write is on disk (the runtime's output
 * gate ensures that).
 *
 * Handlers are synchronous. Those that write run inside one transaction: a `Fault` that they throw rolls it back and
 * becomes the response; any other error also rolls it back, and the caller gets an internal error.
 *
 * Calls that arrive together share a transaction at first, because a transaction costs as much as the rows that most
 * calls write. If one of them fails, all are rolled back and repeated, each in a transaction of its own: no caller has
 * seen anything of the first attempt.
 */
import { assert } from '#base';
import { describeDiskRefusal } from '#files';
import { type DurableObjectState, keepTables, sqliteDiskRefusal } from '#objects';
import {
  Fault,
  fault,
  genericCodes,
  type Message,
  ok,
  type OperationId,
  type ObjectReply,
  operations,
  type Reply,
  type Result,
  writeFault,
  writeReply,
  type WrittenResponse,
} from '#contract';
import { Agenda, agendaTable, type Due } from './agenda.ts';
import {
  type AuditCheck,
  type AuditEnd,
  type AuditKeys,
  type AuditQuery,
  AuditTrail,
  auditTables,
  type Link,
  type ShownEntry,
} from '../stores/audit/audit-trail.ts';
import { createMissing } from '../context/tables/create-missing.ts';
import { system } from '../context/caller.ts';
import { createId } from '../context/ids.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import type { AnyHandlers, Call, Change, Context, Tasks } from '../context/handler.ts';
import { answerCharactersMax, batchedAnswerCharactersMax } from '../context/limits.ts';
import { LocatedObject } from './located-object.ts';

/** What an object makes of a handler's reply: the text for a client, or a value for this program. */
type Form<T> = (reply: Reply, messages: readonly Message[], version: string) => T;

/** The answer to one of several calls, or an error that is not a fault. */
type BatchedAnswer = WrittenResponse | { readonly failure: Error };

type Initiator = Pick<Call, 'actor' | 'versions' | 'tokenUses' | 'listReferences'> & {
  readonly operation: string;
};

/** A table with its indexes and triggers. */
interface Created {
  readonly creation: readonly string[];
}

/** The tables of a class beside those that every object of this room has. */
interface ObjectTables {
  readonly tables: readonly Created[];
  /** The tables that a restore does not change, besides the audit log. */
  readonly keptTables?: readonly string[];
}

/** Rolls back a transaction whose answers already exist. */
const undone = new Error('the transaction is rolled back');

export abstract class ControlObject<C extends Context> extends LocatedObject {
  readonly #audit: AuditTrail;
  readonly #agenda: Agenda;

  constructor(ctx: DurableObjectState, env: ControlEnvironment, { tables, keptTables = [] }: ObjectTables) {
    super(ctx, env);
    createMissing(
      ctx.storage.sql,
      [...auditTables, agendaTable, ...tables].flatMap(({ creation }) => creation),
    );
    this.#audit = new AuditTrail(ctx.storage.sql);
    this.#agenda = new Agenda(ctx.storage);
    this.#followRestore(keptTables);
  }

  /** Adds an entry if the object was restored to an earlier state since it was last awake, by whatever means. */
  #followRestore(keptTables: readonly string[]): void {
    const { storage, id } = this.ctx;
    const isNew = !keepTables(storage, ['audit', ...keptTables]);
    const rewind = this.#audit.findRewind({ isNew });
    if (rewind === undefined && !isNew) return;
    this.transaction(() => {
      if (rewind !== undefined) {
        const { entries, entriesOfState } = rewind;
        this.#audit.append(
          {
            resource: this.#kind,
            id: id.name ?? '',
            before: { audit_entries: entries },
            after: { audit_entries: entriesOfState },
          },
          { operation: this.#rewindOperation, actor: system, atMs: Date.now() },
        );
      }
      this.#audit.mark();
    });
    // The code that moves the anchors of logs notifies the account.
    if (this.#audit.last.sequence > 0) this.env.onChange(id.name ?? '');
  }

  get #kind(): string {
    return this.constructor.name.toLowerCase();
  }

  get #rewindOperation(): string {
    return `${this.#kind}.rewind`;
  }

  protected abstract readonly handlers: AnyHandlers<C>;
  protected abstract readonly tasks: Tasks<C>;

  /** Adds what handlers of this class need beyond the common context. */
  protected abstract extendContext(context: Context): C;

  /** Runs at the end of each transaction, inside it. */
  protected afterWrite(): void {}

  answer(call: Call): WrittenResponse | Promise<WrittenResponse> {
    return this.#prepare([call], () => this.#answer(call));
  }

  /** Answers a call of another part of this program. */
  reply(call: Call): ObjectReply | Promise<ObjectReply> {
    return this.#prepare([call], () => {
      try {
        return this.#run(call, toObjectReply);
      } catch (error) {
        return { kind: 'refusal', refusal: this.#refuse(error) };
      }
    });
  }

  #run<T>(call: Call, form: Form<T>): T {
    const work = this.#findWork(call);
    return operations[call.operation].isWrite
      ? this.#change(() => this.#runInTransaction(call, work, form))
      : this.#read(call, work, form);
  }

  #answer(call: Call): WrittenResponse {
    try {
      return this.#run(call, writeAnswer);
    } catch (error) {
      return this.#refuse(error);
    }
  }

  /** Rethrows errors that are our own bugs. */
  #refuse(error: unknown): WrittenResponse {
    if (error instanceof Fault) return { ...writeFault(error), version: this.#version };
    // An error loses its properties when it leaves an object, so the disk's reason would be lost.
    const refused = sqliteDiskRefusal(error);
    if (refused === undefined) throw error;
    this.env.onError(error);
    return writeFault(fault(genericCodes.writesRefused, { fill: { reason: describeDiskRefusal(refused) } }));
  }

  /**
   * Answers several writing calls in one turn, so that they are committed together; each happens completely or not at
   * all. Stops early if the answers are long, because they leave the object together.
   */
  answerAll(calls: readonly Call[]): BatchedAnswer[] | Promise<BatchedAnswer[]> {
    return this.#prepare(calls, () => this.#answerAll(calls));
  }

  /**
   * Does several writing calls in one transaction: all of them happen, or none. If one of them fails, its refusal is the
   * only reply. A dry run changes nothing.
   */
  replyTogether(calls: readonly Call[], { isTrial = false } = {}): ObjectReply[] | Promise<ObjectReply[]> {
    return this.#prepare(calls, () => {
      let replies: ObjectReply[] = [];
      try {
        this.#change(() => {
          for (const call of calls) {
            const reply = this.#runInTransaction(call, this.#findWork(call), toObjectReply);
            if (reply.kind === 'refusal') replies = [];
            replies.push(reply);
            if (reply.kind === 'refusal') throw undone;
          }
          if (isTrial) throw undone;
        });
      } catch (error) {
        if (error !== undone) return [{ kind: 'refusal', refusal: this.#refuse(error) }];
      }
      return replies;
    });
  }

  /** Does the work once everything that its calls need is ready. */
  #prepare<T>(calls: readonly Call[], work: () => T): T | Promise<T> {
    const waiting = calls.map((call) => this.env.prepare(call)).filter((each) => each !== undefined);
    if (waiting.length === 0) return work();
    return Promise.allSettled(waiting).then((ready) => {
      using all = new DisposableStack();
      for (const each of ready) if (each.status === 'fulfilled') all.use(each.value);
      const failed = ready.find(({ status }) => status === 'rejected');
      if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
      return work();
    });
  }

  #answerAll(calls: readonly Call[]): BatchedAnswer[] {
    const together = calls.length > 1 ? this.#answerInOneTransaction(calls) : undefined;
    return together ?? answerWhileShort(calls, (call) => this.#answerOrFail(call));
  }

  /** Undefined if a call failed, and everything was rolled back. */
  #answerInOneTransaction(calls: readonly Call[]): BatchedAnswer[] | undefined {
    try {
      return this.#change(() =>
        answerWhileShort(calls, (call) => this.#runInTransaction(call, this.#findWork(call), writeAnswer)),
      );
    } catch {
      // Whatever the error was, the call that caused it will fail with it again.
      return undefined;
    }
  }

  #answerOrFail(call: Call): BatchedAnswer {
    try {
      return this.#answer(call);
    } catch (error) {
      return { failure: error as Error };
    }
  }

  #findWork<Id extends OperationId>({ operation, input }: Call<Id>): (context: C) => Reply<Result<Id>> {
    const handler: AnyHandlers<C>[Id] = this.handlers[operation];
    assert(handler !== undefined, `${this.constructor.name} has no handler of ${operation}`);
    return (context) => handler(context, input);
  }

  async alarm(): Promise<void> {
    await this.env.ready;
    // Tasks that a task schedules are due later than this, so other events run in between.
    const nowMs = Date.now();
    try {
      for (let due = this.#agenda.next(nowMs); due; due = this.#agenda.next(nowMs)) this.#do(due, nowMs);
    } finally {
      this.#agenda.setAlarm();
    }
  }

  #do(due: Due, nowMs: number): void {
    const { task, key } = due;
    try {
      const work = this.tasks[task];
      assert(work !== undefined, `${this.constructor.name} does not know the task ${task}`);
      this.perform({ operation: task, actor: system }, (context) => {
        this.#agenda.complete(due);
        work(context, key);
      });
    } catch (error) {
      this.#agenda.postpone(due, nowMs);
      this.env.onError(error);
    }
  }

  /** Changes with each change, and never repeats, not even after the object was restored to an earlier state. */
  get #version(): string {
    const { sequence, hash } = this.#audit.last;
    return `${sequence}-${hash.slice(0, 16)}`;
  }

  /** For a write that must only happen if nothing has changed since. */
  readVersion(): string {
    return this.#version;
  }

  #checkVersion(versions: readonly string[] | undefined): void {
    if (versions === undefined || versions.includes(this.#version)) return;
    throw fault(genericCodes.conditionFailed, { fill: { object: this.#kind } });
  }

  /** Grows with each change. */
  protected get changeCount(): number {
    return this.#audit.last.sequence;
  }

  readAuditKeys(query: AuditQuery): AuditKeys {
    return this.#audit.readKeys(query);
  }

  readAuditEntries(sequences: readonly number[], valueCharactersMax: number): ShownEntry[] {
    return this.#audit.readEntries(sequences, valueCharactersMax);
  }

  checkAudit(after: Link): AuditCheck {
    return this.#audit.check(after);
  }

  readAuditEnd(known: Link): AuditEnd {
    return this.#audit.readEnd(known, this.#rewindOperation);
  }

  /** For a change from outside, not by an operation of this object. */
  addAuditEntry(by: Pick<Initiator, 'actor' | 'operation'>, change: Change): void {
    this.perform(by, ({ audit }) => audit(change));
  }

  /** Does work that is not an operation of the API, with the same context that a handler gets. */
  protected perform(by: Initiator, work: (context: C) => void): void {
    const done = (context: C): Reply => {
      work(context);
      return ok(null);
    };
    this.#change(() => this.#runInTransaction(by, done, toObjectReply));
  }

  /** If the work throws, what it wrote is rolled back, including its entries in the audit log. */
  protected transaction<T>(work: () => T): T {
    try {
      return this.ctx.storage.transactionSync(work);
    } catch (error) {
      this.#audit.forget();
      throw error;
    }
  }

  #read<T>(call: Call, work: (context: C) => Reply, form: Form<T>): T {
    const messages: Message[] = [];
    return form(work(this.#createContext(call, messages)), messages, this.#version);
  }

  /** Does writing work in a transaction, and notifies what depends on the state of the object. */
  #change<T>(work: () => T): T {
    try {
      return this.transaction(() => {
        const result = work();
        this.#audit.mark();
        return result;
      });
    } finally {
      this.#agenda.setAlarmIfChanged();
      this.env.onChange(this.ctx.id.name ?? '');
    }
  }

  #runInTransaction<T>(by: Initiator, work: (context: C) => Reply, form: Form<T>): T {
    this.#checkVersion(by.versions);
    const messages: Message[] = [];
    const formed = form(work(this.#createContext(by, messages)), messages, this.#version);
    this.afterWrite();
    return formed;
  }

  #createContext(by: Initiator, messages: Message[]): C {
    const nowMs = Date.now();
    return this.extendContext({
      sql: this.ctx.storage.sql,
      nowMs,
      actor: by.actor,
      directory: this.env.directory,
      findTokenUse: (tokenId) => by.tokenUses?.[tokenId],
      listReferences: by.listReferences ?? {},
      newId: () => createId(nowMs),
      addMessage: (message) => void messages.push(message),
      audit: (change) => this.#audit.append(change, { ...by, atMs: nowMs }),
      schedule: (task, { dueMs, key = '' }) => this.#agenda.add(task, key, dueMs),
    });
  }
}

/** Answers calls in their order until the answers are long enough for one turn. */
function answerWhileShort(calls: readonly Call[], answer: (call: Call) => BatchedAnswer): BatchedAnswer[] {
  const answers: BatchedAnswer[] = [];
  let characters = 0;
  for (const call of calls) {
    if (characters > batchedAnswerCharactersMax) break;
    const answered = answer(call);
    if ('body' in answered) characters += answered.body?.length ?? 0;
    answers.push(answered);
  }
  return answers;
}

/** A longer response could not leave the object. */
function writeAnswer(reply: Reply, messages: readonly Message[], version: string): WrittenResponse {
  const answer = { ...writeReply(reply, messages), version };
  if ((answer.body?.length ?? 0) <= answerCharactersMax) return answer;
  throw fault(genericCodes.answerTooLarge, { fill: { characters: answerCharactersMax } });
}

/** With the same limit, because a value takes more space than its text. */
function toObjectReply(reply: Reply, messages: readonly Message[], version: string): ObjectReply {
  const written = writeAnswer(reply, messages, version);
  return reply.kind === 'refused'
    ? { kind: 'refusal', refusal: written }
    : { ...reply, messages: [...(reply.messages ?? []), ...messages], version };
}
