/** All rules of a zone as one document: to keep, to compare, or to rehearse a migration elsewhere. */
import { accessRuleCodes } from '../codes/access-rules.ts';
import { bundleCodes } from '../codes/bundle.ts';
import { loadBalancingCodes } from '../codes/load-balancing.ts';
import { lockdownCodes } from '../codes/lockdowns.ts';
import { pageRuleCodes } from '../codes/page-rules.ts';
import { settingCodes } from '../codes/settings.ts';
import { userAgentRuleCodes } from '../codes/user-agent-rules.ts';
import { wafCodes } from '../codes/managed-rules.ts';
import { descriptionCharactersMax, expressionListKinds, nameCharactersMax, rule } from '#rulesets';
import { migrationStates, legacyActions, legacyDenyModes, legacySwitchModes, sensitivities } from '#firewall';
import { operationsOf } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  annotate,
  array,
  choice,
  choiceParameter,
  flag,
  flagParameter,
  ignored,
  map,
  mapOf,
  named,
  object,
  optional,
  record,
  text,
  unread,
  whole,
} from '#shapes';
import { accessRuleOperations } from './access-rules.ts';
import { edgeOperations } from './edge.ts';
import { filterContent, identifier } from './filters.ts';
import { firewallRule, firewallRuleCreationCodes } from './firewall-rules.ts';
import { monitorOperations } from './load-balancing/monitors.ts';
import { poolOperations } from './load-balancing/pools.ts';
import { loadBalancerOperations } from './load-balancing/load-balancers.ts';
import { lockdownOperations } from './lockdowns.ts';
import { pageRuleOperations } from './page-rules.ts';
import { rulesetWriteCodes } from './rulesets/rulesets.ts';
import { urlNormalizationOperations } from './settings.ts';
import { userAgentRuleOperations } from './user-agent-rules.ts';
import { wafOverrideOperations } from './managed-rules/overrides.ts';

const write: readonly Permission[] = [
  'firewallServicesWrite',
  'zoneWafWrite',
  'pageRulesWrite',
  'zoneSettingsWrite',
];
const read: readonly Permission[] = [
  'firewallServicesRead',
  'zoneWafRead',
  'pageRulesRead',
  'zoneSettingsRead',
  ...write,
];

const operation = operationsOf({ api: 'bundle', isOurs: true, read, write });

/** The limits of the largest plan. The plan of the zone decides how many it may have. */
const countMax = {
  filters: 5000,
  rules: 1000,
  pageRules: 200,
  overrides: 200,
  modes: 5000,
  rulesets: 50,
  lists: 1000,
  accessRules: 50_000,
  lockdowns: 200,
  userAgentRules: 1000,
  balancing: 200,
};

const filter = named('BundleFilter', object({ ...filterContent, id: identifier, inline: optional(flag()) }));

const previousPackage = named(
  'BundlePackage',
  object({
    sensitivity: choice(sensitivities),
    action_mode: choice(legacyActions),
  }),
);

const previous = object({
  packages: map(previousPackage, { max: 10 }),
  groups: map(choice(legacySwitchModes), { max: countMax.modes }),
  rules: map(choice([...legacyDenyModes, ...legacySwitchModes]), { max: countMax.modes }),
  overrides: array(wafOverrideOperations['wafOverrides.create'].body, { max: countMax.overrides }),
});

const ruleset = object({
  name: text({ max: nameCharactersMax }),
  description: text({ max: descriptionCharactersMax }),
  phase: text({ min: 1, max: 64, pattern: /^[a-z0-9_]+$/, what: 'the name of a phase' }),
  rules: unread({ type: 'array', items: rule.schema }),
});

const firewall = object({
  filters: array(filter, { max: countMax.filters }),
  rules: array(firewallRule, { max: countMax.rules }),
});

const content = object({
  format: choice(['gatehouse.zone']),
  version: choice([1]),
  zone: named('BundleZone', object({ id: ignored(), name: text({ min: 1, max: 253 }), plan: ignored() })),
  migration: optional(
    named(
      'BundleMigration',
      object(
        { migration_state: choice(migrationStates) },
        'Whether the bundle was made before a migration or after it. The zone stays in its own state.',
      ),
    ),
  ),
  lists: optional(
    array(
      named('BundleList', object({ name: text({ min: 1, max: 50 }), kind: choice(expressionListKinds) })),
      { max: countMax.lists },
    ),
  ),
  settings: optional(named('BundleSettings', object({ waf: choice(['on', 'off']) }))),
  edge: optional(edgeOperations['edge.update'].body),
  url_normalization: optional(urlNormalizationOperations['urlNormalization.update'].body),
  zone_settings: optional(
    named(
      'BundleZoneSettings',
      map(unread({ description: 'The value of a setting of the zone, by its id.' }), { max: 100 }),
    ),
  ),
  page_rules: optional(array(pageRuleOperations['pageRules.create'].body, { max: countMax.pageRules })),
  security_tools: optional(
    named(
      'BundleSecurityTools',
      object({
        access_rules: optional(
          array(accessRuleOperations['accessRules.create'].body, { max: countMax.accessRules }),
        ),
        lockdowns: optional(array(lockdownOperations['lockdowns.create'].body, { max: countMax.lockdowns })),
        user_agent_rules: optional(
          array(userAgentRuleOperations['userAgentRules.create'].body, { max: countMax.userAgentRules }),
        ),
      }),
    ),
  ),
  load_balancing: optional(
    named(
      'BundleLoadBalancing',
      object({
        monitors: map(monitorOperations['monitors.create'].body, { max: countMax.balancing }),
        pools: map(poolOperations['pools.create'].body, { max: countMax.balancing }),
        load_balancers: array(loadBalancerOperations['loadBalancers.create'].body, {
          max: countMax.balancing,
        }),
      }),
    ),
  ),
  previous: optional(named('BundlePreviousRules', previous)),
  firewall: optional(named('BundleFirewall', firewall)),
  rulesets: optional(array(named('BundleRuleset', ruleset), { max: countMax.rulesets })),
});
const bundle = named('Bundle', content);

const modes = ['merge', 'replace'] as const;
const count = annotate(whole, { minimum: 0 });

/** Each part is imported as its own operations accept it. */
const importCodes = [
  ...Object.values(bundleCodes),
  ...firewallRuleCreationCodes,
  ...rulesetWriteCodes,
  ...Object.values(pageRuleCodes),
  ...Object.values(settingCodes),
  ...edgeOperations['edge.update'].codes,
  ...Object.values(wafCodes),
  ...Object.values(accessRuleCodes),
  ...Object.values(lockdownCodes),
  ...Object.values(userAgentRuleCodes),
  loadBalancingCodes.balancingInvalid,
  loadBalancingCodes.balancingQuota,
].filter(({ status }) => status >= 400);

export const bundleOperations = {
  'bundle.export': operation('GET /zones/{zone_id}/export', {
    isPersonal: true,
    summary: 'Export everything in a zone that the token may read, as one document',
    result: bundle,
  }),
  'bundle.import': operation('POST /zones/{zone_id}/import', {
    summary: 'Import such a document, completely or not at all; parts that it does not have stay as they are',
    query: {
      mode: choiceParameter(
        modes,
        'merge, the default: only adds what is missing. replace: makes each part equal to the document.',
      ),
      dry_run: flagParameter('Only checks and counts: nothing is changed.'),
    },
    body: bundle,
    result: named(
      'ImportReport',
      record({
        mode: choice(modes),
        dry_run: flag(),
        changes: annotate(
          mapOf(named('ImportCounts', record({ added: count, changed: count, removed: count, kept: count }))),
          { description: 'Counts by imported part.' },
        ),
      }),
    ),
    codes: importCodes,
  }),
};
