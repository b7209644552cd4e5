/** The object of the account: who may do what, which zones there are, and what zones share. There is one, called `account`. */
import type { DurableObjectState } from '#objects';
import { plans } from '#rules';
import { ControlObject } from '../control-object.ts';
import type { ControlEnvironment, DirectoryData } from '../directory.ts';
import type { Actor, Context, Tasks } from '../handler.ts';
import { newKey, secretHash } from './secrets.ts';
import { UserStore, userTables } from './user-store.ts';
import { ZoneStore, zoneTables } from './zone-store.ts';

export const accountHandlers = {};

const tables = [
  `CREATE TABLE IF NOT EXISTS account (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL
  )`,
  ...userTables,
  ...zoneTables,
];

export interface Founding {
  readonly accountName: string;
  readonly email: string;
}

/** Known to nobody but whoever founded the account: the secrets are not kept. */
export interface Founded {
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
}

export class Account extends ControlObject<Context> {
  protected readonly handlers = accountHandlers;
  protected readonly tasks: Tasks<Context> = {};

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, tables);
  }

  protected contextFor(context: Context): Context {
    return context;
  }

  /** Makes the account, its owner and a zone for each plan, the first time; nothing afterwards. */
  found({ accountName, email }: Founding): Founded | undefined {
    if (this.#row() !== undefined) return undefined;
    const key = newKey();
    let accountId = '';
    const actor: Actor = { kind: 'system', userId: '', email: '', address: '' };
    this.perform({ operation: 'account.found', actor }, (context) => {
      accountId = context.newId();
      context.sql.exec('INSERT INTO account VALUES (1, ?, ?, ?, 1)', accountId, accountName, context.nowMs);
      new UserStore(context.sql).add({ id: context.newId(), email, keyHash: secretHash(key) });
      const zones = new ZoneStore(context.sql);
      for (const plan of plans) {
        const { nowMs } = context;
        const name = `${plan}.example`;
        zones.add({
          id: context.newId(),
          name,
          plan,
          accountId,
          isPaused: false,
          createdAtMs: nowMs,
          modifiedAtMs: nowMs,
        });
      }
      context.audit({ resource: 'account', id: accountId, before: undefined, after: { name: accountName } });
    });
    return { accountId, email, key };
  }

  directory(): DirectoryData {
    const { sql } = this.ctx.storage;
    const row = this.#row();
    return {
      revision: row?.revision ?? 0,
      account: row && { id: row.id, name: row.name, createdAtMs: row.created_ms },
      zones: new ZoneStore(sql).all(),
      users: new UserStore(sql).all(),
      lists: [],
    };
  }

  #row(): { id: string; name: string; created_ms: number; revision: number } | undefined {
    const [row] = this.ctx.storage.sql.exec<{
      id: string;
      name: string;
      created_ms: number;
      revision: number;
    }>('SELECT id, name, created_ms, revision FROM account');
    return row;
  }
}
