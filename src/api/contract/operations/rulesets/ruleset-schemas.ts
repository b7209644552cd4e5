/** Rulesets as clients receive them. The room `firewall` describes what clients send, because it parses it. */
import {
  type ActionParameters,
  hasPhase,
  type Level,
  phase,
  phases,
  ruleContent,
  rulesetKinds,
} from '#rulesets';
import {
  type JsonSchema,
  listOf,
  named,
  string,
  annotate,
  choice,
  record,
  optional,
  whole,
  timestamp,
  flag,
  nullable,
  json,
  typed,
} from '#shapes';

const id = annotate(string, { description: '32 hexadecimal digits.' });
const digits = annotate(string, { pattern: '^[0-9]+$' });

/** The phases of a level, for the path of their entry points. */
export function phasesOf(level: Level): JsonSchema {
  const names = [...phases.keys()].filter((name) => hasPhase(level, name));
  return named(level === 'zone' ? 'ZonePhase' : 'AccountPhase', choice(names)).schema;
}

const rule = named(
  'Rule',
  record({
    id,
    version: digits,
    ...ruleContent,
    expression: optional(ruleContent.expression),
    action_parameters: optional(typed<ActionParameters>(ruleContent.action_parameters)),
    ref: string,
    enabled: flag(),
    categories: optional(annotate(listOf(string), { description: 'Only of managed rules.' })),
    score_threshold: optional(
      annotate(whole, { description: 'Only of managed rules that compare a score.' }),
    ),
    last_updated: timestamp,
  }),
);

const summaryProperties = {
  id,
  name: string,
  description: string,
  source: optional(annotate(string, { description: 'Only in the managed phase.' })),
  kind: named('RulesetKind', choice(rulesetKinds)),
  version: digits,
  last_updated: timestamp,
  phase,
  content: optional(
    named(
      'RulesetContent',
      record(
        {
          installed: flag(),
          version: annotate(nullable(string), { description: 'Of the installed rules.' }),
        },
        'An addition of ours: only of managed rulesets whose rules are installed apart from the program.',
      ),
    ),
  ),
};

export const rulesetsSchema = listOf(named('RulesetSummary', record(summaryProperties)));

export const rulesetSchema = named('Ruleset', record({ ...summaryProperties, rules: listOf(rule) }));

/** The result of an operation that supports a dry run. */
export const writtenRulesetSchema = named('WrittenRuleset', nullable(rulesetSchema));

const fieldDiffs = listOf(
  named('FieldDiff', record({ field: string, before: optional(json), after: optional(json) })),
);
const ruleDiff = named('RuleDiff', record({ id, fields: fieldDiffs }));
const ruleMove = named('RuleMove', record({ id, from: whole, to: whole }));

export const diffSchema = named(
  'RulesetDiff',
  record({
    from: digits,
    to: digits,
    fields: fieldDiffs,
    added: listOf(rule),
    removed: listOf(rule),
    changed: listOf(ruleDiff),
    moved: listOf(ruleMove),
  }),
);
