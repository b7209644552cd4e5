/**
 * The scoring ruleset. All its rules except the last add to the score of a request; the last one acts if the score has
 * reached its threshold. Paranoia levels are categories, so that an override can switch off whole levels.
 */
import { contentUpdated, contentVersion, type ManagedRuleset, paidPlans } from '../managed-ruleset.ts';
import { deriveId } from '../rule-id.ts';
import { scoringRules } from '../scoring/all.ts';
import { scores } from '../scoring/scoring-rule.ts';

const id = '4814384a9e5d4991b9815dcfc25d2f1f';
const lastRuleId = '6179ae15870a4bb7b2d480d4843b323c';

/** The medium threshold. */
const scoreThreshold = 40;

export const owasp: ManagedRuleset = {
  id,
  name: 'Cloudflare OWASP Core Ruleset',
  description: 'Signs of an attack, each worth a score.',
  phase: 'http_request_firewall_managed',
  version: contentVersion,
  lastUpdated: contentUpdated,
  plans: paidPlans,
  rules: [
    ...scoringRules.map(({ number, description, paranoiaLevel, severity, categories, expression }) => {
      const ruleId = deriveId(id, number);
      return {
        id: ruleId,
        version: contentVersion,
        description: `${number}: ${description}`,
        categories: [`paranoia-level-${paranoiaLevel}`, ...categories],
        action: 'score' as const,
        // Clients choose a level by switching off those above it.
        enabled: true,
        expression,
        scoreIncrement: scores[severity],
        ref: ruleId,
      };
    }),
    {
      id: lastRuleId,
      version: contentVersion,
      description: '949110: Inbound Anomaly Score Exceeded',
      categories: [],
      action: 'block',
      enabled: true,
      expression: 'true',
      scoreThreshold,
      ref: lastRuleId,
    },
  ],
};
