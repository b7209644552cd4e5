/** Judges recorded requests as a new zone of a plan does, with the managed rules that it has from the start. */
import { randomBytes } from 'node:crypto';
import { emptyGeoDatabase, ZoneJudge } from '#edge';
import { CompiledZone, type Ruleset } from '#firewall';
import { managedParts } from '#managed';
import { judgeRequest, toIncomingRequest } from './replay.ts';
import type { RecordedRequest } from './traffic/recorded-request.ts';

export interface StoppingRule {
  readonly id: string;
  readonly description: string;
}

/** What stops a request; undefined if it gets through. */
type PlanJudge = (request: RecordedRequest) => Promise<StoppingRule | undefined>;

const freeRuleset = '77454fe2d30c4220b5701f6fdfb893ba';
const fullRuleset = 'efb7b8c949ac4650a09736fc376e9aee';

export function createPlanJudge(plan: 'free' | 'pro' | 'business' | 'enterprise'): PlanJudge {
  const zone = new CompiledZone(
    {
      version: 1,
      zone: { id: 'corpus', name: 'corpus.invalid', plan, accountId: 'corpus', isPaused: false },
      migration: 'complete',
      firewallRules: [],
      entryPoints: [executeRuleset(plan === 'free' ? freeRuleset : fullRuleset)],
      customRulesets: [],
      previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
      lists: [],
      edge: { origin: undefined, overInspectionLimit: 'default' },
    },
    managedParts,
  );
  const judge = new ZoneJudge({ geo: emptyGeoDatabase, secret: randomBytes(32), rewritesTarget: true });
  let index = 0;
  return async (request) => {
    const { verdict } = await judgeRequest(judge, zone, toIncomingRequest(request, index++), request.body);
    if (verdict.kind === 'pass') return undefined;
    return { id: verdict.by.ruleId, description: verdict.by.description };
  };
}

function executeRuleset(id: string): Ruleset {
  const rule = { id: 'execute', version: '1', expression: 'true', enabled: true, ref: '', last_updated: '' };
  return {
    id: 'entry-point',
    name: '',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '',
    rules: [{ ...rule, action: 'execute', action_parameters: { id } }],
  };
}
