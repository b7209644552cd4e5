/**
 * How much the rules of an entry point of http_request_firewall_managed protect a zone. Rules that only seem to protect
 * do not count: expressions that match nothing, exceptions for everything, overrides that leave nothing enabled or that
 * only log. A rule that depends on the request counts as protection.
 */
import { type ExecuteParameters, resolveOverrides, type SkipParameters } from '#rulesets';
import { type ManagedRule, managedRulesets } from '#managed';
import { findConstant, parse } from '#expressions';

/** From the weakest to the strongest. */
const strengths = ['nothing', 'logs', 'acts'] as const;

/** `acts` means that it blocks or challenges. */
export type Strength = (typeof strengths)[number];

/** One execute rule. */
export interface Deployment {
  readonly strength: Strength;
  /** It does not protect an application: it only detects leaked passwords. */
  readonly isCredentialsCheck: boolean;
  /** Why it does not act, as text for a message. */
  readonly reason: string;
}

/** A rule of the managed phase, stored or about to be stored. */
export interface AssessedRule {
  readonly action: string;
  readonly expression: string;
  readonly enabled: boolean;
  readonly action_parameters?: unknown;
}

const credentialsCheckId = 'c2e184081120413c86c3ab7e14069605';

/** Assesses each execute rule, in order. `lists` are the names of the lists that expressions may use. */
export function assessRules(rules: readonly AssessedRule[], lists: Iterable<string>): readonly Deployment[] {
  const names = [...lists];
  const exceptions = new Exceptions();
  const deployments: Deployment[] = [];
  for (const [index, rule] of rules.entries()) {
    const place = index + 1;
    const constant = evaluateConstant(rule.expression, names);
    if (rule.action === 'skip') {
      if (rule.enabled && constant === true) exceptions.add(place, rule.action_parameters as SkipParameters);
    } else if (rule.action === 'execute') {
      deployments.push(assessDeployment(rule, { place, constant, exceptions }));
    }
  }
  return deployments;
}

/** The strongest effect of all deployments on attacks. */
export function findGreatestStrength(deployments: readonly Deployment[]): Strength {
  const ranks = deployments
    .filter(({ isCredentialsCheck }) => !isCredentialsCheck)
    .map(({ strength }) => strengths.indexOf(strength));
  return strengths[Math.max(0, ...ranks)]!;
}

export function isWeaker(one: Strength, other: Strength): boolean {
  return strengths.indexOf(one) < strengths.indexOf(other);
}

/** Why they neither block nor challenge, as text for a message. */
export function joinReasons(deployments: readonly Deployment[]): string {
  if (deployments.length === 0) return 'no rule executes a managed ruleset';
  return deployments.map(({ reason }) => reason).join('; ');
}

/**
 * True or false if that is the result for every request; undefined if it depends on the request or cannot be parsed.
 */
export function evaluateConstant(expression: string, lists: Iterable<string>): boolean | undefined {
  const parsed = parse(expression, { lists });
  return parsed.ok ? findConstant(parsed.tree) : undefined;
}

interface Circumstances {
  readonly place: number;
  readonly constant: boolean | undefined;
  readonly exceptions: Exceptions;
}

function assessDeployment(rule: AssessedRule, { place, constant, exceptions }: Circumstances): Deployment {
  const { id, overrides } = rule.action_parameters as ExecuteParameters;
  const isCredentialsCheck = id === credentialsCheckId;
  const nothing = (reason: string): Deployment => ({
    strength: 'nothing',
    isCredentialsCheck,
    reason: `rule ${place} ${reason}`,
  });
  if (!rule.enabled) return nothing('is disabled');
  if (constant === false) return nothing(`has an expression that matches no request`);
  const skippedBy = exceptions.findSkipping(id);
  if (skippedBy !== undefined) return nothing(`is skipped for every request by rule ${skippedBy}`);
  const ruleset = managedRulesets.get(id);
  if (ruleset?.content?.state === 'not installed') return nothing('executes a ruleset that is not installed');
  const rules = ruleset?.rules ?? [];
  const effective = resolveOverrides(rules.map(toOverridable), overrides);
  const left = rules.filter((each) => effective.get(each.id)!.enabled && !exceptions.hasRule(id, each.id));
  const comparing = rules.find(({ scoreThreshold }) => scoreThreshold !== undefined);
  if (left.length === 0) return nothing('has no rule of its ruleset left: all are disabled or skipped');
  if (comparing !== undefined) {
    if (!left.includes(comparing)) return nothing('scores without the rule that compares the score');
    const score = left.reduce((sum, { scoreIncrement = 0 }) => sum + scoreIncrement, 0);
    if (score < effective.get(comparing.id)!.scoreThreshold!) {
      return nothing('has a score threshold that no request can reach');
    }
  }
  const acting = comparing === undefined ? left : [comparing];
  const isLogging = acting.every((each) => effective.get(each.id)!.action === 'log');
  if (isCredentialsCheck) {
    const reason = `rule ${place} executes only the check of exposed credentials`;
    return { strength: isLogging ? 'logs' : 'acts', isCredentialsCheck, reason };
  }
  if (isLogging) return { strength: 'logs', isCredentialsCheck, reason: `rule ${place} only logs` };
  return { strength: 'acts', isCredentialsCheck, reason: '' };
}

function toOverridable(rule: ManagedRule) {
  const { scoreThreshold } = rule;
  return scoreThreshold === undefined ? rule : { ...rule, score_threshold: scoreThreshold };
}

/** The parts that are skipped for every request, by the number of the rule that skips them. */
class Exceptions {
  #everything: number | undefined;
  readonly #rulesets = new Map<string, number>();
  readonly #rules = new Map<string, Set<string>>();

  /** Rules that cannot see some parts of requests still protect. */
  add(
    place: number,
    { ruleset, rulesets = [], rules = {}, categories = {}, arguments: parts }: SkipParameters,
  ): void {
    if (parts !== undefined) return;
    for (const [id, names] of Object.entries(categories)) {
      const rulesOfTags = managedRulesets
        .get(id)
        ?.rules.filter((rule) => rule.categories.some((category) => names.includes(category)));
      this.#addRules(id, rulesOfTags?.map((rule) => rule.id) ?? []);
    }
    if (ruleset === 'current') this.#everything ??= place;
    for (const id of rulesets) this.#rulesets.set(id, place);
    for (const [id, ruleIds] of Object.entries(rules)) this.#addRules(id, ruleIds);
  }

  #addRules(rulesetId: string, ruleIds: readonly string[]): void {
    this.#rules.set(rulesetId, new Set([...(this.#rules.get(rulesetId) ?? []), ...ruleIds]));
  }

  findSkipping(rulesetId: string): number | undefined {
    return this.#everything ?? this.#rulesets.get(rulesetId);
  }

  hasRule(rulesetId: string, ruleId: string): boolean {
    return this.#rules.get(rulesetId)?.has(ruleId) === true;
  }
}
