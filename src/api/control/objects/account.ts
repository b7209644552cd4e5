/** The object of the account: permissions, the existing zones, and what zones share. There is one, named `account`. */
import type { AccountPart, RateAnswer, RateReport } from '#firewall';
import type { DurableObjectState } from '#objects';
import { system } from '../context/caller.ts';
import { accountHandlers, accountTables } from './account-parts.ts';
import { OutsideWork, outsideTasks } from './outside-work.ts';
import type { DirectoryChanges, ZoneFacts } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import type { AccountContext, Context, Tasks } from '../context/handler.ts';
import type { RowOf } from '../context/tables/table.ts';
import { readConfiguredAccessRules } from '../stores/access-rules.ts';
import { formerZonesAskedMax, zonesLoadedAtOnceMax } from '../context/limits.ts';
import {
  accountLog,
  type Anchor,
  auditAnchorTable,
  findAnchors,
  moveAnchor,
} from '../stores/audit/anchors.ts';
import type { AuditEntry } from '../stores/audit/audit-trail.ts';
import { DirectoryChangeStore } from './directory-changes.ts';
import { readConfiguredLists } from '../configuration/configured-lists.ts';
import { ListStore } from '../stores/lists/list-store.ts';
import { ListUseStore } from '../stores/lists/list-uses.ts';
import { listTasks } from '../operations/lists/list-tasks.ts';
import {
  readEvaluatedCustomRulesets,
  readEvaluatedEntryPoints,
} from '../configuration/evaluated-rulesets.ts';
import { readConfiguredLoadBalancers } from '../stores/load-balancing/load-balancing.ts';
import { noteOriginHealth, type OriginReport } from '../stores/load-balancing/origin-health.ts';
import { describeHealth, raiseAlert } from '../notifications/raise-alert.ts';
import { type Alert, policyTable } from '../stores/notifications.ts';
import {
  listEnabledJobs,
  type LogpushReport,
  noteLogpushStates,
  readRequestLogs,
} from '../stores/logpush.ts';
import { type KeysSeen, RateExchange, type ShownKey } from '../operations/rate-limits/rate-exchange.ts';
import {
  type KnownCertificate,
  listZoneCertificates,
  replaceZoneCertificates,
  type ZoneCertificate,
} from '../stores/certificates/zone-certificates.ts';
import { accountTable } from '../stores/accounts.ts';
import { RulesetStore } from '../stores/rulesets.ts';
import { TokenStore } from '../stores/tokens.ts';
import { type FormerZone, ZoneStore } from '../stores/zones.ts';
import {
  type BootstrappedAccount,
  bootstrapAccount,
  type BootstrapOptions,
  renewOwner,
} from './bootstrap.ts';
import { userTable } from '../stores/user.ts';
import type { WorkerInitiator } from '../operations/workers/commit-worker.ts';
import { WorkerAccount } from './worker-account.ts';
import { WorkerStore } from '../stores/workers.ts';

/** An anchor of an audit log to be moved, with the entries of the log that the account does not know yet. */
export interface MovedAnchor extends Anchor {
  /** The sequence of the anchor that the log was compared with. */
  readonly from: number;
  /** Entries that record a restore of the object. */
  readonly rewinds: readonly AuditEntry[];
  /** The certificates of a zone at that end of its log. */
  readonly certificates?: readonly KnownCertificate[] | undefined;
}

/** The name of the only account object. */
export const accountName = accountLog;

export class Account extends WorkerAccount {
  protected readonly handlers = accountHandlers;
  protected readonly tasks: Tasks<AccountContext> = { ...listTasks, ...outsideTasks };
  readonly #outside = new OutsideWork({
    env: this.env,
    sql: this.ctx.storage.sql,
    findAccountId: () => this.#row!.id,
    perform: (operation, work) => this.perform({ operation, actor: system }, work),
    note: (work) => this.transaction(work),
  });
  readonly #rates = new RateExchange();

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, { tables: accountTables, keptTables: [auditAnchorTable.name] });
  }

  protected extendContext(context: Context): AccountContext {
    const { checkOrigin, keySealer, outbound } = this.env;
    return { ...context, checkOrigin, keySealer, sendsMail: outbound.mail !== undefined };
  }

  override async alarm(): Promise<void> {
    await super.alarm();
    this.ctx.waitUntil(this.#outside.work());
  }

  /** Raises an event that notification policies may report. */
  raiseAlert(alert: Alert): void {
    if (policyTable.count(this.ctx.storage.sql) === 0) return;
    this.perform({ operation: 'alert.raise', actor: system }, (context) => raiseAlert(context, alert));
  }

  protected override afterWrite(): void {
    const { sql } = this.ctx.storage;
    sql.exec('UPDATE account SET revision = revision + 1');
    const { directory, directoryRevisionsKept: kept } = this.env;
    new DirectoryChangeStore(sql).removeUntil(
      kept === 0 ? directory.revision : (this.#row?.revision ?? 0) - kept,
    );
  }

  /** Creates the account, its owner and a zone for each plan at the first start; does nothing later. */
  bootstrap(options: BootstrapOptions): BootstrappedAccount | undefined {
    if (this.#row !== undefined) return undefined;
    let bootstrapped: BootstrappedAccount | undefined;
    this.perform({ operation: 'account.found', actor: system }, (context) => {
      bootstrapped = bootstrapAccount(context, options);
    });
    return bootstrapped;
  }

  renewOwner(): Pick<BootstrappedAccount, 'email' | 'key' | 'token'> {
    let renewed: Pick<BootstrappedAccount, 'email' | 'key' | 'token'> | undefined;
    this.perform({ operation: 'owner.renew', actor: system }, (context) => {
      renewed = renewOwner(context);
    });
    return renewed!;
  }

  /**
   * Must be called when the account was restored to another state: its next revision is higher than any that was
   * published, and by so much that every other host of a cluster reads the whole directory.
   */
  continueFrom(revision: number): void {
    this.perform({ operation: 'account.continue', actor: system }, ({ sql }) => {
      const { directoryRevisionsKept: kept } = this.env;
      sql.exec('UPDATE account SET revision = max(revision, ?) + ?', revision, kept);
      new DirectoryChangeStore(sql).setEverythingChanged();
      new ListUseStore(sql).setIncomplete();
    });
  }

  /** Must be called when the object of a deleted zone has been erased. */
  confirmZoneErased(id: string): void {
    this.perform({ operation: 'zone.erase', actor: system }, ({ sql }) => new ZoneStore(sql).setErased(id));
  }

  /** Deleted zones whose audit logs still exist. */
  listFormerZones(name?: string): FormerZone[] {
    return new ZoneStore(this.ctx.storage.sql).listFormer(formerZonesAskedMax, name);
  }

  /** The anchors of those of these audit logs that have one. */
  findAuditAnchors(logs: readonly string[]): Anchor[] {
    return findAnchors(this.ctx.storage.sql, logs);
  }

  /**
   * Moves the anchors of audit logs, and records restores of objects in the account's log. An anchor that another
   * caller has moved meanwhile stays, so each entry of a log is processed once.
   */
  moveAuditAnchors(moved: readonly MovedAnchor[]): void {
    const { sql } = this.ctx.storage;
    const anchors = findAnchors(
      sql,
      moved.map(({ log }) => log),
    );
    const found = new Map(anchors.map((each) => [each.log, each.sequence]));
    const current = moved.filter(({ log, from }) => (found.get(log) ?? 0) === from);
    const put = (): void => {
      for (const each of current) {
        const { log, certificates } = each;
        moveAnchor(sql, each);
        if (certificates !== undefined && this.env.directory.zones.has(log))
          replaceZoneCertificates(sql, log, certificates);
      }
    };
    const rewinds = current.filter(({ log }) => log !== accountName).flatMap((each) => each.rewinds);
    if (rewinds.length === 0) return this.transaction(put);
    this.perform({ operation: 'zone.rewind', actor: system }, ({ audit }) => {
      put();
      for (const { resource, resourceId: id, before, after, hash } of rewinds)
        audit({ resource, id, before: parse(before), after: { ...parse(after), audit_hash: hash } });
    });
  }

  /** Must be called before an expression of the zone names the lists. */
  noteListUses(zoneId: string, lists: readonly string[]): void {
    new ListUseStore(this.ctx.storage.sql).add(zoneId, lists);
  }

  /** Must be called when every zone has reported which lists it names. */
  completeListUses(): void {
    new ListUseStore(this.ctx.storage.sql).complete();
  }

  /** The zones that may name one of the lists; undefined if every zone must be asked. */
  listZonesUsing(lists: readonly string[]): string[] | undefined {
    return new ListUseStore(this.ctx.storage.sql).listZones(lists);
  }

  /** The certificates of all zones, the most urgent first. */
  listCertificates(): ZoneCertificate[] {
    return listZoneCertificates(this.ctx.storage.sql, Date.now());
  }

  findListName(id: string): string | undefined {
    return new ListStore(this.ctx.storage.sql).get(id)?.name;
  }

  /** Records the health of pool origins as the edge of a host sees it. */
  noteOriginHealth(pop: string, reports: readonly OriginReport[]): void {
    const { sql } = this.ctx.storage;
    const changed = this.transaction(() => noteOriginHealth(sql, { pop, reports, nowMs: Date.now() }));
    for (const report of changed) this.raiseAlert(describeHealth(pop, report));
  }

  listLogpushJobs(): ReturnType<typeof listEnabledJobs> {
    return listEnabledJobs(this.ctx.storage.sql);
  }

  noteLogpushStates(report: LogpushReport): void {
    this.transaction(() => noteLogpushStates(this.ctx.storage.sql, report));
  }

  /** Takes the counts of a host for the others, and returns theirs. */
  exchangeRates(report: RateReport, host: string): RateAnswer {
    return this.#rates.exchange(report, host, performance.now());
  }

  lookAtRateKeys(zoneId: string): KeysSeen {
    return this.#rates.look(zoneId, performance.now());
  }

  /** Releases a key on all hosts; undefined if no host counts it. */
  releaseRateKey(by: WorkerInitiator, zoneId: string, id: string): ShownKey | undefined {
    const released = this.#rates.release(zoneId, id, performance.now());
    if (released !== undefined)
      this.perform(by, ({ audit }) =>
        audit({ resource: 'rate_limit_key', id, before: { zone_id: zoneId, ...released }, after: undefined }),
      );
    return released;
  }

  /** The account's part of every zone's edge configuration; undefined if its version is the known one. */
  readConfiguration(versionKnown?: number): AccountPart | undefined {
    const { sql } = this.ctx.storage;
    const version = new DirectoryChangeStore(sql).configurationVersion;
    if (version === versionKnown) return undefined;
    const accountAccessRules = readConfiguredAccessRules(sql);
    return {
      version,
      ...(accountAccessRules === undefined ? {} : { accountAccessRules }),
      lists: readConfiguredLists(sql),
      customRulesets: readEvaluatedCustomRulesets(sql),
      entryPoints: readEvaluatedEntryPoints(sql),
      workerRoutes: new WorkerStore(this.ctx.storage.sql).listConfiguredRoutes(),
      loadBalancers: readConfiguredLoadBalancers(sql),
      ...readRequestLogs(sql),
    };
  }

  /** The changes that fill an empty directory, except zones. */
  readDirectory(): DirectoryChanges {
    const { sql } = this.ctx.storage;
    const tokens = new TokenStore(sql).listAll().map((facts) => ({ id: facts.id, facts }));
    return { ...this.#readDirectoryBase(['users', 'lists', 'rulesets']), zones: [], tokens };
  }

  listZonePart(after: number): { readonly zones: ZoneFacts[]; readonly next: number | undefined } {
    return new ZoneStore(this.ctx.storage.sql).listPart(after, zonesLoadedAtOnceMax);
  }

  /** The changes since a revision of the directory. */
  readDirectoryChanges(revision: number): DirectoryChanges {
    const { sql } = this.ctx.storage;
    const [zones, tokens] = [new ZoneStore(sql), new TokenStore(sql)];
    const changed = new DirectoryChangeStore(sql).listSince(revision);
    const listIds = (wanted: string): string[] =>
      changed.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    return {
      ...this.#readDirectoryBase(changed.map(({ kind }) => kind)),
      ...this.#checkComplete(revision),
      zones: listIds('zone').map((id) => ({ id, facts: zones.get(id) })),
      tokens: listIds('token').map((id) => ({ id, facts: tokens.get(id) })),
    };
  }

  #checkComplete(revision: number): Pick<DirectoryChanges, 'isIncomplete'> {
    const { directoryRevisionsKept: kept } = this.env;
    const newest = this.#row?.revision ?? 0;
    return kept === 0 || revision >= newest - kept ? {} : { isIncomplete: true };
  }

  #readDirectoryBase(kinds: readonly string[]): Omit<DirectoryChanges, 'zones' | 'tokens'> {
    const { sql } = this.ctx.storage;
    const row = this.#row;
    const isCustom = ({ kind }: { readonly kind: string }): boolean => kind === 'custom';
    return {
      revision: row?.revision ?? 0,
      account: row && { id: row.id, name: row.name, createdAtMs: row.createdAtMs },
      zonesToErase: new ZoneStore(sql).listToErase(),
      users: kinds.includes('users') ? userTable.list(sql) : undefined,
      lists: kinds.includes('lists') ? new ListStore(sql).readFacts() : undefined,
      customRulesets: kinds.includes('rulesets')
        ? new RulesetStore(sql).listSummaries().filter(isCustom)
        : undefined,
    };
  }

  get #row(): RowOf<typeof accountTable> | undefined {
    return accountTable.get(this.ctx.storage.sql);
  }
}

function parse(value: string | null): object | undefined {
  return value === null ? undefined : (JSON.parse(value) as object);
}
