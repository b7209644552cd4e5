/** The actions of rules in rulesets. */
export const ruleActions = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'log',
  'skip',
  'execute',
  'score',
  'rewrite',
  'redirect',
  'route',
  'serve_error',
  'set_config',
  'set_cache_settings',
  'set_cache_control',
  'set_cache_tags',
  'compress_response',
  'log_custom_field',
  'ddos_dynamic',
  'force_connection_close',
  'transform_response_html',
  // Ours: an object of the user, or a server, decides about the visitor.
  'ask',
  'forward_auth',
] as const;

export type RuleAction = (typeof ruleActions)[number];

export const challengeKinds = ['challenge', 'js_challenge', 'managed_challenge'] as const;

export type ChallengeKind = (typeof challengeKinds)[number];

/** From the weakest to the strongest challenge. */
const challengesByStrength: readonly ChallengeKind[] = ['js_challenge', 'managed_challenge', 'challenge'];

/** Whether a client that has solved the first challenge need not solve the second. */
export function isAtLeastAsStrong(solved: ChallengeKind, asked: ChallengeKind): boolean {
  return challengesByStrength.indexOf(solved) >= challengesByStrength.indexOf(asked);
}

/** The actions that a rule can apply to a request by itself, and therefore that an override can give a managed rule. */
export const verdictActions = ['block', ...challengeKinds, 'log'] as const;

export type VerdictAction = (typeof verdictActions)[number];
