/**
 * The two levels that have rulesets: zone and account. Handlers are written once, for a level; this file contains the
 * differences.
 */
import { findDeployable } from '#managed';
import type { DeployableRuleset, Level, Ruleset, RulesetContext, RulesetSummary, Plan } from '#rulesets';
import type { Message } from '#contract';
import {
  addIdleValidationMessage,
  applyMigration,
  type MigrationRequest,
} from '../../migration/entry-point-migration.ts';
import { listMigrationNotes } from '../../migration/notes.ts';
import { listRulesetOutOfForceNotes } from '../../configuration/out-of-force.ts';
import type { Context, ZoneContext } from '../../context/handler.ts';
import { checkBeforeMigration, type SentBody } from './before-migration.ts';
import { readMigrationState } from '../../stores/migration.ts';
import { RulesetStore } from '../../stores/rulesets.ts';

export interface RulesetLevel {
  readonly name: Level;
  readonly context: Context;
  readonly plan: Plan;
  readonly store: RulesetStore;
  /** The context that bodies are checked against. */
  readonly checks: RulesetContext;
  /** Custom rulesets of the account. A zone can neither deploy nor show them; its error messages say where they are. */
  readonly customOfAccount: readonly RulesetSummary[];
  /** Throws a fault for a version that is not allowed, even if its body is valid. */
  admit(next: Ruleset, body: SentBody): void;
  /** Messages about rules that do not act as the ruleset says. */
  listNotes(ruleset: Ruleset): readonly Message[];
}

export interface ZoneLevelOptions {
  /** Set if the call migrates the zone to the managed rulesets. */
  readonly migration?: Omit<MigrationRequest, 'ruleset'>;
}

export function createZoneLevel(context: ZoneContext, { migration }: ZoneLevelOptions = {}): RulesetLevel {
  const { plan } = context.zone;
  const store = new RulesetStore(context.sql);
  return {
    name: 'zone',
    context,
    plan,
    store,
    checks: { ...createChecks({ name: 'zone', context, plan, store }), zoneName: context.zone.name },
    customOfAccount: context.directory.customRulesets,
    admit(next, body) {
      if (migration === undefined) {
        checkBeforeMigration(context, next, body);
        const isManaged = next.phase === 'http_request_firewall_managed';
        if (isManaged && readMigrationState(context.sql) === 'validation')
          addIdleValidationMessage(context, next);
      } else applyMigration(context, { ...migration, ruleset: next });
    },
    listNotes: (ruleset) => [
      ...listMigrationNotes(context, ruleset),
      ...listRulesetOutOfForceNotes(context, ruleset),
    ],
  };
}

export function createAccountLevel(context: Context): RulesetLevel {
  const plan = context.directory.largestPlan;
  const store = new RulesetStore(context.sql);
  return {
    name: 'account',
    context,
    plan,
    store,
    checks: createChecks({ name: 'account', context, plan, store }),
    customOfAccount: [],
    admit: () => {},
    listNotes: () => [],
  };
}

function createChecks({
  name,
  context,
  plan,
  store,
}: Pick<RulesetLevel, 'name' | 'context' | 'plan' | 'store'>): RulesetContext {
  // Every rule of a body may refer to the same ruleset.
  const customs = new Map<string, DeployableRuleset | undefined>();
  return {
    level: name,
    plan,
    lists: context.directory.listKinds,
    managed: findDeployable,
    custom(id) {
      if (!customs.has(id)) customs.set(id, toDeployable(store.get(id)));
      return customs.get(id);
    },
    hasEntryPoint: (phase) => store.hasEntryPoint(phase),
  };
}

function toDeployable(ruleset: Ruleset | undefined): DeployableRuleset | undefined {
  if (ruleset?.kind !== 'custom') return undefined;
  const ids = new Set(ruleset.rules.map(({ id }) => id));
  return {
    phase: ruleset.phase,
    plan: 'enterprise',
    rule: (id) => (ids.has(id) ? { hasThreshold: false } : undefined),
    hasCategory: () => false,
  };
}
