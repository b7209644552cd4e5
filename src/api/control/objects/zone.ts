/** The object of a zone: all of its rules and settings. Its name is the zone's id. */
import { workTurns } from '#work';
import type { DurableObjectState } from '#objects';
import { fault, genericCodes } from '#contract';
import type { ZonePart } from '#firewall';
import type { LearnedBatch } from '#learning';
import { accessRuleHandlers } from '../operations/access-rules/access-rule-handlers.ts';
import { bundleHandlers } from '../operations/bundle/bundle-handlers.ts';
import { ControlObject } from './control-object.ts';
import { system } from '../context/caller.ts';
import type { DirectoryPoint } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import type { Context, Tasks, ZoneContext } from '../context/handler.ts';
import { customCertificateHandlers } from '../operations/certificates/custom-certificate-handlers.ts';
import { customCertificateTable } from '../stores/certificates/custom-certificates.ts';
import { universalSslHandlers } from '../operations/certificates/universal-ssl-handlers.ts';
import { certificateProofTable, readConfiguredProofs } from '../stores/certificates/proofs.ts';
import {
  type ManagedCertificate,
  managedCertificateTable,
} from '../stores/certificates/managed-certificates.ts';
import { createAccountKey, renewalTask, workOnCertificate } from '../certificates/certificate-work.ts';
import { listKnownCertificates } from '../certificates/known-certificates.ts';
import type { KnownCertificate } from '../stores/certificates/zone-certificates.ts';
import type { AuditEnd, Link } from '../stores/audit/audit-trail.ts';
import { resumeMs } from '../certificates/limits.ts';
import { readConfiguredCertificates } from '../configuration/configured-certificates.ts';
import { edgeHandlers } from '../operations/edge/edge-handlers.ts';
import { protectionStateHandlers } from '../operations/protection/protection-state.ts';
import { edgeTable, readEdgeSettings } from '../stores/edge.ts';
import { readZonePart } from '../configuration/zone-configuration.ts';
import { filterHandlers } from '../operations/filters/filter-handlers.ts';
import { filterTable } from '../stores/filters.ts';
import { firewallRuleHandlers } from '../operations/firewall-rules/firewall-rule-handlers.ts';
import { firewallRuleTable } from '../stores/firewall-rules.ts';
import { type References, countReferencesInZone } from '../stores/lists/list-references.ts';
import { accessRuleTable } from '../stores/access-rules.ts';
import { lockdownHandlers } from '../operations/lockdowns/lockdown-handlers.ts';
import { lockdownTable } from '../stores/lockdowns.ts';
import { userAgentRuleHandlers } from '../operations/user-agent-rules/user-agent-rule-handlers.ts';
import { userAgentRuleTable } from '../stores/user-agent-rules.ts';
import { migrationHandlers, migrationTasks } from '../operations/migration/migration-handlers.ts';
import { migrationTable, migrationWatchTable } from '../stores/migration.ts';
import { pageRuleHandlers } from '../operations/page-rules/page-rule-handlers.ts';
import { pageRuleTable } from '../stores/page-rules.ts';
import { groupHandlers } from '../operations/managed-rules/group-handlers.ts';
import { overrideHandlers } from '../operations/managed-rules/override-handlers.ts';
import { packageHandlers } from '../operations/managed-rules/package-handlers.ts';
import { legacyWafTables } from '../stores/managed-rules.ts';
import { ruleHandlers } from '../operations/managed-rules/rule-handlers.ts';
import { findRuleSource, noteRuleEnd, ruleEndTable } from '../configuration/rule-ends.ts';
import type { TakenOutOfForce } from '../configuration/out-of-force.ts';
import { rateLimitHandlers } from '../operations/rate-limits/rate-limit-handlers.ts';
import { rateLimitTable } from '../stores/rate-limits.ts';
import { rulesetTables } from '../stores/rulesets.ts';
import { zoneRulesetHandlers } from '../operations/rulesets/zone-ruleset-handlers.ts';
import { learningHandlers } from '../operations/learning/learning-handlers.ts';
import { addLearned, learnedTables } from '../stores/learning.ts';
import { savedViewHandlers } from '../operations/events/saved-view-handlers.ts';
import { savedViewTable } from '../stores/events.ts';
import { settingHandlers } from '../operations/settings/setting-handlers.ts';
import { urlNormalizationHandlers } from '../operations/settings/url-normalization-handlers.ts';
import { settingTable } from '../stores/settings.ts';
import { eraseAllButAudit } from './erasure.ts';

const zoneHandlers = {
  ...filterHandlers,
  ...firewallRuleHandlers,
  ...accessRuleHandlers,
  ...lockdownHandlers,
  ...userAgentRuleHandlers,
  ...rateLimitHandlers,
  ...pageRuleHandlers,
  ...settingHandlers,
  ...urlNormalizationHandlers,
  ...zoneRulesetHandlers,
  ...packageHandlers,
  ...groupHandlers,
  ...ruleHandlers,
  ...overrideHandlers,
  ...migrationHandlers,
  ...bundleHandlers,
  ...edgeHandlers,
  ...protectionStateHandlers,
  ...customCertificateHandlers,
  ...universalSslHandlers,
  ...savedViewHandlers,
  ...learningHandlers,
};

const tables = [
  filterTable,
  firewallRuleTable,
  accessRuleTable,
  lockdownTable,
  userAgentRuleTable,
  rateLimitTable,
  migrationTable,
  migrationWatchTable,
  pageRuleTable,
  ...legacyWafTables,
  settingTable,
  ...rulesetTables,
  edgeTable,
  ruleEndTable,
  customCertificateTable,
  managedCertificateTable,
  certificateProofTable,
  savedViewTable,
  ...learnedTables,
];

export class Zone extends ControlObject<ZoneContext> {
  protected readonly handlers = zoneHandlers;
  protected readonly tasks: Tasks<ZoneContext> = {
    ...migrationTasks,
    // The work is done outside of the transaction; this reschedules it in case the process dies meanwhile.
    [renewalTask]: ({ schedule, nowMs }) => schedule(renewalTask, { dueMs: nowMs + resumeMs }),
  };
  #certificateWork: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, { tables });
  }

  protected extendContext(context: Context): ZoneContext {
    const zone = context.directory.zones.get(this.ctx.id.name ?? '');
    // The zone was deleted while the call was on its way.
    if (zone === undefined) throw fault(genericCodes.zoneNotFound);
    const { acme, checkOrigin, keySealer } = this.env;
    return { ...context, acme, zone, checkOrigin, keySealer, transaction: (work) => this.transaction(work) };
  }

  override async alarm(): Promise<void> {
    await super.alarm();
    // Not awaited: an authority can be slow, and other tasks of the zone must not wait for it.
    this.#certificateWork ??= this.#workOnCertificate().finally(() => (this.#certificateWork = undefined));
    this.ctx.waitUntil(this.#certificateWork);
  }

  /** The wanted names may change during an attempt: then they are attempted next. */
  async #workOnCertificate(): Promise<void> {
    let attempted: ManagedCertificate | undefined;
    do attempted = await this.#attemptCertificate();
    while (attempted !== undefined && !this.#isWanted(attempted));
  }

  /**
   * Returns the certificate of the attempt; undefined if there was nothing to do, or if an error was not the
   * authority's.
   */
  async #attemptCertificate(): Promise<ManagedCertificate | undefined> {
    const nowMs = Date.now();
    const certificate = managedCertificateTable.get(this.ctx.storage.sql);
    if (certificate?.isEnabled !== true || (certificate.dueAtMs ?? Infinity) > nowMs) return undefined;
    const { acme, keySealer, onError } = this.env;
    const keep = async (changed: ManagedCertificate): Promise<void> => {
      this.#keepCertificate(certificate, changed);
      await this.ctx.storage.sync();
    };
    const keepProof = async (host: string, digest: string | undefined): Promise<void> => {
      this.perform({ operation: 'zone.certificate_proof', actor: system }, ({ sql }) => {
        if (digest === undefined) certificateProofTable.remove(sql, host);
        else certificateProofTable.put(sql, { host, digest });
      });
      await this.ctx.storage.sync();
    };
    try {
      await keep(await workOnCertificate({ certificate, acme, keySealer, nowMs, keep, keepProof }));
      return certificate;
    } catch (error) {
      // The scheduled task will retry.
      onError(error);
      return undefined;
    }
  }

  /** Whether a certificate for these names is still what the owner wants. */
  #isWanted({ hosts }: ManagedCertificate): boolean {
    const now = managedCertificateTable.get(this.ctx.storage.sql);
    return now !== undefined && now.isEnabled && now.hosts.join() === hosts.join();
  }

  #keepCertificate(before: ManagedCertificate, after: ManagedCertificate): void {
    this.perform({ operation: 'zone.certificate', actor: system }, ({ sql, schedule, audit, zone }) => {
      if (!this.#isWanted(before)) return;
      managedCertificateTable.put(sql, after);
      if (after.orderUrl === null && after.dueAtMs !== null) schedule(renewalTask, { dueMs: after.dueAtMs });
      if (after.chain !== before.chain || after.problem !== before.problem) {
        const shown = ({ expiresAtMs, problem }: ManagedCertificate) => ({ expiresAtMs, problem });
        audit({ resource: 'certificate', id: zone.id, before: shown(before), after: shown(after) });
      }
    });
  }

  /** Adds the account's facts about the certificates. */
  override readAuditEnd(known: Link): AuditEnd & { readonly certificates: readonly KnownCertificate[] } {
    return { ...super.readAuditEnd(known), certificates: listKnownCertificates(this.ctx.storage.sql) };
  }

  /** The edge's configuration of the zone; undefined after the zone was deleted. */
  async readConfiguration(point?: DirectoryPoint): Promise<ZonePart | undefined> {
    if (point !== undefined) await this.env.directory.reach(point);
    const { directory } = this.env;
    const zone = directory.zones.get(this.ctx.id.name ?? '');
    if (zone === undefined) return undefined;
    const { sql } = this.ctx.storage;
    const certificates = readConfiguredCertificates(sql, this.env);
    const isManaged = managedCertificateTable.get(sql)?.isEnabled === true;
    const acmeProofs = readConfiguredProofs(sql);
    return {
      ...readZonePart(sql, zone, this.changeCount + directory.revision),
      ...(certificates.length === 0 ? {} : { certificates }),
      ...(isManaged ? { acmeThumbprint: createAccountKey(this.env.keySealer).thumbprint } : {}),
      ...(acmeProofs === undefined ? {} : { acmeProofs }),
    };
  }

  /** The evaluation of a rule did not finish. Returns the rule if this has just disabled it. */
  noteRuleEnd({
    rule,
    reason,
  }: {
    readonly rule: string;
    readonly reason: string;
  }): TakenOutOfForce | undefined {
    let taken: TakenOutOfForce | undefined;
    this.perform({ operation: 'zone.rule_out_of_force', actor: system }, ({ sql, nowMs, audit }) => {
      const end = noteRuleEnd(sql, { rule, reason, nowMs });
      if (end === undefined) return;
      const { ends } = end;
      audit({ resource: 'rule', id: rule, before: { in_force: true }, after: { in_force: false, reason } });
      taken = { rule, ends, reason, source: findRuleSource(sql, rule) };
    });
    return taken;
  }

  /** Adds what an edge has learned about values; returns how many were accepted. */
  learn(batch: LearnedBatch): number {
    let taken = 0;
    if ((readEdgeSettings(this.ctx.storage.sql).learning ?? 'off') === 'off') return taken;
    this.perform({ operation: 'zone.learn', actor: system }, ({ sql, nowMs }) => {
      taken = addLearned(sql, batch, nowMs);
    });
    return taken;
  }

  /** When the zone took the first step of its migration; undefined before that. */
  async readMigrationStart(): Promise<number | undefined> {
    return migrationTable.get(this.ctx.storage.sql)?.createdAtMs;
  }

  /** Counts the filters and rules of the zone that name each list. */
  async countListReferences(names: readonly string[], point?: DirectoryPoint): Promise<References> {
    if (point !== undefined) await this.env.directory.reach(point);
    return await workTurns.run(countReferencesInZone(this.ctx.storage.sql, names));
  }

  /** Deletes everything except the audit log, after the zone was deleted. */
  erase(): void {
    eraseAllButAudit(this.ctx.storage);
  }
}
