/**
 * Operations that no single object can answer. Their handlers run outside the objects and ask several of them, so they are
 * not transactions: each object answers for a moment of its own.
 */
import type { Input, Operation, PlainReply, Reply, WrittenAnswer } from '#api';
import type { Directory } from '../context/directory.ts';
import type { Actor, Call } from '../context/handler.ts';
import type { AuditCheck, AuditKeys, AuditQuery, Link, ShownEntry } from '../stores/audit-trail.ts';
import type { References } from '../stores/list-references.ts';
import type { FormerZone } from '../stores/zone-store.ts';
import type { FeedSource } from './edge/configuration-feed.ts';
import type { Activity } from './events/activity.ts';

/** The audit trail of an object, from outside. */
interface AuditedObject {
  auditKeys(query: AuditQuery): Promise<AuditKeys>;
  auditEntries(sequences: readonly number[], valueCharactersMax: number): Promise<ShownEntry[]>;
  auditCheck(after: Link): Promise<AuditCheck>;
}

interface AccountObject extends AuditedObject {
  answer(call: Call): Promise<WrittenAnswer>;
  formerZones(name?: string): Promise<FormerZone[]>;
  listName(id: string): Promise<string | undefined>;
  hideList(name: string): Promise<boolean>;
  showList(name: string): Promise<void>;
}

interface ZoneObject extends AuditedObject {
  listReferences(names: readonly string[]): Promise<References>;
}

/** What a handler that asks several objects is given. */
export interface ObjectsContext {
  /** The call as it came. */
  readonly call: Call;
  readonly actor: Actor;
  readonly nowMs: number;
  /** As it is when it is looked at. */
  readonly directory: Directory;
  readonly account: AccountObject;
  zone(id: string): ZoneObject;
  readonly activity: Activity;
  /** What requests of each zone are judged by. */
  readonly configurations: FeedSource;
  /** Puts the account's directory in place as it is now. */
  refresh(): Promise<void>;
}

export type ObjectsHandlers<Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Operations]: (
    context: ObjectsContext,
    input: Input<Operations[Id]>,
  ) => Promise<Reply | PlainReply | WrittenAnswer>;
};
