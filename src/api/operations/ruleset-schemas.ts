/** Rulesets and rules as clients send and get them. The room `firewall` reads what is sent; this is for the description. */
import {
  hasPhase,
  type Level,
  phases,
  products,
  ruleActions,
  skippablePhases,
  verdictActions,
} from '#firewall';
import { named, enumeration, listOf, momentSchema, type JsonSchema } from '#shapes';

const string: JsonSchema = { type: 'string' };
const id: JsonSchema = { type: 'string', description: '32 hexadecimal digits.' };
const digits: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };
const flag: JsonSchema = { type: 'boolean' };

const phase = named('Phase', enumeration([...phases.keys()]));

/** The phases that a level has, for the path of their entry points. */
export function phasesOf(level: Level): JsonSchema {
  const names = [...phases.keys()].filter((name) => hasPhase(level, name));
  return named(level === 'zone' ? 'ZonePhase' : 'AccountPhase', enumeration(names));
}

const action = named('RuleAction', enumeration(ruleActions));
/** What is not evaluated may hold `ddos_dynamic`, too. */
const override = {
  action: named('OverrideAction', enumeration([...verdictActions, 'ddos_dynamic'])),
  enabled: flag,
};

const overrides = named('Overrides', {
  type: 'object',
  description: 'execute: what to change of the rules of a managed ruleset.',
  minProperties: 1,
  properties: {
    ...override,
    categories: listOf(
      named('CategoryOverride', {
        type: 'object',
        required: ['category'],
        properties: { category: string, ...override },
      }),
    ),
    rules: listOf(
      named('RuleOverride', {
        type: 'object',
        required: ['id'],
        properties: { id, ...override, score_threshold: { type: 'integer', minimum: 1 } },
      }),
    ),
  },
});

const blockResponse = named('BlockResponse', {
  type: 'object',
  description: 'block: the answer instead of the usual page.',
  required: ['status_code', 'content', 'content_type'],
  properties: {
    status_code: { type: 'integer', minimum: 400, maximum: 499 },
    content: string,
    content_type: string,
  },
});

const actionParameters = named('ActionParameters', {
  type: 'object',
  description:
    'What the action needs; each action has its own of these, and in phases that are not evaluated any.',
  additionalProperties: true,
  properties: {
    id: { type: 'string', description: 'execute: the ruleset to run.' },
    version: { type: 'string', description: 'execute: `latest`.' },
    overrides,
    matched_data: named('MatchedData', {
      type: 'object',
      required: ['public_key'],
      properties: { public_key: string },
    }),
    ruleset: enumeration(['current'], 'skip: the rules that follow in this ruleset.'),
    phase: enumeration(['current']),
    rulesets: listOf(id),
    rules: {
      type: 'object',
      description: 'skip: rule ids by ruleset id.',
      additionalProperties: listOf(id),
    },
    phases: listOf(enumeration(skippablePhases)),
    products: listOf(named('Product', enumeration(products))),
    increment: { type: 'integer', description: 'score: what the rule adds.' },
    response: blockResponse,
  },
});

const ruleContent = {
  action,
  expression: { type: 'string', minLength: 1, maxLength: 4096 },
  action_parameters: actionParameters,
  ratelimit: { type: 'object', description: 'Only in the phase http_ratelimit.' },
  exposed_credential_check: named('ExposedCredentialCheck', {
    type: 'object',
    required: ['username_expression', 'password_expression'],
    properties: { username_expression: string, password_expression: string },
  }),
  description: string,
  ref: {
    type: 'string',
    description: 'A name for the rule by which later calls know it; its id if not given.',
  },
  enabled: { type: 'boolean', description: 'True unless told otherwise.' },
  logging: named('Logging', {
    type: 'object',
    description: 'Only with the action skip.',
    properties: { enabled: flag },
  }),
} as const;

const sentRuleProperties = {
  ...ruleContent,
  id: { type: 'string', description: 'Of a rule that stays; empty or another id is as good as none.' },
};

const sentRuleRequired = ['action', 'expression'];
const sentRule = named('NewRule', {
  type: 'object',
  required: sentRuleRequired,
  properties: sentRuleProperties,
});

const position = named('Position', {
  type: 'object',
  description:
    'One of: in front of a rule (none: first), behind a rule (none: last), at a place counted from 1.',
  minProperties: 1,
  maxProperties: 1,
  properties: { before: string, after: string, index: { type: 'integer', minimum: 1 } },
});

export const ruleAdditionSchema = named('RuleAddition', {
  type: 'object',
  required: sentRuleRequired,
  properties: { ...sentRuleProperties, position },
});

export const ruleEditSchema = named('RuleEdit', {
  type: 'object',
  description: 'The whole rule, or only a `position`.',
  properties: { ...sentRuleProperties, position },
});

const changeProperties = { description: string, rules: listOf(sentRule) };

export const rulesetDraftSchema = named('NewRuleset', {
  type: 'object',
  required: ['name', 'kind', 'phase'],
  properties: {
    name: { type: 'string', minLength: 1 },
    kind: enumeration(['custom', 'root', 'zone']),
    phase,
    ...changeProperties,
  },
});

export const rulesetChangeSchema = named('RulesetUpdate', {
  type: 'object',
  description: 'What is left out stays; `rules` replaces all of them.',
  properties: changeProperties,
});

const rule = named('Rule', {
  type: 'object',
  required: ['id', 'version', 'action', 'last_updated', 'ref', 'enabled'],
  properties: {
    id,
    version: digits,
    ...ruleContent,
    categories: { ...listOf(string), description: 'Only of managed rules.' },
    score_threshold: { type: 'integer', description: 'Only of managed rules that compare a score.' },
    last_updated: momentSchema,
  },
});

const summaryProperties = {
  id,
  name: string,
  description: string,
  source: { type: 'string', description: 'Only in the managed phase.' },
  kind: named('RulesetKind', enumeration(['managed', 'custom', 'root', 'zone'])),
  version: digits,
  last_updated: momentSchema,
  phase,
} as const;
const summaryRequired = ['id', 'name', 'description', 'kind', 'version', 'last_updated', 'phase'];

export const rulesetsSchema = listOf(
  named('RulesetSummary', { type: 'object', required: summaryRequired, properties: summaryProperties }),
);

export const rulesetSchema = named('Ruleset', {
  type: 'object',
  required: [...summaryRequired, 'rules'],
  properties: { ...summaryProperties, rules: listOf(rule) },
});

/** Of an operation that may run dry. */
export const writtenRulesetSchema = named('WrittenRuleset', { anyOf: [rulesetSchema, { type: 'null' }] });

const fieldDiffs = listOf(
  named('FieldDiff', {
    type: 'object',
    required: ['field'],
    properties: { field: string, before: {}, after: {} },
  }),
);
const ruleDiff = named('RuleDiff', {
  type: 'object',
  required: ['id', 'fields'],
  properties: { id, fields: fieldDiffs },
});
const ruleMove = named('RuleMove', {
  type: 'object',
  required: ['id', 'from', 'to'],
  properties: { id, from: { type: 'integer' }, to: { type: 'integer' } },
});

export const diffSchema = named('RulesetDiff', {
  type: 'object',
  required: ['from', 'to', 'fields', 'added', 'removed', 'changed', 'moved'],
  properties: {
    from: digits,
    to: digits,
    fields: fieldDiffs,
    added: listOf(rule),
    removed: listOf(rule),
    changed: listOf(ruleDiff),
    moved: listOf(ruleMove),
  },
});
