/** IP access rules of a zone, of the account and of the calling user: the same operations at three paths. */
import { accessRuleCodes as codes } from '../codes/access-rules.ts';
import { accessModes, accessTargets } from '#rulesets';
import { nameRows, operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  choice,
  choiceParameter,
  deleted,
  ignored,
  listOf,
  named,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
} from '#shapes';

const api = 'firewallaccessrules';

/** Longer than any reason that people write; Cloudflare publishes no bound. */
const notes = text({ max: 500 });
const mode = named('AccessRuleMode', choice(accessModes));
const target = choice(accessTargets);
const configuration = named(
  'AccessRuleConfiguration',
  object({
    target,
    value: text({
      min: 1,
      max: 64,
      description: 'An address, a network, a number of a network operator (`AS64500`) or a country code.',
    }),
  }),
);
/** The SDK for Go sends the whole rule, empty parts included. */
const sentBack = {
  id: ignored(),
  allowed_modes: ignored(),
  scope: ignored(),
  created_on: ignored(),
  modified_on: ignored(),
};
const body = named('NewAccessRule', object({ mode, configuration, notes: optional(notes), ...sentBack }));
const edit = named(
  'AccessRuleEdit',
  object({
    mode: optional(mode),
    configuration: optional(configuration),
    notes: optional(notes),
    ...sentBack,
  }),
);
/** Old clients say with a deletion what happens to the same rule elsewhere; here every rule is independent. */
const deletion = optional(named('AccessRuleDeletion', object({ cascade: ignored() })));

const result = named(
  'AccessRule',
  record({
    id: string,
    modified_on: timestamp,
    allowed_modes: listOf(mode),
    mode,
    notes: string,
    configuration: named('AccessRuleTarget', record({ target, value: string })),
    scope: named(
      'AccessRuleScope',
      record({
        id: string,
        email: optional(string),
        name: optional(string),
        type: choice(['zone', 'organization', 'user']),
      }),
    ),
    created_on: timestamp,
  }),
);

const orders = ['configuration.target', 'configuration.value', 'mode'] as const;
const query = {
  mode: choiceParameter(accessModes),
  notes: textParameter('A substring; ASCII case is ignored.'),
  'configuration.target': choiceParameter(accessTargets),
  'configuration.value': textParameter(),
  configuration_target: choiceParameter(accessTargets, 'The older name of `configuration.target`.'),
  configuration_value: textParameter('The older name of `configuration.value`.'),
  match: choiceParameter(['any', 'all'], 'Whether all conditions must match, or any of them. Default: all.'),
  order: choiceParameter(orders, 'Default: by creation, the newest first.'),
  direction: choiceParameter(['asc', 'desc']),
  ...pageParameters({ fallback: 20, max: 1000 }),
};

type Root = '/zones/{zone_id}' | '/accounts/{account_id}' | '/user';

interface Level<R extends Root> {
  readonly root: R;
  readonly read: readonly Permission[];
  readonly write: readonly Permission[];
  /** The answer depends on the caller. */
  readonly isPersonal: boolean;
}

/** The rows of all levels, by verb. */
export type AccessRuleRows = ReturnType<typeof rowsAt<Root>>;

function rowsAt<R extends Root>({ root, read, write, isPersonal }: Level<R>) {
  const rules = `${root}/firewall/access_rules/rules` as const;
  const rule = `${rules}/{rule_id}` as const;
  const reads = { api, isPersonal, permissions: read } as const;
  const writes = { api, isPersonal, permissions: write } as const;
  return {
    list: operation(`GET ${rules}`, {
      ...reads,
      summary: 'List the IP access rules of this level',
      query,
      result: listOf(result),
    }),
    create: operation(`POST ${rules}`, {
      ...writes,
      summary: 'Create an IP access rule',
      body,
      result,
      codes: [
        codes.accessRuleDuplicate,
        codes.accessRuleInvalid,
        codes.accessRuleNotEntitled,
        codes.accessRuleQuota,
      ],
    }),
    get: operation(`GET ${rule}`, {
      ...reads,
      summary: 'Get an IP access rule',
      result,
      codes: [codes.accessRuleNotFound],
    }),
    edit: operation(`PATCH ${rule}`, {
      ...writes,
      summary: 'Change the mode or the notes of an IP access rule',
      body: edit,
      result,
      codes: [
        codes.accessRuleNotFound,
        codes.accessRuleFixed,
        codes.accessRuleInvalid,
        codes.accessRuleNotEntitled,
      ],
    }),
    delete: operation(`DELETE ${rule}`, {
      ...writes,
      summary: 'Delete an IP access rule',
      body: deletion,
      result: deleted,
      codes: [codes.accessRuleNotFound],
    }),
  };
}

const ofAccount = {
  read: ['accountAccessRulesRead', 'accountAccessRulesWrite'],
  write: ['accountAccessRulesWrite'],
} as const satisfies Pick<Level<Root>, 'read' | 'write'>;

export const accessRuleOperations = nameRows(
  'accessRules',
  rowsAt({
    root: '/zones/{zone_id}',
    read: ['firewallServicesRead', 'firewallServicesWrite'],
    write: ['firewallServicesWrite'],
    isPersonal: false,
  }),
);

export const accountAccessRuleOperations = nameRows(
  'accountAccessRules',
  rowsAt({ root: '/accounts/{account_id}', ...ofAccount, isPersonal: false }),
);

/** A user's rules act in all zones, so they need the same permissions as those of the account. */
export const userAccessRuleOperations = nameRows(
  'userAccessRules',
  rowsAt({ root: '/user', ...ofAccount, isPersonal: true }),
);
