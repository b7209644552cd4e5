/** The exceptions that an event can have, the narrowest first, made for the configuration as it is now. */
import type { Zone } from '../../../api/types.ts';
import type { Explained } from '../explained.ts';
import { proposeForCustomRule } from './custom-rule.ts';
import { proposeForFirewallRule } from './firewall-rule.ts';
import { proposeForLongBody } from './long-body.ts';
import { proposeForLegacyRule } from './legacy-rule.ts';
import { proposeForManagedRule } from './managed-rule.ts';
import { type Excepted, type Proposal, readExcepted } from './proposal.ts';

type Propose = (excepted: Excepted) => Promise<readonly Proposal[]>;

const products: ReadonlyMap<string, Propose> = new Map(
  Object.entries({
    firewallrules: proposeForFirewallRule,
    firewallCustom: proposeForCustomRule,
    firewallManaged: proposeForManagedRule,
    waf: proposeForLegacyRule,
  }),
);

/** Rules that let requests through need no exception, nor does a challenge that was solved. */
const letsThrough = /^(?:allow|bypass|skip)$|bypassed$|solved$/;

export function canBeExcepted({ action, source, ruleId }: Explained['event']): boolean {
  // These stand for no rule: the request itself cannot be read in one way, or not be judged in full.
  const isRule = !['ambiguous-path', 'judging-budget'].includes(ruleId);
  return isRule && !letsThrough.test(action) && products.has(source);
}

/** None if the rule is no longer there. */
export async function listProposals(zone: Zone, explained: Explained): Promise<readonly Proposal[]> {
  if (explained.event.ruleId === 'inspection-limit') return proposeForLongBody(explained);
  const { id, account, plan } = zone;
  const propose = products.get(explained.event.source);
  const excepted = readExcepted({ id, accountId: account.id, plan: plan.legacy_id }, explained);
  return propose === undefined ? [] : propose(excepted);
}
