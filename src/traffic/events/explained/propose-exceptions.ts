/**
 * Proposes exceptions for an event, the narrowest first, for the user to choose from: for the rule of the event alone,
 * based on the current configuration. Each describes its effect and the logged events that it would have prevented, and
 * consists of API requests that are sent together.
 */
import { createHash } from 'node:crypto';
import { edgeRuleIds, inspectionLimit, type ZoneConfiguration } from '#firewall';
import type { Ruleset, RulesetRule } from '#rulesets';
import type { SecurityEvent } from '../event.ts';
import type { Judged } from '../judged/judged.ts';
import {
  type ExceptedRule,
  type ExceptionRequest,
  ExceptionRequests,
  writeScope,
} from './exception-requests.ts';
import { describeExcepted, type Excepted, hasPassed, listExceptions } from './excepted.ts';
import type { Exception } from './suggest-exceptions.ts';
import { listLeftOut } from './left-out.ts';

export interface ProposedException {
  /** Changes with every part of the proposal, so an exception can only be applied as it was shown. */
  readonly id: string;
  readonly title: string;
  /** The change in the configuration. */
  readonly effect: string;
  /** The requests that it applies to, in the rules language; absent if it applies to all. */
  readonly expression?: string;
  /** The events that it would have prevented, as search conditions. */
  readonly affected: { readonly where: readonly string[]; readonly expression?: string };
  readonly requests: readonly ExceptionRequest[];
}

type Proposal = Omit<ProposedException, 'id' | 'affected'> & {
  /** The events of the rule by default. */
  readonly where?: readonly string[];
  /** What it is based on, in addition to the requests. */
  readonly seen?: unknown;
};

interface ExceptionScope {
  readonly title: string;
  readonly expression: string;
}

type Propose = (proposing: Proposing) => readonly Proposal[];

const products: ReadonlyMap<string, Propose> = new Map(
  Object.entries({
    firewallrules: proposeForFirewallRule,
    firewallCustom: proposeForCustomRule,
    firewallManaged: proposeForManagedRule,
    waf: proposeForLegacyRule,
  }),
);

export function canBeExcepted(event: SecurityEvent): boolean {
  const { source, ruleId } = event;
  // The other ids do not represent rules: a reading of the request is invalid, or it could not be judged in full.
  const isRule = ruleId === inspectionLimit || !edgeRuleIds.includes(ruleId);
  return isRule && !hasPassed(event) && products.has(source);
}

/** None if the rule is no longer in the configuration. */
export function proposeExceptions(
  event: SecurityEvent,
  judged: Judged | undefined,
  configuration: ZoneConfiguration,
): readonly ProposedException[] {
  if (!canBeExcepted(event)) return [];
  const drafts =
    event.ruleId === inspectionLimit
      ? proposeForLongBody(event, listExceptions(event, judged, configuration))
      : products.get(event.source)!(new Proposing(describeExcepted(event, judged), configuration));
  const ofRule = [`ruleId:eq:${event.ruleId}`, `rulesetId:eq:${event.rulesetId}`];
  return drafts.map(({ where = ofRule, seen, ...draft }) => ({
    id: createHash('sha256')
      .update(JSON.stringify([draft, seen]))
      .digest('hex')
      .slice(0, 32),
    ...draft,
    affected: { where, ...(draft.expression === undefined ? {} : { expression: draft.expression }) },
  }));
}

/** The input for the proposals of every product. */
class Proposing {
  readonly configuration: ZoneConfiguration;
  readonly event: SecurityEvent;
  readonly rule: ExceptedRule;
  readonly request: Excepted['request'];
  readonly requests: ExceptionRequests;
  /** The rules to switch off: the contributing ones if a score decided. */
  readonly ruleIds: readonly string[];
  readonly onPath: ExceptionScope;
  /** The narrowest first: the path, then its folder. */
  readonly scopes: readonly ExceptionScope[];

  constructor({ event, rule, request, expression }: Excepted, configuration: ZoneConfiguration) {
    this.configuration = configuration;
    this.event = event;
    this.rule = rule;
    this.request = request;
    this.requests = new ExceptionRequests(configuration);
    this.ruleIds = rule.contributors ?? [rule.ruleId];
    const { host, path } = request;
    this.onPath = { title: `on ${shorten(path)}`, expression };
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const inFolder = {
      title: `on everything below ${shorten(folder)}`,
      expression: writeScope({ host, path: folder }, 'begins'),
    };
    this.scopes = folder.length > 1 && folder !== path ? [this.onPath, inFolder] : [this.onPath];
  }

  /** Conditions that can narrow a rule's expression: the target of the request, or its client. */
  get conditions(): readonly ExceptionScope[] {
    const { clientIP } = this.event;
    return [...this.scopes, { title: `for the address ${clientIP}`, expression: `ip.src eq ${clientIP}` }];
  }

  get named(): string {
    const { length } = this.ruleIds;
    return length === 1 ? 'This rule does' : `The ${length} rules that scored do`;
  }
}

/** Adds a condition to the filter of the rule, or pauses the rule. */
function proposeForFirewallRule({
  configuration,
  event,
  conditions,
  requests,
}: Proposing): readonly Proposal[] {
  const rule = configuration.firewallRules.find(({ id }) => id === event.ruleId);
  if (rule === undefined) return [];
  return [
    ...conditions.map(({ title, expression }) => ({
      title: `This rule does not act ${title}`,
      effect: 'A condition is added to the filter of the rule.',
      expression,
      requests: [requests.exceptFromFirewallRule(rule.id, expression)],
      seen: rule,
    })),
    {
      title: 'This rule does not act at all',
      effect: 'The rule is paused.',
      requests: [requests.exceptFromFirewallRule(rule.id)],
      seen: rule,
    },
  ];
}

/** Adds a condition to the expression of the rule, or turns the rule off. */
function proposeForCustomRule({
  configuration,
  event,
  conditions,
  requests,
}: Proposing): readonly Proposal[] {
  const { entryPoints, customRulesets } = configuration;
  const ruleset = [...entryPoints, ...customRulesets].find(({ id }) => id === event.rulesetId);
  const rule = ruleset?.rules.find(({ id }) => id === event.ruleId);
  if (ruleset === undefined || rule === undefined) return [];
  const change = (changes: Partial<RulesetRule>) => [requests.changeRule(ruleset, rule, changes)];
  return [
    ...conditions.map(({ title, expression }) => ({
      title: `This rule does not act ${title}`,
      effect: 'A condition is added to the expression of the rule.',
      expression,
      requests: change({ expression: exceptFrom(rule.expression, expression) }),
    })),
    {
      title: 'This rule does not act at all',
      effect: 'The rule is turned off.',
      requests: change({ enabled: false }),
    },
  ];
}

/** Adds a skip rule before the ruleset is executed, or an override. */
function proposeForManagedRule(proposing: Proposing): readonly Proposal[] {
  const { configuration, event, rule, ruleIds, scopes, onPath, requests, named } = proposing;
  const found = findExecution(configuration, event.rulesetId);
  if (found === undefined) return [];
  const { entryPoint, execute } = found;
  const effect = 'A skip rule for these requests is added before the ruleset.';
  const position = { before: execute.id };
  const skip = ({ expression }: ExceptionScope, parameters: object) => ({
    expression,
    requests: [requests.addSkip(entryPoint, { expression, parameters, position })],
    seen: execute,
  });
  const rules = { [event.rulesetId]: ruleIds };
  const parts = listLeftOut([rule]);
  const namedParts = parts.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  const byArgument = {
    title: `${named} not look at ${namedParts} ${onPath.title}`,
    effect:
      'A skip rule for this part of these requests is added before the ruleset. The rest is still judged.',
    ...skip(onPath, { rules, arguments: parts }),
  };
  return [
    ...(parts.length === 0 ? [] : [byArgument]),
    ...scopes.map((scope) => ({
      title: `${named} not act ${scope.title}`,
      effect,
      ...skip(scope, { rules }),
    })),
    {
      title: `No rule of this ruleset acts ${onPath.title}`,
      effect,
      where: [`rulesetId:eq:${event.rulesetId}`],
      ...skip(onPath, { rulesets: [event.rulesetId] }),
    },
    {
      title: `${named} not act at all`,
      effect: 'An override turns it off where the ruleset is executed.',
      requests: [
        requests.changeRule(entryPoint, execute, { action_parameters: disableRules(execute, ruleIds) }),
      ],
    },
  ];
}

/** Where a managed ruleset is executed: by the zone, or by the account. */
function findExecution(
  { entryPoints }: ZoneConfiguration,
  rulesetId: string,
): { readonly entryPoint: Ruleset; readonly execute: RulesetRule } | undefined {
  for (const entryPoint of entryPoints.toReversed()) {
    const execute = entryPoint.rules.find(
      ({ action, action_parameters }) => action === 'execute' && action_parameters?.['id'] === rulesetId,
    );
    if (execute !== undefined) return { entryPoint, execute };
  }
  return undefined;
}

/** The parameters of a rule that executes a ruleset, with an override that turns rules off. */
function disableRules({ action_parameters }: RulesetRule, ruleIds: readonly string[]) {
  const { overrides = {} } = (action_parameters ?? {}) as {
    readonly overrides?: { readonly rules?: readonly { readonly id: string }[] };
  };
  const kept = (overrides.rules ?? []).filter(({ id }) => !ruleIds.includes(id));
  const rules = [...kept, ...ruleIds.map((id) => ({ id, enabled: false }))];
  return { ...action_parameters, overrides: { ...overrides, rules } };
}

/** Only the Enterprise plan can turn off a rule for some URLs. Changes that a migration carries over come first. */
function proposeForLegacyRule(proposing: Proposing): readonly Proposal[] {
  const { configuration, rule, request, ruleIds, onPath, requests, named } = proposing;
  const isKnown = [rule.rulesetId, ...ruleIds].every((id) => /^\w{1,32}$/.test(id));
  if (configuration.migration === 'complete' || !isKnown) return [];
  const { expression } = onPath;
  const byUrl = {
    title: `${named} not act ${onPath.title}`,
    effect:
      'An override turns it off for this URL. A site with such overrides cannot be updated to managed rulesets until they are deleted (10705).',
    expression,
    requests: [requests.overrideLegacyRules(request, ruleIds)],
  };
  return [
    {
      title: `No managed rule acts ${onPath.title}`,
      effect:
        'A firewall rule with the action bypass is added. An update to managed rulesets carries it over.',
      expression,
      where: ['source:eq:waf'],
      requests: [requests.bypassLegacyRules(expression)],
    },
    ...(configuration.zone.plan === 'enterprise' ? [byUrl] : []),
    {
      title: `${named} not act at all`,
      effect: ruleIds.length === 1 ? 'The rule is turned off.' : 'The rules are turned off.',
      requests: requests.switchOffLegacyRules(rule),
      seen: ruleIds.map((id) => configuration.previous.rules[id]),
    },
  ];
}

const everywhere = 'Long bodies pass everywhere';

/** If both generations of managed rules are in force, each needs an exception. */
function proposeForLongBody(event: SecurityEvent, exceptions: readonly Exception[]): readonly Proposal[] {
  const [first] = exceptions;
  if (first === undefined) return [];
  const isOnPath = first.alternatives !== undefined;
  return [
    {
      title: isOnPath ? `Long bodies pass on ${event.clientRequestPath}` : everywhere,
      effect: toSentence(first.effect),
      ...(isOnPath ? { expression: first.expression } : {}),
      requests: exceptions.map(({ request }) => request),
    },
    ...exceptions
      .flatMap(({ alternatives = [] }) => alternatives)
      .map(({ effect, warning, request }) => ({
        title: everywhere,
        effect: `${toSentence(effect)} ${toSentence(warning)}`,
        requests: [request],
      })),
  ];
}

function exceptFrom(expression: string, excepted: string): string {
  return `(${expression}) and not (${excepted})`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
