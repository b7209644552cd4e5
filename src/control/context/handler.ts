/** What handlers are given and what they give back. A handler runs inside its object, in one transaction, and never waits. */
import type { Input, Message, Operation, OperationId, Reply } from '#api';
import type { Directory, ZoneFacts } from './directory.ts';
import type { Sql } from './sql.ts';

export interface Actor {
  readonly kind: 'key' | 'token' | 'system';
  readonly userId: string;
  readonly email: string;
  /** Of the token that was used. */
  readonly tokenId?: string;
  readonly address: string;
}

/** One operation on its way to an object: plain data. */
export interface Call {
  readonly operation: OperationId;
  readonly input: Input;
  readonly actor: Actor;
  readonly requestId: string;
}

/** One line of the audit log. Nothing secret belongs in it. */
export interface Change {
  readonly resource: string;
  readonly id: string;
  /** Undefined where there was, or is, nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Context {
  readonly sql: Sql;
  readonly nowMs: number;
  readonly actor: Actor;
  readonly directory: Directory;
  /** 32 hexadecimal digits nobody can guess. */
  newId(): string;
  /** Adds to `messages` of the answer. */
  say(message: Message): void;
  audit(change: Change): void;
  /** The object does the task then, by its alarm, even if the process was not running at that time. The same task and key: once. */
  later(task: string, when: { readonly dueMs: number; readonly key?: string }): void;
}

export interface ZoneContext extends Context {
  readonly zone: ZoneFacts;
  /** Inside of the operation's own: what the work wrote is undone if it throws. */
  transaction<T>(work: () => T): T;
}

export type Handlers<C extends Context, Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Operations]: (context: C, input: Input<Operations[Id]>) => Reply;
};

/** What an object does of its own accord. The key is what `later` was given. */
export type Tasks<C extends Context> = Readonly<Record<string, (context: C, key: string) => void>>;

export type AnyHandlers<C extends Context> = Readonly<Record<string, (context: C, input: never) => Reply>>;
