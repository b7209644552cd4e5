/** What handlers receive and return. A handler runs inside its object, in one transaction, and never waits. */
import type { AcmeSettings } from './acme-settings.ts';
import type { IdsOf, Input, InputOf, Message, OperationId, operations, Reply, Result } from '#contract';
import type { Directory, DirectoryPoint, ZoneFacts } from './directory.ts';
import type { KeySealer } from './key-sealer.ts';
import type { Sql } from './tables/sql.ts';

/** Which origins a zone may have. */
export interface OriginCheck {
  /**
   * Why the edge would never connect to the host of an origin: its address is `private`, or it is `forbidden` for another
   * reason. Undefined if it would, or if only the edge can tell because the name has to be resolved.
   */
  findObstacle(host: string, port: number): 'private' | 'forbidden' | undefined;
  /** The Workers that can be an origin; undefined if only the edge can tell. */
  readonly workers: readonly string[] | undefined;
}

export interface Actor {
  readonly kind: 'key' | 'token' | 'system';
  readonly userId: string;
  readonly email: string;
  /** The id of the token that was used. */
  readonly tokenId?: string;
  readonly address: string;
  /** Why, as the caller says. */
  readonly reason?: string;
}

/** One call of an operation on its way to an object: plain data. */
export interface Call {
  readonly operation: OperationId;
  readonly input: Input;
  readonly actor: Actor;
  readonly requestId: string;
  /** Versions of the object of which it must have one; a write of any other is refused. */
  readonly versions?: readonly string[] | undefined;
  /** To another process, of a call that restores a version of a ruleset: the version, to read its expressions ahead. */
  readonly earlier?: unknown;
  /** How far the directory of the program had come when it sent the call. */
  readonly directory?: DirectoryPoint;
  /** When tokens were used last, in milliseconds, by their ids; with calls that show it. */
  readonly tokenUses?: Readonly<Record<string, number>>;
}

/** One entry of the audit log. It must not contain secrets. */
export interface Change {
  readonly resource: string;
  readonly id: string;
  /** Undefined if there was nothing before, or if nothing is left after. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Context {
  readonly sql: Sql;
  readonly nowMs: number;
  readonly actor: Actor;
  readonly directory: Directory;
  /** When the token was used last, in milliseconds; undefined if it never was. */
  findTokenUse(tokenId: string): number | undefined;
  /** Returns an id that nothing else has: 32 hexadecimal digits. */
  newId(): string;
  /** Adds to the `messages` of the response. */
  addMessage(message: Message): void;
  audit(change: Change): void;
  /**
   * Schedules a task. The object's alarm runs it when it is due, even if the process was down at that time. The same
   * task with the same key is scheduled only once.
   */
  schedule(task: string, when: { readonly dueMs: number; readonly key?: string }): void;
}

export interface AccountContext extends Context {
  /** Whether the server can send mail. */
  readonly sendsMail: boolean;
  readonly keySealer: KeySealer;
  readonly checkOrigin: OriginCheck;
}

export interface ZoneContext extends Context {
  readonly acme: AcmeSettings;
  readonly keySealer: KeySealer;
  readonly zone: ZoneFacts;
  readonly checkOrigin: OriginCheck;
  /** A nested transaction: if the work throws, what it wrote is rolled back. */
  transaction<T>(work: () => T): T;
}

/** An operation whose answers carry no messages has a context without a way to add one. */
type ContextOf<
  C extends Context,
  Id extends OperationId,
> = (typeof operations)[Id]['carriesMessages'] extends false ? Omit<C, 'addMessage'> : C;

/** Those of the operations of some resources, `Handlers<ZoneContext, 'filters'>`, or of some operations. */
export type Handlers<C extends Context, Names extends string> = {
  readonly [Id in IdsOf<Names>]: (context: ContextOf<C, Id>, input: InputOf<Id>) => Reply<Result<Id>>;
};

/** The tasks that an object runs by its alarm. The key is the one that `schedule` was given. */
export type Tasks<C extends Context> = Readonly<Record<string, (context: C, key: string) => void>>;

export type AnyHandlers<C extends Context> = Readonly<Record<string, (context: C, input: never) => Reply>>;
