/** The ruleset that replaces the legacy WAF's package of signatures. */
import {
  contentUpdated,
  contentVersion,
  type ManagedRule,
  type ManagedRuleset,
  paidPlans,
} from '../managed-ruleset.ts';
import { deriveId } from '../rule-id.ts';
import { rulesetIds } from '../ruleset-ids.ts';
import { signatures } from '../signatures/all.ts';
import type { Signature } from '../signatures/signature.ts';

const id = rulesetIds.managed;

export const managed: ManagedRuleset = {
  id,
  name: 'Cloudflare Managed Ruleset',
  description: 'Attacks on web applications of any kind and known holes of common software.',
  phase: 'http_request_firewall_managed',
  version: contentVersion,
  lastUpdated: contentUpdated,
  plans: paidPlans,
  rules: signatures.map((signature) => {
    const ruleId = getManagedRuleId(signature);
    const sure = signature.sure && { ...signature.sure, ruleId: deriveId(id, signature.sure.legacyId) };
    return { ...toRule(signature), id: ruleId, ref: ruleId, ...(sure && { sure }) };
  }),
};

export function getManagedRuleId(signature: Signature): string {
  return signature.id ?? deriveId(id, signature.legacyId);
}

export function toRule(signature: Signature): Omit<ManagedRule, 'id' | 'ref'> {
  const { legacyId, description, categories, action = 'block', enabled = true, expression } = signature;
  return { version: contentVersion, description, categories, action, enabled, expression, legacyId };
}
