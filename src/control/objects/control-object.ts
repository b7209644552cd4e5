/**
 * A stateful object that answers operations of the API. It promises that an operation happens completely or not at all,
 * including its entries in the audit log, and that the response leaves after the write is on disk (the runtime's output
 * gate ensures that).
 *
 * Handlers are synchronous. Those that write run inside one transaction: a `Fault` that they throw rolls it back and
 * becomes the response; any other error rolls it back too and reaches the caller as an internal error.
 */
import { randomUUID } from 'node:crypto';
import { assert, describeDiskRefusal } from '#base';
import { DurableObject, type DurableObjectState, sqliteDiskRefusal } from '#objects';
import {
  Fault,
  fault,
  genericCodes,
  type Message,
  operations,
  type Reply,
  writeFault,
  writeReply,
  type WrittenResponse,
} from '#api';
import { Agenda, agendaTables, type Due } from '../stores/agenda.ts';
import {
  type AuditCheck,
  type AuditKeys,
  type AuditQuery,
  AuditTrail,
  auditTables,
  type Link,
  type ShownEntry,
} from '../stores/audit-trail.ts';
import { system } from '../context/caller.ts';
import type { ControlEnvironment } from '../context/directory.ts';
import type { AnyHandlers, Call, Context, Tasks } from '../context/handler.ts';
import { answerCharactersMax, batchedAnswerCharactersMax } from '../context/limits.ts';

type Initiator = Pick<Call, 'actor'> & { readonly operation: string };

export abstract class ControlObject<C extends Context> extends DurableObject<ControlEnvironment> {
  readonly #audit: AuditTrail;
  readonly #agenda: Agenda;

  constructor(ctx: DurableObjectState, env: ControlEnvironment, tables: readonly string[]) {
    super(ctx, env);
    for (const table of [...auditTables, ...agendaTables, ...tables]) ctx.storage.sql.exec(table);
    this.#audit = new AuditTrail(ctx.storage.sql);
    this.#agenda = new Agenda(ctx.storage);
  }

  protected abstract readonly handlers: AnyHandlers<C>;
  protected abstract readonly tasks: Tasks<C>;

  /** Adds what handlers of this class need beyond the common context. */
  protected abstract extendContext(context: Context): C;

  /** Runs at the end of each transaction, inside it. */
  protected afterWrite(): void {}

  answer(call: Call): WrittenResponse {
    const handler = this.handlers[call.operation];
    assert(handler !== undefined, `${this.constructor.name} has no handler of ${call.operation}`);
    const work = (context: C): Reply => handler(context, call.input as never);
    try {
      return operations[call.operation].isWrite ? this.#write(call, work) : this.#read(call, work);
    } catch (error) {
      if (error instanceof Fault) return writeFault(error);
      // An error loses its properties when it leaves an object, so the reason that the disk gave would be lost.
      const refused = sqliteDiskRefusal(error);
      if (refused === undefined) throw error;
      this.env.onError(error);
      return writeFault(
        fault(genericCodes.writesRefused, { fill: { reason: describeDiskRefusal(refused) } }),
      );
    }
  }

  /**
   * Answers several calls in one turn, so that they are committed together; each is a transaction of its own. Stops early
   * if the answers are long, because they leave the object together.
   */
  answerAll(calls: readonly Call[]): (WrittenResponse | { readonly failure: Error })[] {
    const answers: (WrittenResponse | { readonly failure: Error })[] = [];
    let characters = 0;
    for (const call of calls) {
      if (characters > batchedAnswerCharactersMax) break;
      try {
        const answer = this.answer(call);
        characters += answer.body?.length ?? 0;
        answers.push(answer);
      } catch (error) {
        answers.push({ failure: error as Error });
      }
    }
    return answers;
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

  /** Does work that no operation of the API asks for, with the same context that a handler gets. */
  protected perform(by: Initiator, work: (context: C) => void): void {
    this.#write(by, (context) => {
      work(context);
      return { kind: 'done', status: 200, result: null };
    });
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

  #read(call: Call, work: (context: C) => Reply): WrittenResponse {
    const messages: Message[] = [];
    return writeAnswer(work(this.#createContext(call, messages)), messages);
  }

  #write(by: Initiator, work: (context: C) => Reply): WrittenResponse {
    const messages: Message[] = [];
    const context = this.#createContext(by, messages);
    try {
      return this.transaction(() => {
        const answer = writeAnswer(work(context), messages);
        this.afterWrite();
        return answer;
      });
    } finally {
      this.#agenda.setAlarmIfChanged();
      this.env.onChange(this.ctx.id.name ?? '');
    }
  }

  #createContext(by: Initiator, messages: Message[]): C {
    const nowMs = Date.now();
    return this.extendContext({
      sql: this.ctx.storage.sql,
      nowMs,
      actor: by.actor,
      directory: this.env.directory,
      findTokenUse: (tokenId) => this.env.findTokenUse(tokenId),
      newId: () => randomUUID().replaceAll('-', ''),
      addMessage: (message) => void messages.push(message),
      audit: (change) => this.#audit.append(change, { ...by, atMs: nowMs }),
      schedule: (task, { dueMs, key = '' }) => this.#agenda.add(task, key, dueMs),
    });
  }
}

/** A longer response could not leave the object. */
function writeAnswer(reply: Reply, messages: readonly Message[]): WrittenResponse {
  const answer = writeReply(reply, messages);
  if ((answer.body?.length ?? 0) <= answerCharactersMax) return answer;
  throw fault(genericCodes.answerTooLarge, { fill: { characters: answerCharactersMax } });
}
