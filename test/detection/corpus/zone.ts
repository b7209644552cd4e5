/** A zone as its plan has it by default, and what it does to requests. */
import { CompiledZone, type Ruleset } from '#firewall';
import { managedParts } from '#managed';
import { type RequestDescription, requestFrom } from '#request';

export type GatePlan = 'free' | 'paid';

/** The ruleset that a zone of the plan executes without anybody asking for it. */
const rulesetIds: Readonly<Record<GatePlan, string>> = {
  free: '77454fe2d30c4220b5701f6fdfb893ba',
  paid: 'efb7b8c949ac4650a09736fc376e9aee',
};

export interface Stopped {
  readonly ruleId: string;
  readonly description: string;
}

/** Answers which rule stops a request; undefined if it gets through. */
export function createZone(plan: GatePlan): (request: RequestDescription) => Stopped | undefined {
  const id = rulesetIds[plan];
  const entryPoint = {
    id: 'entry',
    name: '',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '',
    rules: [
      {
        id: 'execute',
        version: '1',
        action: 'execute',
        expression: 'true',
        enabled: true,
        ref: 'execute',
        last_updated: '',
        action_parameters: { id },
      },
    ],
  } as unknown as Ruleset;
  const zone = new CompiledZone(
    {
      version: 1,
      zone: {
        id: 'zone',
        name: 'example.com',
        plan: plan === 'free' ? 'free' : 'pro',
        accountId: 'account',
        isPaused: false,
      },
      migration: 'complete',
      firewallRules: [],
      entryPoints: [entryPoint],
      customRulesets: [],
      previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
      lists: [],
      edge: { origin: undefined, overInspectionLimit: 'default' },
    },
    managedParts,
  );
  return (request) => {
    const { verdict } = zone.judge({ view: requestFrom(request), clearance: undefined });
    if (verdict.kind === 'pass') return undefined;
    const { ruleId, description } = verdict.by;
    return { ruleId, description };
  };
}
