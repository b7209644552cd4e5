/**
 * IP access rules, before all other rules. Of the rules that match a request, one that allows has precedence; then the
 * most specific applies, and among equals the zone's before the account's, and that before a user's.
 *
 * An allowed request is not judged further, with one exception of Cloudflare's: an allowed country bypasses the rules
 * of the zone, but managed rules still apply. Allowing creates no event.
 */
import { Ip } from '#addresses';
import { getSlot, type RequestView, scheme } from '#expressions';
import {
  type AccessTarget,
  formatAddressKey,
  formatAsnKey,
  formatCountryKey,
  formatRangeKey,
  rangePrefixes,
  products,
} from '#rulesets';
import type { ConfiguredAccessRule, ZoneConfiguration } from '../configuration.ts';
import type { Source } from '../judgement.ts';
import type { JudgingStep, JudgingRun } from '../run.ts';

const addressSlot = getSlot(scheme.fields.get('ip.src')!);
const asnSlot = getSlot(scheme.fields.get('ip.src.asnum')!);
const countrySlot = getSlot(scheme.fields.get('ip.src.country')!);

/** Cloudflare's code for an unknown country. */
const unknownCountry = 'XX';

/** The names in the activity log. */
const sourceOfTarget: Readonly<Record<AccessTarget, Source>> = {
  ip: 'ip',
  ip6: 'ip',
  ip_range: 'iprange',
  asn: 'asn',
  country: 'country',
};

/** What an allowed country bypasses: all rules of the zone about visitors except managed rules. */
const phasesOfZone = ['http_request_firewall_custom', 'http_ratelimit'];
const productsOfZone = ['firewallRules', ...products.filter((product) => product !== 'waf')];

type RulesByKey = ReadonlyMap<string, ConfiguredAccessRule>;

/** The rules of the account are many, and all its zones share the same array. */
const rulesByArray = new WeakMap<readonly ConfiguredAccessRule[], RulesByKey>();

function toRulesByKey(rules: readonly ConfiguredAccessRule[]): RulesByKey {
  let byKey = rulesByArray.get(rules);
  if (byKey === undefined) rulesByArray.set(rules, (byKey = createRulesByKey(rules)));
  return byKey;
}

/** The account and its users may have rules with the same target. */
function createRulesByKey(rules: readonly ConfiguredAccessRule[]): RulesByKey {
  const byKey = new Map<string, ConfiguredAccessRule>();
  for (const rule of rules) {
    if (rule.mode === 'whitelist' || !byKey.has(rule.key)) byKey.set(rule.key, rule);
  }
  return byKey;
}

export class AccessRulesStep implements JudgingStep {
  readonly readsBody = false;
  /** The zone's before the account's. */
  readonly #lists: readonly RulesByKey[];
  readonly #ruleCount: number;

  private constructor(lists: readonly RulesByKey[]) {
    this.#lists = lists;
    this.#ruleCount = lists.reduce((count, { size }) => count + size, 0);
  }

  /** Empty for a zone without such rules. */
  static create({ accessRules = [], accountAccessRules = [] }: ZoneConfiguration): AccessRulesStep[] {
    const lists = [accessRules, accountAccessRules].filter(({ length }) => length > 0);
    return lists.length === 0 ? [] : [new AccessRulesStep(lists.map(toRulesByKey))];
  }

  run(run: JudgingRun): void {
    const rule = this.#find(run.view);
    const { target = 'ip', scope = 'zone' } = rule ?? {};
    run.report(
      { source: sourceOfTarget[target], level: scope === 'zone' ? 'zone' : 'account' },
      { ruleCount: this.#ruleCount, ruleId: rule?.id },
    );
    if (rule !== undefined) act(run, rule);
  }

  #find(view: RequestView): ConfiguredAccessRule | undefined {
    let found: ConfiguredAccessRule | undefined;
    for (const key of listKeys(view)) {
      for (const rules of this.#lists) {
        const rule = rules.get(key);
        if (rule?.mode === 'whitelist') return rule;
        found ??= rule;
      }
    }
    return found;
  }
}

/** The keys of rules that would match the request, the most specific first. */
function* listKeys(view: RequestView): Generator<string> {
  const ip = view.get(addressSlot);
  if (ip instanceof Ip) {
    yield formatAddressKey(ip);
    for (const prefixLength of rangePrefixes[ip.family]) yield formatRangeKey(ip, prefixLength);
  }
  const asn = view.get(asnSlot);
  if (asn !== 0) yield formatAsnKey(Number(asn));
  yield formatCountryKey((view.get(countrySlot) as string) || unknownCountry);
}

function act(run: JudgingRun, { id, target, mode, notes }: ConfiguredAccessRule): void {
  if (mode !== 'whitelist') {
    run.act(mode, {
      source: sourceOfTarget[target],
      ruleId: id,
      rulesetId: '',
      ref: '',
      description: notes,
    });
    return;
  }
  if (target !== 'country') {
    run.isAllowed = true;
    return;
  }
  for (const phase of phasesOfZone) run.skippedPhases.set(phase, id);
  for (const product of productsOfZone) run.skippedProducts.set(product, id);
}
