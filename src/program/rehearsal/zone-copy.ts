/**
 * A copy of a zone in a separate control plane, in a temporary directory that is deleted at the end. It is built and
 * migrated by the operations that a client calls, under a clock that this class moves, so that nothing waits.
 */
import { ApiError, type Client, type Envelope, type ErrorEntry, type Result } from '#client';
import { VirtualClock } from '#base';
import type { ZoneConfiguration } from '#firewall';
import { itemsPerCall } from './limits.ts';
import { RehearsalError } from './rehearsal-error.ts';
import {
  type ListedFirewallRule,
  type ConfigRule,
  type MigrationConfig,
  readFirewallRules,
  type SnapshotRule,
  type SnapshotRuleset,
  type ZoneSnapshot,
} from './snapshot.ts';
import { TemporaryAccount } from './temporary-account.ts';

type CallMethod = Parameters<Client['ask']>[0];

const managedEntryPoint = '/rulesets/phases/http_request_firewall_managed/entrypoint';

export class ZoneCopy implements AsyncDisposable {
  readonly #account: TemporaryAccount;
  /** Ids of the copy, with the corresponding ids of the zone. */
  readonly #originalIds = new Map<string, string>();
  #zoneId = '';

  private constructor(account: TemporaryAccount) {
    this.#account = account;
  }

  static async create(snapshot: ZoneSnapshot): Promise<ZoneCopy> {
    const account = await TemporaryAccount.open(new VirtualClock());
    const copy = new ZoneCopy(account);
    try {
      await copy.#fill(snapshot);
      return copy;
    } catch (error) {
      await copy[Symbol.asyncDispose]();
      throw account.failures[0] ?? error;
    }
  }

  /** The configuration by which an edge would now evaluate the copy's requests. */
  async readConfiguration(): Promise<ZoneConfiguration> {
    return (await this.#account.control.configurations.readConfiguration(this.#zoneId))!;
  }

  async check(): Promise<{ readonly compatible: boolean; readonly messages: readonly ErrorEntry[] }> {
    const path = '/waf_migration/check?phase_two=1';
    const { result, messages } = await this.#do<Result<'migration.check'>>('GET', path);
    return { compatible: result.compatible, messages };
  }

  async readEntryPoint(): Promise<MigrationConfig> {
    const { result } = await this.#do<SnapshotRuleset>('GET', managedEntryPoint);
    const { name, description, rules } = result;
    return { name, description, rules: rules.map(toRuleContent) };
  }

  /** Deploys the configuration and lets the zone turn off its legacy rules. */
  async migrate(config: MigrationConfig): Promise<void> {
    await this.#do('PUT', `${managedEntryPoint}?waf_migration=pending&phase_two=1`, config);
    await this.#account.clock.advance(60_000);
    const { result } = await this.#do<Result<'migration.status'>>('GET', '/waf_migration/status');
    const { migration_state: state } = result;
    if (state !== 'complete')
      throw new RehearsalError(`the copy did not finish its migration: its state is ${state}`);
  }

  /** After the migration: replaces the rules, with the checks of the zone. */
  async replaceRules(config: MigrationConfig): Promise<void> {
    await this.#do('PUT', managedEntryPoint, config);
  }

  /** The id in the zone of a rule or ruleset of the copy. */
  findOriginalId(id: string): string {
    return this.#originalIds.get(id) ?? id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#account[Symbol.asyncDispose]();
  }

  async #fill(snapshot: ZoneSnapshot): Promise<void> {
    const { zone, bundle } = snapshot;
    const { accountId } = this.#account.control.directory;
    for (const list of snapshot.lists) await this.#addList(`/accounts/${accountId}/rules/lists`, list);
    const replaced = new Map<string, string>();
    for (const ruleset of snapshot.accountRulesets) await this.#addRuleset(accountId, ruleset, replaced);
    await this.#addZone(zone.name, zone.plan.legacy_id);
    await this.#do('PUT', '/url_normalization', snapshot.urlNormalization);
    const { over_inspection_limit } = snapshot.edge;
    await this.#do('PUT', '/edge', { over_inspection_limit });
    await this.#do('POST', '/import?mode=replace', replaceIds(bundle, replaced));
    if (bundle.migration?.migration_state === 'validation') {
      const watch = snapshot.isWatched ? '&watch=true' : '';
      const rules = await this.readEntryPoint();
      await this.#do('PUT', `${managedEntryPoint}?waf_migration=validation&phase_two=1${watch}`, rules);
    }
    await this.#learnIds(snapshot);
  }

  async #addList(path: string, { name, kind, items }: ZoneSnapshot['lists'][number]): Promise<void> {
    const { id } = (await this.#ask<Result<'lists.create'>>('POST', path, { name, kind })).result;
    for (let start = 0; start < items.length; start += itemsPerCall) {
      await this.#ask('POST', `${path}/${id}/items`, items.slice(start, start + itemsPerCall));
      await this.#account.clock.advance(1_000);
    }
  }

  async #addRuleset(
    accountId: string,
    ruleset: SnapshotRuleset,
    replaced: Map<string, string>,
  ): Promise<void> {
    const path = `/accounts/${accountId}/rulesets`;
    const { name, description, kind, phase } = ruleset;
    const rules = replaceIds((ruleset.rules ?? []).map(toRuleContent), replaced);
    const { result } =
      kind === 'root'
        ? await this.#ask<SnapshotRuleset>('PUT', `${path}/phases/${phase}/entrypoint`, {
            name,
            description,
            rules,
          })
        : await this.#ask<SnapshotRuleset>('POST', path, { name, description, kind, phase, rules });
    const created = result;
    replaced.set(ruleset.id, created.id);
    this.#originalIds.set(created.id, ruleset.id);
    this.#learnRuleIds(created.rules, ruleset.rules);
  }

  /** A new account has demonstration zones, and one of them may have the name. */
  async #addZone(name: string, plan: string): Promise<void> {
    for (const other of [...this.#account.control.directory.zones.values()]) {
      if (other.name === name) await this.#ask('DELETE', `/zones/${other.id}`);
    }
    this.#zoneId = (await this.#ask<Result<'zones.create'>>('POST', '/zones', { name })).result.id;
    if (plan !== 'free') await this.#do('PATCH', '', { plan: { id: plan } });
  }

  async #learnIds(snapshot: ZoneSnapshot): Promise<void> {
    const copied = await readFirewallRules(this.#account.client, this.#zoneId);
    const originals = Map.groupBy(snapshot.firewallRules, describeFirewallRule);
    for (const rule of copied) {
      const original = originals.get(describeFirewallRule(rule))?.shift();
      if (original !== undefined) this.#originalIds.set(rule.id, original.id);
    }
    const { result: exported } = await this.#do('GET', '/export');
    const rulesets = (snapshot.bundle['rulesets'] ?? []) as readonly SnapshotRuleset[];
    for (const { phase, rules } of (exported as { rulesets?: readonly SnapshotRuleset[] }).rulesets ?? []) {
      this.#learnRuleIds(rules, rulesets.find((original) => original.phase === phase)?.rules);
    }
  }

  #learnRuleIds(copied: readonly SnapshotRule[] = [], originals: readonly SnapshotRule[] = []): void {
    for (const [index, { id }] of copied.entries()) {
      const original = originals[index];
      if (original !== undefined) this.#originalIds.set(id, original.id);
    }
  }

  /** The path is relative to that of the zone. */
  #do<T>(method: CallMethod, path: string, body?: unknown): Promise<Envelope<T>> {
    return this.#ask(method, `${this.#path}${path}`, body);
  }

  get #path(): string {
    return `/zones/${this.#zoneId}`;
  }

  async #ask<T>(method: CallMethod, path: string, body?: unknown): Promise<Envelope<T>> {
    return this.#account.client.ask<T>(method, path, { body }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      const reasons = error.errors.map(({ code, message }) => `${message} (${code})`).join('; ');
      const call = `${method} ${path.replace(this.#zoneId, 'ZONE')}`;
      throw new RehearsalError(`the copy refused ${call}: ${reasons}`, { cause: error });
    });
  }
}

/** The common properties of a firewall rule and its copy. */
function describeFirewallRule(rule: ListedFirewallRule): string {
  const { action, priority, products, description, ref, paused, filter } = rule;
  const expression = 'expression' in filter ? filter.expression : undefined;
  return JSON.stringify([action, priority, products, description, ref, paused, expression]);
}

/** A rule as a client sends it, without the fields that the service adds. */
/** Only managed rules have no expression. */
function toRuleContent(rule: SnapshotRule): ConfigRule {
  const { id: _id, version: _version, last_updated: _updated, ...content } = rule;
  return { ...content, expression: content.expression ?? '' };
}

/** Ids are 32 random digits, so they do not occur by chance. */
function replaceIds<Value>(value: Value, replaced: ReadonlyMap<string, string>): Value {
  if (replaced.size === 0) return value;
  const text = JSON.stringify(value).replaceAll(/[0-9a-f]{32}/g, (id) => replaced.get(id) ?? id);
  return JSON.parse(text) as Value;
}
