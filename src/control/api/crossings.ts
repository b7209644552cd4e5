/**
 * Operations that no single object can answer. They run outside of the objects and ask several of them, so they are no
 * transactions: each object answers for a moment of its own.
 */
import type { DurableObjectStub } from '#objects';
import type { Input, Operation, Reply } from '#v4';
import type { Account } from '../account/account.ts';
import type { Directory } from '../directory.ts';
import type { Zone } from '../zone/zone.ts';
import { auditCrossings } from './audit-crossings.ts';

/** What a crossing is given to work with. */
export interface Crossing {
  readonly directory: Directory;
  readonly account: DurableObjectStub<Account>;
  zone(id: string): DurableObjectStub<Zone>;
  /** Puts the account's directory in place as it is now. */
  refresh(): Promise<void>;
}

export type Crossings<Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Operations]: (crossing: Crossing, input: Input<Operations[Id]>) => Promise<Reply>;
};

export const crossings = { ...auditCrossings };
