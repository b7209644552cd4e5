/** The object of the account: who may do what, which zones there are, and what zones share. There is one, called `account`. */
import type { DurableObjectState } from '#objects';
import { system } from '../context/caller.ts';
import { ControlObject } from './control-object.ts';
import type { ControlEnvironment, DirectoryData } from '../context/directory.ts';
import type { Context, Tasks } from '../context/handler.ts';
import type { AccountPart } from '../configuration/zone-configuration.ts';
import { validateExpressionHandlers } from '../operations/filters/validate-expression-handlers.ts';
import { formerZonesAskedMax } from '../context/limits.ts';
import { bulkTables } from '../stores/lists/bulk-store.ts';
import { configuredLists } from '../configuration/configured-lists.ts';
import { listHandlers } from '../operations/lists/list-handlers.ts';
import { ListStore, listTables } from '../stores/lists/list-store.ts';
import { listTasks } from '../operations/lists/list-tasks.ts';
import { accountRulesetHandlers } from '../operations/rulesets/account-ruleset-handlers.ts';
import { customRulesetsOf, entryPointsOf } from '../configuration/evaluated-rulesets.ts';
import { RulesetStore, rulesetTables } from '../stores/ruleset-store.ts';
import { tokenHandlers } from '../operations/tokens/token-handlers.ts';
import { tokenTables, TokenStore } from '../stores/token-store.ts';
import { zoneRegistryHandlers } from '../operations/zones/zone-handlers.ts';
import { type FormerZone, ZoneStore, zoneTables } from '../stores/zone-store.ts';
import { type Founded, foundAccount, type Founding, renewOwner } from './bootstrap.ts';
import { profileHandlers } from '../operations/user/profile-handlers.ts';
import { UserStore, userTables } from '../stores/user-store.ts';

const accountHandlers = {
  ...profileHandlers,
  ...tokenHandlers,
  ...zoneRegistryHandlers,
  ...validateExpressionHandlers,
  ...listHandlers,
  ...accountRulesetHandlers,
};

const tables = [
  `CREATE TABLE IF NOT EXISTS account (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL
  )`,
  ...userTables,
  ...tokenTables,
  ...zoneTables,
  ...listTables,
  ...bulkTables,
  ...rulesetTables,
];

/** Of the one object there is. */
export const accountName = 'account';

export class Account extends ControlObject<Context> {
  protected readonly handlers = accountHandlers;
  protected readonly tasks: Tasks<Context> = { ...listTasks };
  readonly #hiddenLists = new Set<string>();

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, tables);
  }

  protected contextFor(context: Context): Context {
    return context;
  }

  protected override afterWrite(): void {
    this.ctx.storage.sql.exec('UPDATE account SET revision = revision + 1');
  }

  /** Makes the account, its owner and a zone for each plan, the first time; nothing afterwards. */
  found(founding: Founding): Founded | undefined {
    if (this.#row() !== undefined) return undefined;
    let founded: Founded | undefined;
    this.perform({ operation: 'account.found', actor: system }, (context) => {
      founded = foundAccount(context, founding);
    });
    return founded;
  }

  renewOwner(): Pick<Founded, 'email' | 'key' | 'token'> {
    let renewed: Pick<Founded, 'email' | 'key' | 'token'> | undefined;
    this.perform({ operation: 'owner.renew', actor: system }, (context) => {
      renewed = renewOwner(context);
    });
    return renewed!;
  }

  /** To be told once the object of a deleted zone is empty. */
  zoneErased(id: string): void {
    this.perform({ operation: 'zone.erase', actor: system }, ({ sql }) => new ZoneStore(sql).setErased(id));
  }

  /** Whose audit logs there still are. */
  formerZones(name?: string): FormerZone[] {
    return new ZoneStore(this.ctx.storage.sql).former(formerZonesAskedMax, name);
  }

  /** Takes a list that may be deleted out of the directory, until `showList`. False if it is hidden already. */
  hideList(name: string): boolean {
    if (this.#hiddenLists.has(name)) return false;
    this.perform({ operation: 'list.hide', actor: system }, () => this.#hiddenLists.add(name));
    return true;
  }

  listName(id: string): string | undefined {
    return new ListStore(this.ctx.storage.sql).get(id)?.name;
  }

  showList(name: string): void {
    this.perform({ operation: 'list.show', actor: system }, () => this.#hiddenLists.delete(name));
  }

  /** What the edge needs of it for every zone. */
  configuration(): AccountPart {
    const { sql } = this.ctx.storage;
    return {
      version: this.#row()?.revision ?? 0,
      lists: configuredLists(sql),
      customRulesets: customRulesetsOf(sql),
      entryPoints: entryPointsOf(sql),
    };
  }

  directory(): DirectoryData {
    const { sql } = this.ctx.storage;
    const row = this.#row();
    return {
      revision: row?.revision ?? 0,
      account: row && { id: row.id, name: row.name, createdAtMs: row.created_ms },
      zones: new ZoneStore(sql).all(),
      zonesToErase: new ZoneStore(sql).toErase(),
      users: new UserStore(sql).all(),
      tokens: new TokenStore(sql).all(),
      customRulesets: new RulesetStore(sql).summaries().filter(({ kind }) => kind === 'custom'),
      lists: new ListStore(sql).facts().filter(({ name }) => !this.#hiddenLists.has(name)),
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
