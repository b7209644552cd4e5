/**
 * Operations that no single object can answer. They run outside of the objects and ask several of them, so they are no
 * transactions: each object answers for a moment of its own.
 */
import type { DurableObjectStub } from '#objects';
import type { ZoneConfiguration } from '#firewall';
import type { Input, Operation, PlainReply, Reply } from '#v4';
import type { Account } from '../objects/account.ts';
import type { Directory } from '../context/directory.ts';
import { edgeCrossings } from '../operations/edge/edge-feed-handlers.ts';
import type { Actor } from '../context/handler.ts';
import type { Activity } from '../objects/activity.ts';
import { securityCrossings } from '../operations/events/event-handlers.ts';
import type { Zone } from '../objects/zone.ts';
import { auditCrossings } from '../operations/audit/audit-handlers.ts';

/** What a crossing is given to work with. */
export interface Crossing {
  readonly actor: Actor;
  readonly nowMs: number;
  /** As it is when it is looked at. */
  readonly directory: Directory;
  readonly account: DurableObjectStub<Account>;
  zone(id: string): DurableObjectStub<Zone>;
  readonly activity: Activity;
  /** What requests of a zone are judged by; nothing if there is no such zone. */
  configuration(zoneId: string): Promise<ZoneConfiguration | undefined>;
  /** Calls with the id of each zone whose configuration may have changed, until the function that is returned is called. */
  onChange(listener: (zoneId: string) => void): () => void;
  /** Puts the account's directory in place as it is now. */
  refresh(): Promise<void>;
}

export type Crossings<Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Operations]: (
    crossing: Crossing,
    input: Input<Operations[Id]>,
  ) => Promise<Reply | PlainReply>;
};

export const crossings = { ...auditCrossings, ...edgeCrossings, ...securityCrossings };
