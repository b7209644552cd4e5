/** The input of the form for a rule in a ruleset. Parts without a field are kept. */
import type { EntryRule, RuleParameters, StoredRule } from '../../../api/managed/entry-point.ts';
import type { RulePhase } from './ruleset-rules.ts';

type Skipped = 'current' | `phase:${string}` | `product:${string}`;

export interface RuleDraft {
  readonly description: string;
  readonly action: EntryRule['action'];
  readonly expression: string;
  readonly paused: boolean;
  readonly skipped: readonly string[];
  /** Whether requests that skip rules are logged. */
  readonly isLogged: boolean;
  /** Only for a rate limit. */
  readonly countedBy: string;
  readonly requests: string;
  readonly period: string;
  readonly timeout: string;
  /** The reason for the change, for its history. */
  readonly reason: string;
}

/** What a custom rule can skip, in the words of the page. */
export const skippable: Readonly<Record<Skipped, string>> = {
  current: 'The custom rules after it',
  'phase:http_ratelimit': 'Rate limits',
  'phase:http_request_firewall_managed': 'Managed rulesets',
  'product:zoneLockdown': 'Zone lockdown',
  'product:uaBlock': 'User agent blocking',
  'product:bic': 'Browser integrity check',
  'product:hot': 'Hotlink protection',
  'product:securityLevel': 'Security level',
  'product:rateLimit': 'Rate limits (previous version)',
  'product:waf': 'Managed rules (previous version)',
};

export function toDraft(rule: StoredRule | undefined): RuleDraft {
  const { action_parameters: parameters = {}, ratelimit: rate } = rule ?? {};
  return {
    description: rule?.description ?? '',
    action: rule?.action ?? 'block',
    expression: rule?.expression ?? '',
    paused: rule === undefined ? false : !rule.enabled,
    skipped: [
      ...(parameters.ruleset === undefined ? [] : ['current']),
      ...(parameters.phases ?? []).map((phase) => `phase:${phase}`),
      ...(parameters.products ?? []).map((product) => `product:${product}`),
    ],
    isLogged: rule?.logging?.enabled ?? true,
    countedBy: (rate?.characteristics ?? ['ip.src', 'cf.colo.id']).join(', '),
    requests: String(rate?.requests_per_period ?? (rate === undefined ? 100 : '')),
    period: String(rate?.period ?? 10),
    timeout: String(rate?.mitigation_timeout ?? (rate === undefined ? 10 : 0)),
    reason: '',
  };
}

export function toRule(draft: RuleDraft, seen: StoredRule | undefined, phase: RulePhase): EntryRule {
  const {
    action_parameters: _parameters,
    logging: _logging,
    description: _description,
    ...others
  } = seen ?? {};
  const description = draft.description.trim();
  const parameters = toParameters(draft, seen);
  return {
    ...others,
    action: draft.action,
    expression: draft.expression.trim(),
    enabled: !draft.paused,
    ...(description === '' ? {} : { description }),
    ...(parameters === undefined ? {} : { action_parameters: parameters }),
    ...(draft.action === 'skip' ? { logging: { enabled: draft.isLogged } } : {}),
    ...(phase === 'http_ratelimit' ? { ratelimit: toRate(draft, seen) } : {}),
  };
}

function toParameters(draft: RuleDraft, seen: StoredRule | undefined): RuleParameters | undefined {
  if (draft.action !== 'skip') return seen?.action === draft.action ? seen.action_parameters : undefined;
  const pick = (kind: string): string[] =>
    draft.skipped.filter((each) => each.startsWith(kind)).map((each) => each.slice(kind.length));
  const [phases, products] = [pick('phase:'), pick('product:')];
  return {
    ...(draft.skipped.includes('current') ? { ruleset: 'current' } : {}),
    ...(phases.length === 0 ? {} : { phases }),
    ...(products.length === 0 ? {} : { products }),
  } as RuleParameters;
}

function toRate(draft: RuleDraft, seen: StoredRule | undefined): NonNullable<EntryRule['ratelimit']> {
  const { requests_per_period: _requests, ...others } = seen?.ratelimit ?? {};
  return {
    ...others,
    characteristics: draft.countedBy
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    period: Number(draft.period),
    mitigation_timeout: Number(draft.timeout),
    ...(draft.requests.trim() === '' ? {} : { requests_per_period: Number(draft.requests) }),
  };
}
