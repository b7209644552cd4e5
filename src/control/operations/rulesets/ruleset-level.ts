/**
 * The two levels at which rulesets live. Handlers are written once, for a level; what differs between a zone and the
 * account is here.
 */
import { deployableManaged } from '#managed';
import {
  type DeployableRuleset,
  type Level,
  type Ruleset,
  type RulesetContext,
  type RulesetSummary,
} from '#firewall';
import type { Plan } from '#expressions';
import type { Message } from '#api';
import { applyMigration, type MigrationRequest } from '../../migration/entry-point-migration.ts';
import { migrationNotes } from '../../migration/notes.ts';
import type { Context, ZoneContext } from '../../context/handler.ts';
import { checkBeforeMigration, type SentBody } from './before-migration.ts';
import { RulesetStore } from '../../stores/ruleset-store.ts';

export interface RulesetLevel {
  readonly name: Level;
  readonly context: Context;
  readonly plan: Plan;
  readonly store: RulesetStore;
  /** What bodies are checked against. */
  readonly checks: RulesetContext;
  /** Custom rulesets of the account: a zone can neither deploy nor show them, and says where they are. */
  readonly customOfAccount: readonly RulesetSummary[];
  /** Throws a fault for a version that must not be, whatever is right with its body. */
  admit(next: Ruleset, body: SentBody): void;
  /** What the level does otherwise than the ruleset says. */
  notesOn(ruleset: Ruleset): readonly Message[];
}

export interface ZoneLevelOptions {
  /** The call moves the zone to the managed rulesets. */
  readonly migration?: Omit<MigrationRequest, 'ruleset'>;
}

export function zoneLevel(context: ZoneContext, { migration }: ZoneLevelOptions = {}): RulesetLevel {
  const { plan } = context.zone;
  const store = new RulesetStore(context.sql);
  return {
    name: 'zone',
    context,
    plan,
    store,
    checks: checksOf({ name: 'zone', context, plan, store }),
    customOfAccount: context.directory.data.customRulesets,
    admit(next, body) {
      if (migration === undefined) checkBeforeMigration(context, next, body);
      else applyMigration(context, { ...migration, ruleset: next });
    },
    notesOn: (ruleset) => migrationNotes(context, ruleset),
  };
}

export function accountLevel(context: Context): RulesetLevel {
  const plan = context.directory.largestPlan;
  const store = new RulesetStore(context.sql);
  return {
    name: 'account',
    context,
    plan,
    store,
    checks: checksOf({ name: 'account', context, plan, store }),
    customOfAccount: [],
    admit: () => {},
    notesOn: () => [],
  };
}

function checksOf({
  name,
  context,
  plan,
  store,
}: Pick<RulesetLevel, 'name' | 'context' | 'plan' | 'store'>): RulesetContext {
  // Every rule of a body may ask for the same one.
  const customs = new Map<string, DeployableRuleset | undefined>();
  return {
    level: name,
    plan,
    lists: context.directory.listKinds,
    managed: deployableManaged,
    custom(id) {
      if (!customs.has(id)) customs.set(id, deployableCustom(store.get(id)));
      return customs.get(id);
    },
    hasEntryPoint: (phase) => store.hasEntryPoint(phase),
  };
}

function deployableCustom(ruleset: Ruleset | undefined): DeployableRuleset | undefined {
  if (ruleset?.kind !== 'custom') return undefined;
  const ids = new Set(ruleset.rules.map(({ id }) => id));
  return {
    phase: ruleset.phase,
    plan: 'enterprise',
    rule: (id) => (ids.has(id) ? { hasThreshold: false } : undefined),
    hasCategory: () => false,
  };
}
