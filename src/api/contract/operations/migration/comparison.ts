/** Both generations of managed rules of a zone in validation mode, side by side. Ours. */
import { migrationCodes } from '../../codes/migration.ts';
import { securityCodes } from '../../codes/events.ts';
import { operation } from '../../operation.ts';
import { rulesetProblemCodes } from '#rulesets';
import {
  annotate,
  array,
  choice,
  flag,
  listOf,
  named,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  unread,
  whole,
} from '#shapes';

const rule = named(
  'ComparedRule',
  record({
    event_id: string,
    rule_id: string,
    ruleset_id: string,
    description: string,
    action: annotate(string, {
      description: 'What the rule does or, if it only watches, would do; `off` if it is turned off.',
    }),
  }),
);

const generation = named(
  'ComparedGeneration',
  record({
    outcome: annotate(choice(['block', 'challenge', 'log', 'pass', 'not asked']), {
      description: '`not asked`: the new rules, which run first, had ended the request.',
    }),
    rules: listOf(rule),
  }),
);

const request = named(
  'ComparedRequest',
  record({
    ray: string,
    datetime: timestamp,
    times: annotate(whole, { description: 'Number of requests like this one, which is the newest.' }),
    client_ip: string,
    method: string,
    path: string,
    query: string,
    verdict: choice(['differs', 'unknown', 'agrees']),
    previous: generation,
    next: generation,
  }),
);

const byEdge = named(
  'EdgeRefusals',
  record({
    rule_id: annotate(string, {
      description: 'Instead of a rule, in events of the edge itself.',
    }),
    action: string,
    description: string,
    requests: whole,
    datetime: annotate(timestamp, { description: 'Of the newest of these requests.' }),
    event_id: string,
  }),
);

/** What a ruleset may have is checked by the handler, as for the entry point. */
const entryRule = unread({ type: 'object' });

export const migrationComparisonOperations = {
  'migration.compare': operation('POST /zones/{zone_id}/waf_migration/comparison', {
    answeredBy: 'several objects',
    api: 'wafmigration',
    summary: 'Compare the verdicts of both generations of managed rules since validation began',
    permissions: ['analyticsRead'],
    isWrite: false,
    isOurs: true,
    body: named(
      'ComparisonQuestion',
      object({
        since: optional(
          annotate(text({ min: 1, max: 40 }), {
            description: 'RFC 3339, or how long ago: 15m, 24h, 7d. Never before validation began.',
          }),
        ),
        rules: optional(
          annotate(array(entryRule, { max: 1_000 }), {
            description: 'Proposed rules of the entry point; those in force if not given.',
          }),
        ),
      }),
    ),
    result: named(
      'GenerationComparison',
      record({
        since: timestamp,
        watched: flag(),
        is_complete: annotate(flag(), { description: 'False if older requests were left out.' }),
        requests: annotate(whole, { description: 'Those that a managed rule of either generation matched.' }),
        differ: whole,
        unknown: annotate(whole, { description: 'Those that did not reach the legacy rules.' }),
        agree: whole,
        compared: annotate(listOf(request), { description: 'Differences first. Long lists are cut.' }),
        by_edge: annotate(listOf(byEdge), {
          description:
            'Requests that the edge itself refused or could not judge in full; they are not compared.',
        }),
      }),
    ),
    codes: [
      migrationCodes.migrationNotValidating,
      securityCodes.timeInvalid,
      ...Object.values(rulesetProblemCodes),
    ],
  }),
};
