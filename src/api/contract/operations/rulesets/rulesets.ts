/** Rulesets of zones and of the account: the same operations at both levels. */
import {
  type Level as LevelName,
  ruleAddition,
  rulesetChange,
  rulesetDraft,
  ruleEdit,
  rulesetProblemCodes,
} from '#rulesets';
import type { Code } from '../../code.ts';
import { migrationCodes } from '../../codes/migration.ts';
import { rulesetCodes as codes } from '../../codes/rulesets.ts';
import { nameRows, operation } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import { flagParameter, readElsewhere, textParameter } from '#shapes';
import {
  diffSchema,
  phasesOf,
  rulesetSchema,
  rulesetsSchema,
  writtenRulesetSchema,
} from './ruleset-schemas.ts';

const api = 'rulesets';

const segments = { ruleset_phase: /^[a-z0-9_]{1,64}$/, ruleset_version: /^[1-9][0-9]{0,9}$/ };

const dryRun = { dry_run: flagParameter('Only checks: nothing is changed, and the result is null.') };
const to = { to: textParameter('The version to compare with; the current one if not given.') };

/** For every operation that creates the next version of a ruleset. */
export const rulesetWriteCodes: readonly Code[] = [
  ...Object.values(rulesetProblemCodes),
  codes.phaseUnknown,
  codes.rulesetTooLarge,
  codes.rulesetsTooLarge,
  codes.skipNeverActs,
  codes.rulesetBeforeMigration,
];
const versionCodes = [codes.rulesetNotFound, codes.rulesetVersionNotFound];
const ownCodes = [codes.rulesetNotFound, codes.rulesetReadOnly];

type Root = '/zones/{zone_id}' | '/accounts/{account_id}';

interface Level<R extends Root> {
  readonly name: LevelName;
  readonly root: R;
  readonly read: readonly Permission[];
  readonly write: readonly Permission[];
}

const zone: Level<'/zones/{zone_id}'> = {
  name: 'zone',
  root: '/zones/{zone_id}',
  read: ['zoneWafRead', 'zoneWafWrite'],
  write: ['zoneWafWrite'],
};

const account: Level<'/accounts/{account_id}'> = {
  name: 'account',
  root: '/accounts/{account_id}',
  read: ['accountRulesetsRead', 'accountRulesetsWrite', 'accountWafRead', 'accountWafWrite'],
  write: ['accountRulesetsWrite', 'accountWafWrite'],
};

function rowsAt<R extends Root>(level: Level<R>) {
  return { ...rulesetRows(level), ...entryPointRows(level), ...versionRows(level) };
}

/** The rows of both levels, by verb. */
export type RulesetRows = ReturnType<typeof rowsAt<Root>>;

function rulesetRows<R extends Root>({ root, read, write }: Level<R>) {
  const rulesets = `${root}/rulesets` as const;
  const ruleset = `${rulesets}/{ruleset_id}` as const;
  const writes = { api, permissions: write, query: dryRun, result: writtenRulesetSchema };
  return {
    list: operation(`GET ${rulesets}`, {
      api,
      summary: 'List rulesets without their rules: those of the level, then those that it can deploy',
      permissions: read,
      result: rulesetsSchema,
    }),
    create: operation(`POST ${rulesets}`, {
      ...writes,
      summary: 'Create a ruleset',
      body: readElsewhere(rulesetDraft),
      codes: [...rulesetWriteCodes, codes.rulesetQuotaExceeded],
    }),
    get: operation(`GET ${ruleset}`, {
      api,
      summary: 'Get the current version of a ruleset',
      permissions: read,
      result: rulesetSchema,
      codes: [codes.rulesetNotFound],
    }),
    update: operation(`PUT ${ruleset}`, {
      ...writes,
      summary: 'Change the description of a ruleset, or replace its rules',
      body: readElsewhere(rulesetChange),
      codes: [...rulesetWriteCodes, ...ownCodes],
    }),
    delete: operation(`DELETE ${ruleset}`, {
      ...writes,
      summary: 'Delete a ruleset with all its versions',
      result: null,
      codes: [...ownCodes, codes.rulesetInUse],
    }),
    addRule: operation(`POST ${ruleset}/rules`, {
      ...writes,
      summary: 'Add a rule to a ruleset',
      body: readElsewhere(ruleAddition),
      codes: [...rulesetWriteCodes, ...ownCodes],
    }),
    editRule: operation(`PATCH ${ruleset}/rules/{rule_id}`, {
      ...writes,
      summary: 'Replace a rule of a ruleset, or only move it',
      body: readElsewhere(ruleEdit),
      codes: [...rulesetWriteCodes, ...ownCodes, codes.rulesetRuleNotFound],
    }),
    deleteRule: operation(`DELETE ${ruleset}/rules/{rule_id}`, {
      ...writes,
      summary: 'Delete a rule of a ruleset',
      codes: [...ownCodes, codes.rulesetRuleNotFound],
    }),
  };
}

function entryPointRows<R extends Root>({ name, root, read, write }: Level<R>) {
  const entryPoint = `${root}/rulesets/phases/{ruleset_phase}/entrypoint` as const;
  const segmentSchemas = { ruleset_phase: phasesOf(name) };
  const reads = { api, segments, segmentSchemas, permissions: read };
  return {
    getEntryPoint: operation(`GET ${entryPoint}`, {
      ...reads,
      summary: 'Get the entry point ruleset of a phase',
      result: rulesetSchema,
      codes: [codes.phaseUnknown, codes.entryPointNotFound],
    }),
    updateEntryPoint: operation(`PUT ${entryPoint}`, {
      api,
      segments,
      segmentSchemas,
      summary: 'Change the entry point ruleset of a phase; create it if there is none',
      permissions: write,
      query: dryRun,
      body: readElsewhere(rulesetChange),
      result: writtenRulesetSchema,
      codes: rulesetWriteCodes,
    }),
    listEntryPointVersions: operation(`GET ${entryPoint}/versions`, {
      ...reads,
      summary: 'List the versions of the entry point ruleset of a phase, the oldest first',
      result: rulesetsSchema,
      codes: [codes.phaseUnknown],
    }),
    getEntryPointVersion: operation(`GET ${entryPoint}/versions/{ruleset_version}`, {
      ...reads,
      summary: 'Get a version of the entry point ruleset of a phase',
      result: rulesetSchema,
      codes: [codes.phaseUnknown, codes.entryPointNotFound, codes.rulesetVersionNotFound],
    }),
  };
}

function versionRows<R extends Root>({ root, read, write }: Level<R>) {
  const versions = `${root}/rulesets/{ruleset_id}/versions` as const;
  const version = `${versions}/{ruleset_version}` as const;
  const reads = { api, segments, permissions: read };
  const writes = { api, segments, permissions: write, query: dryRun };
  return {
    listVersions: operation(`GET ${versions}`, {
      ...reads,
      summary: 'List the versions of a ruleset, the oldest first, without their rules',
      result: rulesetsSchema,
      codes: [codes.rulesetNotFound],
    }),
    getVersion: operation(`GET ${version}`, {
      ...reads,
      summary: 'Get a version of a ruleset',
      result: rulesetSchema,
      codes: versionCodes,
    }),
    deleteVersion: operation(`DELETE ${version}`, {
      ...writes,
      summary: 'Delete a version of a ruleset that is not the current one',
      result: null,
      codes: [...ownCodes, codes.rulesetVersionNotFound, codes.rulesetVersionCurrent],
    }),
    diffVersions: operation(`GET ${version}/diff`, {
      ...reads,
      summary: 'Compare a version of a ruleset with another, rule by rule',
      query: to,
      result: diffSchema,
      codes: versionCodes,
      isOurs: true,
    }),
    restoreVersion: operation(`POST ${version}/restore`, {
      ...writes,
      summary: 'Make the next version of a ruleset equal to an earlier one; rules get their ids back',
      result: writtenRulesetSchema,
      codes: [...rulesetWriteCodes, ...ownCodes, codes.rulesetVersionNotFound],
      isOurs: true,
    }),
  };
}

const zoneRows = rowsAt(zone);

export const rulesetOperations = nameRows('rulesets', {
  ...zoneRows,
  updateEntryPoint: {
    ...zoneRows.updateEntryPoint,
    codes: [...rulesetWriteCodes, ...Object.values(migrationCodes), codes.wafMigrationInvalid],
    query: {
      ...dryRun,
      waf_migration: textParameter(
        'Only in the phase http_request_firewall_managed: `pending` or `1` moves the zone from the legacy managed rules to this ruleset, for good; `validation` or `2` has both in force.',
      ),
      phase_two: textParameter(
        '`1` with `waf_migration`. Without it, the conditions of the first phase apply.',
      ),
      watch: flagParameter(
        'Only with `waf_migration=validation`: the rules of this ruleset log what they match and do not act, until they are sent without it.',
      ),
    },
  },
});

export const accountRulesetOperations = nameRows('accountRulesets', {
  ...rowsAt(account),
  getVersionByTag: operation(
    `GET ${account.root}/rulesets/{ruleset_id}/versions/{ruleset_version}/by_tag/{rule_tag}`,
    {
      api,
      segments: { ...segments, rule_tag: /^[\w.:-]{1,128}$/ },
      summary: 'Get a version of a managed ruleset with only the rules that have a tag',
      permissions: account.read,
      result: rulesetSchema,
      codes: [...versionCodes, codes.rulesetNotManaged],
    },
  ),
});
