/**
 * The configuration that does for a zone what its previous managed rules do: exceptions first, then the rulesets that they
 * are exceptions from. What cannot be said in the new terms is told setting by setting.
 */
import { evaluatedRules } from '#firewall';
import { previousRules, replacementOf } from '#managed';
import { entryOf, type ErrorEntry, type Message, migrationLossCodes as codes } from '#api';
import { FirewallRuleStore } from '../stores/firewall-rule-store.ts';
import { wafOf } from '../configuration/zone-configuration.ts';
import type { ZoneContext } from '../context/handler.ts';
import { PageRuleStore } from '../stores/page-rule-store.ts';
import {
  type ConfiguredPackage,
  previousConfiguration,
  type PreviousConfiguration,
} from '../configuration/legacy-waf-configuration.ts';
import { RulesetStore } from '../stores/ruleset-store.ts';
import { carryFirewallRules } from './carried-firewall-rules.ts';
import { carryPageRules, type Execution, executionFor } from './carried-page-rules.ts';
import { type Carried, type CarriedRule, execution } from './carried-rule.ts';
import { carryScores, scoringRulesetId } from './carried-scores.ts';
import { carrySignatures } from './carried-signatures.ts';
import { skippedProductNotes } from './notes.ts';

const signatureRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';

export function carryOver({ sql }: Pick<ZoneContext, 'sql'>): Carried {
  const configuration = previousConfiguration(sql);
  const { waf, packages, pageRules } = configuration;
  const parts = [
    carryFirewallRules(new FirewallRuleStore(sql).inOrder()),
    carryPageRules(pageRules),
    carryPackages(packages, executionFor(waf, pageRules)),
  ];
  const rules = parts.flatMap((part) => part.rules);
  return {
    rules,
    losses: [
      ...switchLosses(configuration, rules),
      ...parts.flatMap((part) => part.losses),
      ...disabledPageRules(sql),
      ...skippedProducts(sql),
    ],
  };
}

/** Packages that score have a ruleset that scores; the rules of all others are in the one of signatures. */
function carryPackages(packages: readonly ConfiguredPackage[], on: Execution): Carried {
  const signatures = packages
    .filter(({ settings }) => settings === null)
    .map((each) => carrySignatures(each, replacementOf));
  const overrides = signatures.flatMap((each) => each.overrides);
  const overridden = overrides.length === 0 ? {} : { overrides: { rules: overrides } };
  const scores = packages.filter(({ settings }) => settings !== null).map(carryScores);
  return {
    rules: [
      execution(on, { id: signatureRulesetId, ...overridden }),
      ...scores.flatMap((each) =>
        each.overrides === undefined
          ? []
          : [execution(on, { id: scoringRulesetId, overrides: each.overrides })],
      ),
    ],
    losses: [...signatures, ...scores].flatMap(({ losses }) => losses),
  };
}

function switchLosses(
  { waf, pageRules }: PreviousConfiguration,
  rules: readonly CarriedRule[],
): ErrorEntry[] {
  const isAllOff = !rules.some(({ action, enabled }) => action === 'execute' && enabled);
  const isSomewhereOff = waf === 'off' || pageRules.some((rule) => wafOf(rule) === 'off');
  const ignoring = [...previousRules.values()].filter(({ ignoresSwitch }) => ignoresSwitch);
  return [
    ...(isAllOff ? [entryOf(codes.lossSwitchOff)] : []),
    ...(isSomewhereOff && ignoring.length > 0
      ? [entryOf(codes.lossIgnoredSwitch, { fill: { rules: ignoring.map(({ id }) => id).join(', ') } })]
      : []),
  ];
}

function disabledPageRules(sql: ZoneContext['sql']): ErrorEntry[] {
  return new PageRuleStore(sql)
    .all()
    .filter((rule) => rule.status === 'disabled' && wafOf(rule) !== 'unset')
    .map(({ id, pattern }) => entryOf(codes.lossPageRuleDisabled, { fill: { rule: id, pattern } }));
}

function skippedProducts(sql: ZoneContext['sql']): Message[] {
  const custom = new RulesetStore(sql).entryPoint('http_request_firewall_custom');
  return custom === undefined ? [] : skippedProductNotes(evaluatedRules(custom));
}
