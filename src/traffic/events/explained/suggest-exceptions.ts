/**
 * Suggests exceptions: API requests after which the rules that acted on a request ignore requests to the same host and
 * path. They are written for the current configuration, and as narrow as the product of each rule allows.
 */
import { inspectionLimit, overLimitRuleIds, type ZoneConfiguration } from '#firewall';
import type { Ruleset } from '#rulesets';
import {
  type ExceptedRequest,
  type ExceptedRule,
  type ExceptionRequest,
  ExceptionRequests,
  writeExpression,
} from './exception-requests.ts';
import { listLeftOut } from './left-out.ts';

export interface Exception {
  /** Its effect, for readers. */
  readonly effect: string;
  /** The requests that it applies to. */
  readonly expression: string;
  readonly request: ExceptionRequest;
  /**
   * Exceptions that keep more rules in force, the narrowest first: for the arguments that the rules matched in. They
   * may not suffice, because a rule that no longer sees one argument may match in another.
   */
  readonly narrower?: readonly Exception[];
  /** Other ways to the same result, each with its drawback. */
  readonly alternatives?: readonly (Exception & { readonly warning: string })[];
}

/** In the order in which the rules are evaluated. Rules that are no longer in the configuration need no exception. */
export function suggestExceptions(
  rules: readonly ExceptedRule[],
  request: ExceptedRequest,
  configuration: ZoneConfiguration,
): readonly Exception[] {
  const writer = new ExceptionWriter(request, configuration);
  const isOverLimit = ({ ruleId }: ExceptedRule): boolean => overLimitRuleIds.includes(ruleId);
  const of = (source: string): readonly ExceptedRule[] =>
    rules.filter((rule) => rule.source === source && !isOverLimit(rule));
  return [
    ...writer.allow(of('firewallrules')),
    ...writer.skipCustomRules(of('firewallCustom')),
    ...writer.skipManagedRules(of('firewallManaged').filter(({ rulesetId }) => rulesetId !== '')),
    ...writer.inspectLess(rules.filter(isOverLimit)),
    ...writer.overrideLegacyRules(of('waf')),
  ];
}

class ExceptionWriter {
  readonly #request: ExceptedRequest;
  readonly #configuration: ZoneConfiguration;
  readonly #expression: string;
  readonly #requests: ExceptionRequests;

  constructor(request: ExceptedRequest, configuration: ZoneConfiguration) {
    this.#request = request;
    this.#configuration = configuration;
    this.#expression = writeExpression(request);
    this.#requests = new ExceptionRequests(configuration);
  }

  allow(rules: readonly ExceptedRule[]): Exception[] {
    const known = new Set(this.#configuration.firewallRules.map(({ id }) => id));
    const isKnown = rules.some(({ ruleId }) => known.has(ruleId));
    if (!isKnown) return [];
    return [
      this.#create(
        'no other firewall rule checks these requests; custom and managed rules do',
        this.#requests.addFirewallRule(this.#expression, { action: 'allow', priority: 1 }),
      ),
    ];
  }

  /** One for each ruleset, before the first of its rules. */
  skipCustomRules(rules: readonly ExceptedRule[]): Exception[] {
    const { entryPoints, customRulesets } = this.#configuration;
    const byRuleset = Map.groupBy(rules, ({ rulesetId }) => rulesetId);
    return [...entryPoints, ...customRulesets].flatMap((ruleset) => {
      const excepted = new Set(byRuleset.get(ruleset.id)?.map(({ ruleId }) => ruleId));
      const first = ruleset.rules.find(({ id }) => excepted.has(id));
      if (first === undefined) return [];
      return this.#addSkip(ruleset, {
        effect: `these requests skip rule ${first.id} and the rules after it in its ruleset`,
        parameters: { ruleset: 'current' },
        position: { before: first.id },
      });
    });
  }

  /** Exactly these rules, wherever the account or the zone executes their rulesets. */
  skipManagedRules(rules: readonly ExceptedRule[]): Exception[] {
    const byRuleset = Map.groupBy(rules, ({ rulesetId }) => rulesetId);
    return this.#configuration.entryPoints.flatMap((entryPoint) => {
      const executed = new Set(entryPoint.rules.map((rule) => rule.action_parameters?.['id']));
      const skipped = [...byRuleset].filter(([id]) => executed.has(id));
      if (skipped.length === 0) return [];
      const ids = skipped.map(
        ([id, each]) => [id, each.flatMap(({ contributors, ruleId }) => contributors ?? [ruleId])] as const,
      );
      const count = new Set(ids.flatMap(([, each]) => each)).size;
      const named = count === 1 ? 'this managed rule' : `these ${count} managed rules`;
      const skippedRules = Object.fromEntries(ids.map(([id, each]) => [id, [...new Set(each)]]));
      const parts = listLeftOut(skipped.flatMap(([, each]) => each));
      const narrower = parts.flatMap((part) => `${part.kind} "${part.name}"`).join(', ');
      return this.#addSkip(entryPoint, {
        effect: `these requests skip ${named}`,
        parameters: { rules: skippedRules },
        position: { index: 1 },
      }).map((exception) => ({
        ...exception,
        ...(parts.length === 0
          ? {}
          : {
              narrower: this.#addSkip(entryPoint, {
                effect: `${named} ${count === 1 ? 'does' : 'do'} not look at ${narrower} of these requests`,
                parameters: { rules: skippedRules, arguments: parts },
                position: { index: 1 },
              }),
            }),
      }));
    });
  }

  /** By default, a body that rules cannot read passes where no managed rule inspects it: tried for this path first. */
  inspectLess(rules: readonly ExceptedRule[]): Exception[] {
    const { overInspectionLimit } = this.#configuration.edge;
    if (rules.length === 0 || overInspectionLimit === 'log') return [];
    const inZone = this.#create(
      'requests that rules cannot judge in full pass, with an event, in the whole zone',
      this.#requests.letUnreadablePass(),
    );
    const isByLength = rules.every(({ ruleId }) => ruleId === inspectionLimit);
    const onPath = isByLength && overInspectionLimit === 'default' ? this.#skipAllManagedRules() : [];
    if (onPath.length === 0) return [inZone];
    const warning = 'an attack behind what rules can read then passes everywhere';
    const alternatives = [{ ...inZone, warning }];
    return onPath.map((each, index) => (index === 0 ? { ...each, alternatives } : each));
  }

  /** Of both generations, if they are in force. */
  #skipAllManagedRules(): Exception[] {
    const { entryPoints, migration, zone, previous } = this.#configuration;
    const effect = 'no managed rule checks these requests, so their bodies may be longer than rules can read';
    const skips = entryPoints
      .filter(
        ({ phase, rules }) =>
          phase === 'http_request_firewall_managed' &&
          rules.some(({ action, enabled }) => action === 'execute' && enabled),
      )
      .flatMap((entryPoint) =>
        this.#addSkip(entryPoint, { effect, parameters: { ruleset: 'current' }, position: { index: 1 } }),
      );
    const isEverOn = previous.waf === 'on' || previous.pageRules.some(({ waf }) => waf === 'on');
    const hasLegacy = migration !== 'complete' && zone.plan !== 'free' && isEverOn;
    return hasLegacy ? [...skips, this.#bypassLegacyRules(effect)] : skips;
  }

  /** An override for single rules would be narrower, but a zone with one cannot migrate. */
  overrideLegacyRules(rules: readonly ExceptedRule[]): Exception[] {
    if (rules.length === 0 || this.#configuration.migration === 'complete') return [];
    if (this.#configuration.zone.plan !== 'enterprise') return this.#disableLegacyRules(rules);
    const ids = rules.flatMap(({ contributors, ruleId }) => contributors ?? [ruleId]);
    const override = this.#create(
      'only these legacy managed rules are disabled for these URLs',
      this.#requests.overrideLegacyRules(this.#request, ids),
    );
    const warning = 'a zone with URI-based overrides cannot migrate until they are deleted (10705)';
    return [
      {
        ...this.#bypassLegacyRules(
          'no legacy managed rule checks these requests; a migration turns it into a skip rule',
        ),
        alternatives: [{ ...override, warning }],
      },
    ];
  }

  #bypassLegacyRules(effect: string): Exception {
    return this.#create(effect, this.#requests.bypassLegacyRules(this.#expression));
  }

  /** Only the Enterprise plan has overrides. */
  #disableLegacyRules(rules: readonly ExceptedRule[]): Exception[] {
    return rules.flatMap((rule) => {
      const ids = rule.contributors ?? [rule.ruleId];
      return this.#requests
        .switchOffLegacyRules(rule)
        .map((request, index) =>
          this.#create(`the legacy managed rule ${ids[index]} is off in the whole zone`, request),
        );
    });
  }

  #addSkip(
    ruleset: Ruleset,
    { effect, ...skip }: { effect: string; parameters: object; position: object },
  ): Exception[] {
    const expression = this.#expression;
    return [this.#create(effect, this.#requests.addSkip(ruleset, { ...skip, expression }))];
  }

  #create(effect: string, request: ExceptionRequest): Exception {
    return { effect, expression: this.#expression, request };
  }
}
