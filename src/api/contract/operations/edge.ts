/** How the edge serves a zone: ours, because Cloudflare configures this elsewhere. */
import { edgeCodes } from '../codes/edge.ts';
import { genericCodes } from '../codes/generic.ts';
import { overInspectionActions, responseRulesActions, unconfirmedScoresActions } from '#firewall';
import { learningModes } from '#learning';
import { operationsOf } from '../operation.ts';
import {
  named,
  choice,
  decimal,
  flag,
  integer,
  nullable,
  text,
  unread,
  array,
  object,
  optional,
  record,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'edge',
  isOurs: true,
  read: ['zoneSettingsRead', 'zoneSettingsWrite'],
  write: ['accountEdgeWrite'],
});

/** The address of a zone's application. */
export const origin = named(
  'Origin',
  object({
    /** Either this or a `worker`. */
    url: optional(
      text({
        min: 8,
        max: 300,
        pattern: /^https?:\/\//,
        what: 'a URL that begins with http:// or https://',
      }),
    ),
    worker: optional(
      text({
        min: 1,
        max: 63,
        pattern: /^[a-z0-9-]+$/,
        what: 'a name of lower-case letters, digits and dashes',
      }),
    ),
    connect_to: optional(text({ min: 1, max: 253 })),
    verify_tls: optional(flag()),
  }),
);
const overInspectionLimit = choice(overInspectionActions);
const responseRules = choice(responseRulesActions);
const unconfirmedScores = choice(unconfirmedScoresActions);
const learning = choice(learningModes);
const forwardedFields = array(text({ min: 1, max: 100 }), { max: 50 });

const settings = named(
  'EdgeSettings',
  record({
    origin: nullable(origin),
    over_inspection_limit: overInspectionLimit,
    forwarded_fields: forwardedFields,
    response_rules: responseRules,
    unconfirmed_scores: unconfirmedScores,
    learning,
  }),
);
const settingsToUpdate = named(
  'EdgeSettingsUpdate',
  object({
    origin: optional(nullable(origin)),
    over_inspection_limit: optional(overInspectionLimit),
    forwarded_fields: optional(forwardedFields),
    /** Whether the OWASP rules inspect responses, and what happens to a response whose score is too high. */
    response_rules: optional(responseRules),
    /** What happens to a request whose score reaches its threshold while no detector is certain of an attack in it. */
    unconfirmed_scores: optional(unconfirmedScores),
    /** Whether the zone learns what values of its requests look like, and whether it scores requests by that. */
    learning: optional(learning),
    /** Whether a zone that gets its first origin also gets the managed rules of its plan; true by default. */
    protect: optional(flag()),
  }),
);

const recorded = named(
  'EdgeEvent',
  object({ event: unread({ type: 'object' }), judged: optional(unread({ type: 'object' })) }),
);
const recording = named(
  'EdgeEvents',
  object({
    zone_id: text({ pattern: /^[0-9a-f]{32}$/, what: 'the id of a zone' }),
    events: array(recorded, { min: 1, max: 1_000 }),
  }),
);

const originHealth = named(
  'EdgeOriginHealth',
  object({
    pool_id: text({ pattern: /^[0-9a-f]{32}$/, what: 'the id of a pool' }),
    origin: text({ min: 1, max: 100 }),
    address: text({ min: 1, max: 253 }),
    healthy: flag(),
    reason: text({ max: 500 }),
    status: integer({ min: 0, max: 999 }),
    rtt_ms: decimal({ min: 0, max: 3_600_000 }),
    since_ms: integer({ min: 0, max: 2 ** 52 }),
  }),
);
const healthReport = named(
  'EdgeHealthReport',
  object({ pop: text({ min: 1, max: 253 }), origins: array(originHealth, { max: 10_000 }) }),
);

export const edgeOperations = {
  'edge.get': operation('GET /zones/{zone_id}/edge', {
    summary: 'Get the origin of a zone and how it is served',
    result: settings,
  }),
  'edge.update': operation('PUT /zones/{zone_id}/edge', {
    summary: 'Set the origin of a zone and how it is served',
    permissions: ['zoneSettingsWrite'],
    body: settingsToUpdate,
    result: settings,
    codes: [
      edgeCodes.originInvalid,
      edgeCodes.originPrivate,
      edgeCodes.originForbidden,
      edgeCodes.workerUnknown,
      edgeCodes.forwardedFieldInvalid,
    ],
  }),
};

/** For edges that run separately: their configuration, and their reports. */
export const edgeFeedOperations = {
  'edge.feed': operation('GET /accounts/{account_id}/edge/feed', {
    answeredBy: 'several objects',
    summary:
      'Stream what zones share, the zones and their configurations, then each change, as lines of JSON',
    permissions: ['accountEdgeRead', 'accountEdgeWrite'],
    result: record({
      kind: choice(['account', 'zones', 'configuration', 'removed', 'unavailable', 'complete']),
    }),
    media: ['application/x-ndjson'],
  }),
  'edge.health': operation('POST /accounts/{account_id}/edge/health', {
    summary: 'Report the health of the origins of pools as an edge sees it: the whole state',
    body: healthReport,
    result: named('ReportedCount', record({ count: whole })),
  }),
  'edge.record': operation('POST /accounts/{account_id}/edge/events', {
    answeredBy: 'several objects',
    summary: 'Add events of an edge to the activity log of a zone; events that it already has are left out',
    body: recording,
    result: named('RecordedCount', record({ count: whole })),
    codes: [edgeCodes.edgeEventInvalid, genericCodes.zoneNotFound],
  }),
};
