/** The number of a zone's requests, including those that no rule acted on. Ours: Cloudflare offers it by GraphQL. */
import { securityCodes } from '../codes/events.ts';
import { operationsOf } from '../operation.ts';
import {
  fields,
  annotate,
  array,
  integer,
  listOf,
  named,
  object,
  record,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'traffic',
  isOurs: true,
  read: ['analyticsRead'],
  write: ['accountEdgeWrite'],
});

const count = whole;

const counts = {
  requests: count,
  requests_with_events: annotate(count, {
    description: 'Those that a rule acted on, so that the activity log has events.',
  }),
  verdicts: named(
    'TrafficVerdicts',
    record(fields(['forwarded', 'blocked', 'challenged', 'answered', 'unserved'], count)),
  ),
  statuses: named(
    'TrafficStatuses',
    annotate(record(fields(['1xx', '2xx', '3xx', '4xx', '5xx', 'none'], count)), {
      description:
        'Of the responses to clients. `none`: the client disconnected before its response, or got none.',
    }),
  ),
  received_bytes: count,
  sent_bytes: count,
};

const trafficSchema = named(
  'Traffic',
  record({
    since: timestamp,
    until: timestamp,
    interval_seconds: annotate(count, { description: 'The length of a point.' }),
    totals: named('TrafficCounts', record(counts)),
    points: listOf(named('TrafficPoint', record({ datetime: timestamp, ...counts }))),
  }),
);

const countMax = Number.MAX_SAFE_INTEGER;

const report = named(
  'EdgeTraffic',
  object({
    batch: text({ min: 1, max: 64 }),
    rows: array(
      named(
        'EdgeTrafficRow',
        object({
          zone_id: text({ pattern: /^[0-9a-f]{32}$/, what: 'the id of a zone' }),
          minute: integer({ min: 0, max: 1_000_000_000 }),
          counts: array(integer({ min: 0, max: countMax }), { min: 1, max: 64 }),
        }),
      ),
      { min: 1, max: 1_000 },
    ),
  }),
);

export const trafficOperations = {
  'traffic.get': operation('GET /zones/{zone_id}/traffic', {
    answeredBy: 'several objects',
    summary: 'Count the requests of a zone by time, verdict and status',
    query: {
      since: textParameter('RFC 3339, or how long ago: 15m, 24h, 7d. An hour ago if not given.'),
      until: textParameter('RFC 3339, or how long ago; now if not given.'),
      interval: textParameter(
        'The length of a point: 1m, 5m, 15m, 1h, 6h or 1d. If not given, chosen so that there are at most 200.',
      ),
    },
    result: trafficSchema,
    codes: [securityCodes.timeInvalid, securityCodes.intervalInvalid],
  }),
  'traffic.record': operation('POST /accounts/{account_id}/edge/traffic', {
    answeredBy: 'several objects',
    summary: 'Add request counts of an edge; a repeated batch is not counted again',
    body: report,
    result: named('RecordedTraffic', record({ rows: count })),
  }),
};
