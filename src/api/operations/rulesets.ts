/** Rulesets of zones and of the account: the same operations at both levels. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import { flagParameter, textParameter, unread } from '#shapes';
import {
  diffSchema,
  ruleAdditionSchema,
  rulesetChangeSchema,
  ruleEditSchema,
  rulesetDraftSchema,
  rulesetSchema,
  rulesetsSchema,
  writtenRulesetSchema,
} from './ruleset-schemas.ts';

const api = 'rulesets';

const segments = { ruleset_phase: /^[a-z0-9_]{1,64}$/, ruleset_version: /^[1-9][0-9]{0,9}$/ };

const dryRun = { dry_run: flagParameter('Only checks: nothing is changed, and the result is null.') };
const to = { to: textParameter('The version to compare with; the current one if not given.') };

interface Level {
  readonly root: '/zones/{zone_id}' | '/accounts/{account_id}';
  readonly read: readonly Permission[];
  readonly write: readonly Permission[];
}

const zone: Level = {
  root: '/zones/{zone_id}',
  read: ['zoneWafRead', 'zoneWafWrite'],
  write: ['zoneWafWrite'],
};

const account: Level = {
  root: '/accounts/{account_id}',
  read: ['accountRulesetsRead', 'accountRulesetsWrite', 'accountWafRead', 'accountWafWrite'],
  write: ['accountRulesetsWrite', 'accountWafWrite'],
};

function rowsAt(level: Level) {
  return { ...rulesetRows(level), ...entryPointRows(level), ...versionRows(level) };
}

/** What both levels have, by verb. */
export type RulesetRows = ReturnType<typeof rowsAt>;

function rulesetRows({ root, read, write }: Level) {
  const rulesets = `${root}/rulesets` as const;
  const ruleset = `${rulesets}/{ruleset_id}` as const;
  const writes = { api, permissions: write, query: dryRun, result: writtenRulesetSchema };
  return {
    list: operation(`GET ${rulesets}`, {
      api,
      summary: 'List rulesets, without their rules: those of the level, then those that it can deploy',
      permissions: read,
      result: rulesetsSchema,
    }),
    create: operation(`POST ${rulesets}`, {
      ...writes,
      summary: 'Create a ruleset',
      body: unread(rulesetDraftSchema),
    }),
    get: operation(`GET ${ruleset}`, {
      api,
      summary: 'Get the current version of a ruleset',
      permissions: read,
      result: rulesetSchema,
    }),
    update: operation(`PUT ${ruleset}`, {
      ...writes,
      summary: 'Change the description of a ruleset, or replace its rules',
      body: unread(rulesetChangeSchema),
    }),
    delete: operation(`DELETE ${ruleset}`, {
      ...writes,
      summary: 'Delete a ruleset with all its versions',
      result: null,
    }),
    addRule: operation(`POST ${ruleset}/rules`, {
      ...writes,
      summary: 'Add a rule to a ruleset',
      body: unread(ruleAdditionSchema),
    }),
    editRule: operation(`PATCH ${ruleset}/rules/{rule_id}`, {
      ...writes,
      summary: 'Replace a rule of a ruleset, or only move it',
      body: unread(ruleEditSchema),
    }),
    deleteRule: operation(`DELETE ${ruleset}/rules/{rule_id}`, {
      ...writes,
      summary: 'Delete a rule of a ruleset',
    }),
  };
}

function entryPointRows({ root, read, write }: Level) {
  const entryPoint = `${root}/rulesets/phases/{ruleset_phase}/entrypoint` as const;
  const reads = { api, segments, permissions: read };
  return {
    getEntryPoint: operation(`GET ${entryPoint}`, {
      ...reads,
      summary: 'Get the entry point ruleset of a phase',
      result: rulesetSchema,
    }),
    updateEntryPoint: operation(`PUT ${entryPoint}`, {
      api,
      segments,
      summary: 'Change the entry point ruleset of a phase; create it if there is none',
      permissions: write,
      query: dryRun,
      body: unread(rulesetChangeSchema),
      result: writtenRulesetSchema,
    }),
    listEntryPointVersions: operation(`GET ${entryPoint}/versions`, {
      ...reads,
      summary: 'List the versions of the entry point ruleset of a phase, the oldest first',
      result: rulesetsSchema,
    }),
    getEntryPointVersion: operation(`GET ${entryPoint}/versions/{ruleset_version}`, {
      ...reads,
      summary: 'Get a version of the entry point ruleset of a phase',
      result: rulesetSchema,
    }),
  };
}

function versionRows({ root, read, write }: Level) {
  const versions = `${root}/rulesets/{ruleset_id}/versions` as const;
  const version = `${versions}/{ruleset_version}` as const;
  const reads = { api, segments, permissions: read };
  const writes = { api, segments, permissions: write, query: dryRun };
  return {
    listVersions: operation(`GET ${versions}`, {
      ...reads,
      summary: 'List the versions of a ruleset, the oldest first, without their rules',
      result: rulesetsSchema,
    }),
    getVersion: operation(`GET ${version}`, {
      ...reads,
      summary: 'Get a version of a ruleset',
      result: rulesetSchema,
    }),
    deleteVersion: operation(`DELETE ${version}`, {
      ...writes,
      summary: 'Delete a version of a ruleset that is not the current one',
      result: null,
    }),
    diffVersions: operation(`GET ${version}/diff`, {
      ...reads,
      summary: 'Compare a version of a ruleset with another, rule by rule',
      query: to,
      result: diffSchema,
      isOurs: true,
    }),
    restoreVersion: operation(`POST ${version}/restore`, {
      ...writes,
      summary: 'Make the next version of a ruleset equal to an earlier one; rules get their ids back',
      result: writtenRulesetSchema,
      isOurs: true,
    }),
  };
}

type Named<Family extends string, Rows> = {
  readonly [Verb in keyof Rows & string as `${Family}.${Verb}`]: Rows[Verb];
};

function named<const Family extends string, Rows extends object>(
  family: Family,
  rows: Rows,
): Named<Family, Rows> {
  const entries = Object.entries(rows).map(([verb, row]) => [`${family}.${verb}`, row]);
  return Object.fromEntries(entries) as Named<Family, Rows>;
}

const zoneRows = rowsAt(zone);

export const rulesetOperations = named('rulesets', {
  ...zoneRows,
  updateEntryPoint: {
    ...zoneRows.updateEntryPoint,
    query: {
      ...dryRun,
      waf_migration: textParameter(
        'Only in the phase http_request_firewall_managed: `pending` or `1` moves the zone from the previous managed rules to this ruleset, for good; `validation` or `2` has both in force.',
      ),
      phase_two: textParameter('`1` with `waf_migration`.'),
      watch: flagParameter(
        'Only with `waf_migration=validation`: the rules of this ruleset log what they match and do not act, until they are sent without it.',
      ),
    },
  },
});

export const accountRulesetOperations = named('accountRulesets', {
  ...rowsAt(account),
  getVersionByTag: operation(
    `GET ${account.root}/rulesets/{ruleset_id}/versions/{ruleset_version}/by_tag/{rule_tag}`,
    {
      api,
      segments: { ...segments, rule_tag: /^[\w.:-]{1,128}$/ },
      summary: 'Get a version of a managed ruleset with only the rules that have a tag',
      permissions: account.read,
      result: rulesetSchema,
    },
  ),
});
