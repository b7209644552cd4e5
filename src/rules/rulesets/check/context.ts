/** The context in which a ruleset is checked. */
import type { Plan } from '../plans/plans.ts';
import type { ListKind } from '../list-kinds.ts';
import type { Level } from '../phases.ts';

export interface RulesetContext {
  readonly level: Level;
  readonly plan: Plan;
  /** The name of the zone; undefined for rulesets of an account. */
  readonly zoneName?: string;
  /** The lists that expressions may refer to, without `$`. */
  readonly lists: ReadonlyMap<string, ListKind>;
  /** A ruleset of the managed catalogue. */
  managed(id: string): DeployableRuleset | undefined;
  /** A custom ruleset of the account. */
  custom(id: string): DeployableRuleset | undefined;
  /** Whether the level has an entry point for a phase. */
  hasEntryPoint(phase: string): boolean;
}

/** A ruleset that rules can execute and skip. */
export interface DeployableRuleset {
  readonly phase: string;
  /** The smallest plan that includes it. */
  readonly plan: Plan;
  rule(id: string): DeployableRule | undefined;
  hasCategory(category: string): boolean;
}

interface DeployableRule {
  /** Whether it compares a score, so that its threshold can be overridden. */
  readonly hasThreshold: boolean;
}
