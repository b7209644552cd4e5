/**
 * The phases in the order in which a request and its response meet them, those of network packets last. Rules of some of
 * them judge requests, rules of others change requests and answers; rulesets of the rest are kept, versioned and given
 * back, and do nothing.
 */
export type Level = 'zone' | 'account';

/** `zone` and `root` rulesets are the entry points of a phase, at the level of a zone and of an account. */
export const rulesetKinds = ['managed', 'custom', 'root', 'zone'] as const;

export type RulesetKind = (typeof rulesetKinds)[number];

type Traffic = 'request' | 'response' | 'network';

interface Phase {
  readonly name: string;
  readonly traffic: Traffic;
  readonly isEvaluated: boolean;
}

/** Whose rules judge requests, in the order of evaluation. */
export const evaluatedPhases = [
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
] as const;

export type EvaluatedPhase = (typeof evaluatedPhases)[number];

/**
 * Whose rules change requests or answer them otherwise, in the order of evaluation, with what explanations call them. The
 * phase whose name begins with `gatehouse` is an addition of ours: its rules ask others about requests that all rules let
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

const names: Readonly<Record<Traffic, readonly string[]>> = {
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

/** Whether the rules of such rulesets do anything. */
export function isInForce({ phase, kind }: { readonly phase: string; readonly kind: RulesetKind }): boolean {
  return isEvaluatedPhase(phase) || (isChangingPhase(phase) && kind === changedBy(phase));
}

/** Requests and answers are changed by the rules of their zone; lists of redirects are the account's. */
export function changedBy(phase: ChangingPhase): RulesetKind {
  return phase === 'http_request_redirect' ? 'root' : 'zone';
}

/** Packets are no zone's: their phases belong to accounts. */
export function hasPhase(level: Level, name: string): boolean {
  const phase = phases.get(name);
  return phase !== undefined && (level === 'account' || phase.traffic !== 'network');
}

export const entryPointKind = { zone: 'zone', account: 'root' } as const satisfies Record<Level, RulesetKind>;

/** What may be created at a level: managed rulesets come with the catalogue, custom ones belong to accounts. */
export const creatableKinds = {
  zone: ['zone'],
  account: ['root', 'custom'],
} as const satisfies Record<Level, readonly RulesetKind[]>;
