/** Rulesets and rules as clients send and get them. The room `firewall` reads what is sent; this is for the description. */
import type { JsonSchema } from '#shapes';

const string: JsonSchema = { type: 'string' };
const id: JsonSchema = { type: 'string', description: '32 hexadecimal digits.' };
const digits: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };
const flag: JsonSchema = { type: 'boolean' };
const moment: JsonSchema = { type: 'string', format: 'date-time' };

const override = { action: string, enabled: flag };

const overrides: JsonSchema = {
  type: 'object',
  minProperties: 1,
  properties: {
    ...override,
    categories: {
      type: 'array',
      items: { type: 'object', required: ['category'], properties: { category: string, ...override } },
    },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        properties: { id, ...override, score_threshold: { type: 'integer', minimum: 1 } },
      },
    },
  },
};

const actionParameters: JsonSchema = {
  type: 'object',
  description:
    'What the action needs; each action has its own of these, and in phases that are not evaluated any.',
  additionalProperties: true,
  properties: {
    id: { type: 'string', description: 'execute: the ruleset to run.' },
    version: { const: 'latest' },
    overrides: { ...overrides, description: 'execute: what to change of the rules of a managed ruleset.' },
    matched_data: { type: 'object', required: ['public_key'], properties: { public_key: string } },
    ruleset: { const: 'current', description: 'skip: the rules that follow in this ruleset.' },
    phase: { const: 'current' },
    rulesets: { type: 'array', items: id },
    rules: {
      type: 'object',
      description: 'skip: rule ids by ruleset id.',
      additionalProperties: { type: 'array', items: id },
    },
    phases: { type: 'array', items: string },
    products: { type: 'array', items: string },
    increment: { type: 'integer', description: 'score: what the rule adds.' },
    response: {
      type: 'object',
      description: 'block: the answer instead of the usual page.',
      required: ['status_code', 'content', 'content_type'],
      properties: {
        status_code: { type: 'integer', minimum: 400, maximum: 499 },
        content: string,
        content_type: string,
      },
    },
  },
};

const ruleContent = {
  action: string,
  expression: { type: 'string', minLength: 1, maxLength: 4096 },
  action_parameters: actionParameters,
  ratelimit: { type: 'object', description: 'Only in the phase http_ratelimit.' },
  exposed_credential_check: {
    type: 'object',
    required: ['username_expression', 'password_expression'],
    properties: { username_expression: string, password_expression: string },
  },
  description: string,
  ref: {
    type: 'string',
    description: 'A name for the rule by which later calls know it; its id if not given.',
  },
  enabled: { type: 'boolean', default: true },
  logging: { type: 'object', description: 'Only with the action skip.', properties: { enabled: flag } },
} as const;

const sentRuleProperties = {
  ...ruleContent,
  id: { type: 'string', description: 'Of a rule that stays; empty or another id is as good as none.' },
};

const sentRule: JsonSchema = {
  type: 'object',
  required: ['action', 'expression'],
  properties: sentRuleProperties,
};

const position: JsonSchema = {
  type: 'object',
  description:
    'One of: in front of a rule (none: first), behind a rule (none: last), at a place counted from 1.',
  minProperties: 1,
  maxProperties: 1,
  properties: { before: string, after: string, index: { type: 'integer', minimum: 1 } },
};

export const ruleAdditionSchema: JsonSchema = {
  ...sentRule,
  properties: { ...sentRuleProperties, position },
};

export const ruleEditSchema: JsonSchema = {
  type: 'object',
  description: 'The whole rule, or only a `position`.',
  properties: { ...sentRuleProperties, position },
};

const changeProperties = { description: string, rules: { type: 'array', items: sentRule } };

export const rulesetDraftSchema: JsonSchema = {
  type: 'object',
  required: ['name', 'kind', 'phase'],
  properties: {
    name: { type: 'string', minLength: 1 },
    kind: { enum: ['custom', 'root', 'zone'] },
    phase: string,
    ...changeProperties,
  },
};

export const rulesetChangeSchema: JsonSchema = {
  type: 'object',
  description: 'What is left out stays; `rules` replaces all of them.',
  properties: changeProperties,
};

const rule: JsonSchema = {
  type: 'object',
  required: ['id', 'version', 'action', 'last_updated', 'ref', 'enabled'],
  properties: {
    id,
    version: digits,
    ...ruleContent,
    categories: { type: 'array', items: string, description: 'Only of managed rules.' },
    score_threshold: { type: 'integer', description: 'Only of managed rules that compare a score.' },
    last_updated: moment,
  },
};

const summaryProperties = {
  id,
  name: string,
  description: string,
  source: { type: 'string', description: 'Only in the managed phase.' },
  kind: { enum: ['managed', 'custom', 'root', 'zone'] },
  version: digits,
  last_updated: moment,
  phase: string,
} as const;
const summaryRequired = ['id', 'name', 'description', 'kind', 'version', 'last_updated', 'phase'];

export const rulesetsSchema: JsonSchema = {
  type: 'array',
  items: { type: 'object', required: summaryRequired, properties: summaryProperties },
};

export const rulesetSchema: JsonSchema = {
  type: 'object',
  required: [...summaryRequired, 'rules'],
  properties: { ...summaryProperties, rules: { type: 'array', items: rule } },
};

/** Of an operation that may run dry. */
export const writtenRulesetSchema: JsonSchema = { anyOf: [rulesetSchema, { type: 'null' }] };

const fieldDiffs: JsonSchema = {
  type: 'array',
  items: { type: 'object', required: ['field'], properties: { field: string, before: {}, after: {} } },
};

export const diffSchema: JsonSchema = {
  type: 'object',
  required: ['from', 'to', 'fields', 'added', 'removed', 'changed', 'moved'],
  properties: {
    from: digits,
    to: digits,
    fields: fieldDiffs,
    added: { type: 'array', items: rule },
    removed: { type: 'array', items: rule },
    changed: {
      type: 'array',
      items: { type: 'object', required: ['id', 'fields'], properties: { id, fields: fieldDiffs } },
    },
    moved: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'from', 'to'],
        properties: { id, from: { type: 'integer' }, to: { type: 'integer' } },
      },
    },
  },
};
