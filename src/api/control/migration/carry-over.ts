/**
 * Builds the configuration that replaces a zone's legacy managed rules: first the exceptions, then the rulesets that
 * they apply to. Every setting that cannot be expressed is reported as a loss.
 */
import { evaluatedRules } from '#rulesets';
import { legacyRules, findReplacement, rulesetIds } from '#managed';
import { entryOf, type ErrorEntry, type Message, migrationLossCodes as codes } from '#contract';
import { FirewallRuleStore } from '../stores/firewall-rules.ts';
import { readWafSwitch } from '../configuration/zone-configuration.ts';
import type { ZoneContext } from '../context/handler.ts';
import { pageRuleTable } from '../stores/page-rules.ts';
import {
  type ConfiguredPackage,
  readLegacyWafConfiguration,
  type LegacyWafConfiguration,
} from '../configuration/legacy-waf-configuration.ts';
import { RulesetStore } from '../stores/rulesets.ts';
import { carryFirewallRules } from './carried-firewall-rules.ts';
import { carryPageRules, type Execution, decideExecution } from './carried-page-rules.ts';
import { type Carried, type CarriedRule, createExecuteRule } from './carried-rule.ts';
import { carryScores, scoringRulesetId } from './carried-scores.ts';
import { carrySignatures } from './carried-signatures.ts';
import { listScoreNotes, listSkippedProductNotes } from './notes.ts';

export function carryOver({ sql }: Pick<ZoneContext, 'sql'>): Carried {
  const configuration = readLegacyWafConfiguration(sql);
  const { waf, packages, pageRules } = configuration;
  const parts = [
    carryFirewallRules(new FirewallRuleStore(sql).listInOrder()),
    carryPageRules(pageRules),
    carryPackages(packages, decideExecution(waf, pageRules)),
  ];
  const rules = parts.flatMap((part) => part.rules);
  return {
    rules,
    losses: [
      ...listSwitchLosses(configuration, rules),
      ...parts.flatMap((part) => part.losses),
      ...listDisabledPageRules(sql),
      ...listSkippedProducts(sql),
      ...listScoreNotes({ sql }, rules),
    ],
  };
}

/**
 * Scoring packages are replaced by the scoring ruleset; the rules of all other packages are in the ruleset of
 * signatures.
 */
function carryPackages(packages: readonly ConfiguredPackage[], on: Execution): Carried {
  const signatures = packages
    .filter(({ settings }) => settings === null)
    .map((each) => carrySignatures(each, findReplacement));
  const overrides = { rules: signatures.flatMap((each) => each.overrides) };
  const scores = packages.filter(({ settings }) => settings !== null).map(carryScores);
  return {
    rules: [
      createExecuteRule(on, { id: rulesetIds.managed, overrides }),
      ...scores.flatMap((each) =>
        each.overrides === undefined
          ? []
          : [createExecuteRule(on, { id: scoringRulesetId, overrides: each.overrides })],
      ),
    ],
    losses: [...signatures, ...scores].flatMap(({ losses }) => losses),
  };
}

function listSwitchLosses(
  { waf, pageRules }: LegacyWafConfiguration,
  rules: readonly CarriedRule[],
): ErrorEntry[] {
  const isAllOff = !rules.some(({ action, enabled }) => action === 'execute' && enabled);
  const isSomewhereOff = waf === 'off' || pageRules.some((rule) => readWafSwitch(rule) === 'off');
  const ignoring = [...legacyRules.values()].filter(({ ignoresSwitch }) => ignoresSwitch);
  return [
    ...(isAllOff ? [entryOf(codes.lossSwitchOff)] : []),
    ...(isSomewhereOff && ignoring.length > 0
      ? [entryOf(codes.lossIgnoredSwitch, { fill: { rules: ignoring.map(({ id }) => id).join(', ') } })]
      : []),
  ];
}

function listDisabledPageRules(sql: ZoneContext['sql']): ErrorEntry[] {
  return pageRuleTable
    .list(sql)
    .filter((rule) => rule.status === 'disabled' && readWafSwitch(rule) !== 'unset')
    .map(({ id, pattern }) => entryOf(codes.lossPageRuleDisabled, { fill: { rule: id, pattern } }));
}

function listSkippedProducts(sql: ZoneContext['sql']): Message[] {
  const custom = new RulesetStore(sql).findEntryPoint('http_request_firewall_custom');
  return custom === undefined ? [] : listSkippedProductNotes(evaluatedRules(custom));
}
