/** The zones that have the legacy managed rules: those of a plan that includes them, until they are migrated. */
import { includesPlan, notEntitled, type Plan } from '#rulesets';
import { entryOf, fault, wafCodes } from '#contract';
import type { ZoneContext } from '../../context/handler.ts';
import { isMigrated } from '../../stores/migration.ts';

interface LegacyWafProduct {
  /** The name used in messages. */
  readonly name: string;
  readonly needed: Plan;
}

export const wafPackages: LegacyWafProduct = { name: 'WAF packages', needed: 'pro' };
export const wafOverrides: LegacyWafProduct = { name: 'WAF overrides', needed: 'enterprise' };

/** Every operation except lists must call this first. */
export function requireProduct(context: ZoneContext, product: LegacyWafProduct): void {
  const reason = explainNotIncluded(context, product);
  if (reason !== undefined) throw fault(wafCodes.wafNotEntitled, { fill: { what: product.name, reason } });
}

/**
 * The list of a product that the plan does not include is empty, with a message that says why: clients iterate over zones of
 * all plans.
 */
export function hasProduct(context: ZoneContext, product: LegacyWafProduct): boolean {
  const reason = explainNotIncluded(context, product);
  if (reason === undefined) return true;
  const { code, message } = entryOf(wafCodes.wafNotEntitled, { fill: { what: product.name, reason } });
  context.addMessage({ code, message });
  return false;
}

function explainNotIncluded(context: ZoneContext, { name, needed }: LegacyWafProduct): string | undefined {
  if (isMigrated(context)) throw fault(wafCodes.wafMigrated, { fill: { what: name } });
  const { plan } = context.zone;
  return includesPlan(plan, needed) ? undefined : notEntitled(name, { plan, needed });
}
