/** The current counters of rate limits. Ours: Cloudflare does not show its counters. */
import { rateLimitCodes as codes } from '../../codes/rate-limits.ts';
import { operationsOf } from '../../operation.ts';
import { search, searchCodes } from '../events/events.ts';
import {
  annotate,
  array,
  countParameter,
  deleted,
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

const operation = operationsOf({
  api: 'ratelimit',
  isOurs: true,
  answeredBy: 'several objects',
  read: ['zoneWafRead', 'zoneWafWrite'],
  write: ['zoneWafWrite'],
});

const shown = named(
  'RateKey',
  record({
    id: string,
    rule_id: string,
    /** The values of the characteristics except `cf.colo.id`, in their order; null for one that the requests lack. */
    values: listOf(nullable(string)),
    host: string,
    count: whole,
    limit: whole,
    period: whole,
    stopped_until: nullable(timestamp),
  }),
);

/** Counters have 32 bits. */
const count = integer({ min: 0, max: 2 ** 32 });
const moment = integer({ min: 0, max: 2 ** 52 });
const key = {
  key: text({ min: 1, max: 250 }),
  requests: count,
  period_ms: integer({ min: 1_000, max: 100_000_000 }),
};
/** The remaining time, because hosts do not share a clock. */
const stop = integer({ min: 0, max: 100_000_000 });
const said = {
  key: string,
  requests: whole,
  added: whole,
  period_ms: whole,
  stop_ms: whole,
};
const cursor = text({ max: 40 });
const report = named(
  'RateReport',
  object({
    instance: text({ min: 1, max: 64 }),
    host: text({ min: 1, max: 253 }),
    after: cursor,
    counts: array(named('RateCount', object({ ...key, added: count, stop_ms: stop })), { max: 5_000 }),
    keys: optional(array(named('FullRateKey', object({ ...key, count, until_ms: moment })), { max: 5_000 })),
  }),
);
const answer = named(
  'RateAnswer',
  record({
    after: string,
    counts: listOf(named('SaidRateCount', record(said))),
    released: listOf(string),
    keys_wanted: annotate(flag(), { description: 'A caller lists the fullest keys: report them.' }),
  }),
);

const suggestion = named(
  'RateSuggestion',
  record({
    period: whole,
    visitors: whole,
    requests: whole,
    /** The rate that 99.9 % of the visitors never exceed. */
    suggested_limit: whole,
    peak: whole,
    stopped_visitors: whole,
    stopped_requests: whole,
    stopped: listOf(named('StoppedVisitor', record({ ip: string, peak: whole, requests: whole }))),
    is_complete: flag(),
  }),
);

const path = '/zones/{zone_id}/rate_limit_keys';

export const rateKeyOperations = {
  'rateKeys.list': operation(`GET ${path}`, {
    summary: 'List the fullest keys that rate limits count now, stopped keys first',
    result: listOf(shown),
  }),
  'rateKeys.suggest': operation('GET /zones/{zone_id}/rate_limit_suggestion', {
    summary:
      'Suggest a rate limit from the activity log, and show which clients it, or another limit, would have stopped',
    query: {
      ...search,
      period: countParameter({ fallback: 60, min: 10, max: 86_400 }),
      limit: countParameter({ fallback: 0, min: 0, max: 1_000_000 }),
    },
    result: suggestion,
    codes: searchCodes,
  }),
  'rateKeys.release': operation(`DELETE ${path}/{key_id}`, {
    summary: 'Release a key: its counter restarts at zero, on all hosts within seconds',
    result: deleted,
    codes: [codes.rateKeyNotFound],
  }),
  'rateKeys.exchange': operation('POST /accounts/{account_id}/edge/rates', {
    summary: 'Report the counters of an edge, and get those of the others',
    permissions: ['accountEdgeWrite'],
    body: report,
    result: answer,
  }),
};
