/** Rulesets as clients get them. What clients send is described by the room `firewall`, which reads it. */
import { hasPhase, type Level, phase, phases, ruleContent, rulesetKinds } from '#firewall';
import { enumeration, type JsonSchema, listOf, momentSchema, named } from '#shapes';

const string: JsonSchema = { type: 'string' };
const id: JsonSchema = { type: 'string', description: '32 hexadecimal digits.' };
const digits: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };

/** The phases that a level has, for the path of their entry points. */
export function phasesOf(level: Level): JsonSchema {
  const names = [...phases.keys()].filter((name) => hasPhase(level, name));
  return named(level === 'zone' ? 'ZonePhase' : 'AccountPhase', enumeration(names));
}

const rule = named('Rule', {
  type: 'object',
  required: ['id', 'version', 'action', 'last_updated', 'ref', 'enabled'],
  properties: {
    id,
    version: digits,
    ...Object.fromEntries(Object.entries(ruleContent).map(([name, { schema }]) => [name, schema])),
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
  kind: named('RulesetKind', enumeration(rulesetKinds)),
  version: digits,
  last_updated: momentSchema,
  phase: phase.schema,
  content: named('RulesetContent', {
    type: 'object',
    description:
      'An addition of ours: only of managed rulesets whose rules are installed apart from the program.',
    required: ['installed', 'version'],
    properties: {
      installed: { type: 'boolean' },
      version: { anyOf: [string, { type: 'null' }], description: 'Of what is installed.' },
    },
  }),
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
