/** The inputs and results of handlers. A handler runs inside its object, in one transaction, and never awaits. */
import type { AcmeSettings } from './acme-settings.ts';
import type { IdsOf, InputOf, Message, OperationId, operations, Reply, Result } from '#contract';
import type { OriginObstacle } from '#outbound';
import type { Directory, DirectoryPoint, ZoneFacts } from './directory.ts';
import type { KeySealer } from './key-sealer.ts';
import type { Sql } from './tables/sql.ts';

/** Which origins a zone may have. */
export interface OriginCheck {
  /**
   * Why the edge would never connect to this host. Undefined if it would, or if only the edge can decide because the name
   * must be resolved.
   */
  findObstacle(host: string, port: number): OriginObstacle | undefined;
  /** The Workers that can be an origin; undefined if only the edge knows them. */
  readonly workers: readonly string[] | undefined;
}

export interface Actor {
  readonly kind: 'key' | 'token' | 'system';
  readonly userId: string;
  readonly email: string;
  /** The id of the token that was used. */
  readonly tokenId?: string;
  readonly address: string;
  /** The reason that the caller gave. */
  readonly reason?: string;
}

/** One call of an operation on its way to an object: plain data. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id;
  readonly input: InputOf<Id>;
  readonly actor: Actor;
  readonly requestId: string;
  /** The acceptable versions of the object; a write to any other version is refused. */
  readonly versions?: readonly string[] | undefined;
  /**
   * For a call to another process that restores a version of a ruleset: that version, to parse its expressions in
   * advance.
   */
  readonly earlier?: unknown;
  /** The position of the program's directory when it sent the call. */
  readonly directory?: DirectoryPoint;
  /** The last use of each token, in milliseconds, by token id; only for calls that show it. */
  readonly tokenUses?: Readonly<Record<string, number>>;
  /** How often zones name each list; only for calls that show it, because the account cannot call zones. */
  readonly listReferences?: Readonly<Record<string, number>>;
}

export function isCallOf<Id extends OperationId>(call: Call, operation: Id): call is Call<Id> {
  return call.operation === operation;
}

/** One entry of the audit log. It must not contain secrets. */
export interface Change {
  readonly resource: string;
  readonly id: string;
  /** Undefined if nothing existed before, or if nothing exists afterwards. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Context {
  readonly sql: Sql;
  readonly nowMs: number;
  readonly actor: Actor;
  readonly directory: Directory;
  /** The last use of the token, in milliseconds; undefined if it was never used. */
  findTokenUse(tokenId: string): number | undefined;
  /** How often zones name each list; empty if the call does not show it. */
  readonly listReferences: Readonly<Record<string, number>>;
  /** Returns a unique id: 32 hexadecimal digits. */
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

/** The context of an operation whose answers carry no messages has no `addMessage`. */
type ContextOf<
  C extends Context,
  Id extends OperationId,
> = (typeof operations)[Id]['carriesMessages'] extends false ? Omit<C, 'addMessage'> : C;

/** The handlers of some resources, `Handlers<ZoneContext, 'filters'>`, or of some operations. */
export type Handlers<C extends Context, Names extends string> = {
  readonly [Id in IdsOf<Names>]: (context: ContextOf<C, Id>, input: InputOf<Id>) => Reply<Result<Id>>;
};

/** The tasks that an object runs by its alarm. The key is the one that `schedule` was given. */
export type Tasks<C extends Context> = Readonly<Record<string, (context: C, key: string) => void>>;

/** The handlers of an object, which has those of some operations. */
export type AnyHandlers<C extends Context> = {
  readonly [Id in OperationId]?: (context: C, input: InputOf<Id>) => Reply<Result<Id>>;
};
