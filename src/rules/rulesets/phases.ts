/**
 * The phases in the order in which a request and its response pass through them, those of network packets last. Rules
 * of some phases judge requests, rules of others change requests and responses; rulesets of the rest are stored,
 * versioned and returned, and have no effect. `firewall/compiled-zone.ts` runs those that judge, in this order;
 * `firewall/changes/change-steps.ts` those that change, in groups.
 */
export type Level = 'zone' | 'account';

/** `zone` and `root` rulesets are the entry points of a phase, at the level of a zone and of an account. */
export const rulesetKinds = ['managed', 'custom', 'root', 'zone'] as const;

export type RulesetKind = (typeof rulesetKinds)[number];

type PhaseTraffic = 'request' | 'response' | 'network';

interface Phase {
  readonly name: string;
  readonly traffic: PhaseTraffic;
  readonly isEvaluated: boolean;
}

/** The phases whose rules judge requests, in the order of evaluation. */
export const evaluatedPhases = [
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
] as const;

export type EvaluatedPhase = (typeof evaluatedPhases)[number];

/**
 * The phases whose rules change requests or responses, in the order of evaluation, with their names in explanations.
 * The phase with the prefix `gatehouse` is an addition of ours: its rules ask about requests that all other rules let
 * pass.
 */
export const changingPhases = {
  http_request_dynamic_redirect: 'redirect',
  http_request_transform: 'urlrewrite',
  http_config_settings: 'configuration',
  http_request_origin: 'origin',
  gatehouse_ask: 'ask',
  http_request_redirect: 'bulkredirect',
  http_request_late_transform: 'requestheaders',
  http_custom_errors: 'customerror',
  http_response_headers_transform: 'responseheaders',
} as const;

export type ChangingPhase = keyof typeof changingPhases;

const names: Readonly<Record<PhaseTraffic, readonly string[]>> = {
  request: [
    'http_request_sanitize',
    'http_request_dynamic_redirect',
    'http_request_transform',
    'http_request_select_configuration',
    'http_config_settings',
    'http_request_origin',
    'ddos_l7',
    'http_request_api_gateway',
    'http_request_firewall_custom',
    'http_ratelimit',
    'http_request_firewall_managed',
    'http_request_sbfm',
    'gatehouse_ask',
    'http_request_redirect',
    'http_request_late_transform',
    'http_request_cache_settings',
    'http_request_snippets',
    'http_request_cloud_connector',
  ],
  response: [
    'http_custom_errors',
    'http_response_headers_transform',
    'http_response_cache_settings',
    'http_response_compression',
    'http_response_firewall_managed',
    'http_log_custom_fields',
  ],
  network: [
    'ddos_l4',
    'magic_transit',
    'magic_transit_ratelimit',
    'magic_transit_managed',
    'magic_transit_ids_managed',
  ],
};

/** By name, in order of execution. */
export const phases: ReadonlyMap<string, Phase> = new Map(
  (['request', 'response', 'network'] as const).flatMap((traffic) =>
    names[traffic].map((name) => [name, { name, traffic, isEvaluated: isEvaluatedPhase(name) }]),
  ),
);

export function isEvaluatedPhase(name: string): name is EvaluatedPhase {
  return (evaluatedPhases as readonly string[]).includes(name);
}

export function isChangingPhase(name: string): name is ChangingPhase {
  return Object.hasOwn(changingPhases, name);
}

/** Whether the rules of such rulesets have an effect. */
export function isInForce({ phase, kind }: { readonly phase: string; readonly kind: RulesetKind }): boolean {
  return isEvaluatedPhase(phase) || (isChangingPhase(phase) && kind === changedBy(phase));
}

/** Only rules of the zone change its requests and responses; lists of redirects belong to the account. */
export function changedBy(phase: ChangingPhase): RulesetKind {
  return phase === 'http_request_redirect' ? 'root' : 'zone';
}

/** Network packets belong to no zone: their phases exist only for accounts. */
export function hasPhase(level: Level, name: string): boolean {
  const phase = phases.get(name);
  return phase !== undefined && (level === 'account' || phase.traffic !== 'network');
}

export const entryPointKind = { zone: 'zone', account: 'root' } as const satisfies Record<Level, RulesetKind>;

/**
 * The kinds that can be created at a level: managed rulesets come with the catalogue, custom ones belong to accounts.
 */
export const creatableKinds = {
  zone: ['zone'],
  account: ['root', 'custom'],
} as const satisfies Record<Level, readonly RulesetKind[]>;
