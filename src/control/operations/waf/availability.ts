/** Who has the previous managed rules: zones of a plan that includes them, until they are migrated. */
import { includesPlan, notEntitled } from '#firewall';
import type { Plan } from '#expressions';
import { entryOf, fault, wafCodes } from '#api';
import type { ZoneContext } from '../../context/handler.ts';
import { isMigrated } from '../../stores/migration-store.ts';

interface PreviousProduct {
  /** In messages. */
  readonly name: string;
  readonly needed: Plan;
}

export const wafPackages: PreviousProduct = { name: 'WAF packages', needed: 'pro' };
export const wafOverrides: PreviousProduct = { name: 'WAF overrides', needed: 'enterprise' };

/** To be called first by every operation but lists. */
export function requireProduct(context: ZoneContext, product: PreviousProduct): void {
  const reason = whyNotIncluded(context, product);
  if (reason !== undefined) throw fault(wafCodes.wafNotEntitled, { fill: { what: product.name, reason } });
}

/** A list of what the plan does not include is empty, and says why: clients walk through zones of all plans. */
export function hasProduct(context: ZoneContext, product: PreviousProduct): boolean {
  const reason = whyNotIncluded(context, product);
  if (reason === undefined) return true;
  const { code, message } = entryOf(wafCodes.wafNotEntitled, { fill: { what: product.name, reason } });
  context.say({ code, message });
  return false;
}

function whyNotIncluded(context: ZoneContext, { name, needed }: PreviousProduct): string | undefined {
  if (isMigrated(context)) throw fault(wafCodes.wafMigrated, { fill: { what: name } });
  const { plan } = context.zone;
  return includesPlan(plan, needed) ? undefined : notEntitled(name, { plan, needed });
}
