/**
 * The effects of rules, counted in the activity log, and a preview of the effects of a rule before it is saved. Ours.
 */
import {
  annotate,
  choice,
  countParameter,
  flag,
  integer,
  listOf,
  named,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  whole,
} from '#shapes';
import { filterCodes } from '../codes/filters.ts';
import { operationsOf } from '../operation.ts';

const operation = operationsOf({
  api: 'rule-effects',
  isOurs: true,
  read: ['analyticsRead'],
  write: ['zoneWafRead', 'zoneWafWrite', 'firewallServicesRead', 'firewallServicesWrite'],
});

const effect = named(
  'RuleEffect',
  record({
    rule_id: string,
    ruleset_id: annotate(string, { description: 'Empty for a firewall rule.' }),
    description: string,
    hits_24h: annotate(whole, { description: 'Events of the last 24 hours.' }),
    hits: annotate(whole, { description: 'Events of all `days`.' }),
    last_match: nullable(timestamp),
    is_in_force: annotate(flag(), {
      description: 'Whether the zone has the rule now; a paused or deleted rule still has its events.',
    }),
  }),
);

export const ruleEffectOperations = {
  'ruleEffects.list': operation('GET /zones/{zone_id}/security/rules/effects', {
    answeredBy: 'several objects',
    summary: 'List the effects of rules: hits in 24 hours, last match, and rules without a match in 30 days',
    query: { limit: countParameter({ fallback: 1_000, min: 1, max: 10_000 }) },
    result: named(
      'RuleEffects',
      record({
        days: annotate(whole, {
          description: 'Days covered: 30, or as long as the plan keeps events.',
        }),
        rules: listOf(effect),
        is_complete: flag(),
      }),
    ),
  }),
  'ruleEffects.preview': operation('POST /zones/{zone_id}/security/rules/preview', {
    answeredBy: 'several objects',
    summary: 'Count the recent requests that an expression would have matched, without saving anything',
    isWrite: false,
    body: named(
      'RulePreviewQuestion',
      object({
        expression: text({ min: 1, max: 65_536 }),
        requests: optional(
          annotate(integer({ min: 1, max: 50_000 }), {
            description:
              'Number of recent requests to check, on each host of a cluster; 12,000 if it is left out.',
          }),
        ),
      }),
    ),
    result: named(
      'RulePreview',
      record({
        source: annotate(choice(['access log', 'activity log', 'none']), {
          description:
            'Source of the requests: all that the edges of this server or cluster logged, or only those that a rule acted on.',
        }),
        examined: whole,
        matched: whole,
        matched_signed_in: annotate(nullable(whole), {
          description:
            'Those with a session cookie or an Authorization header; null if the log does not record it.',
        }),
        since: annotate(nullable(timestamp), { description: 'Time of the oldest request.' }),
        missing: annotate(listOf(string), {
          description:
            'Fields of the expression that the log does not store: what depends on them is not counted.',
        }),
        newest: listOf(
          named(
            'PreviewedRequest',
            record({
              datetime: timestamp,
              method: string,
              url: string,
              ip: string,
              is_signed_in: nullable(flag()),
            }),
          ),
        ),
      }),
    ),
    codes: [filterCodes.filterInvalid, filterCodes.filterNotEntitled],
  }),
};
