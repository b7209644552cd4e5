/** Saved searches of the activity log. They belong to the zone: everyone who may read its log can see them. */
import {
  annotate,
  array,
  deleted,
  listOf,
  named,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
} from '#shapes';
import { securityCodes } from '../../codes/events.ts';
import { operationsOf } from '../../operation.ts';

const operation = operationsOf({
  api: 'saved-views',
  isOurs: true,
  read: ['analyticsRead'],
  write: ['zoneWrite', 'zoneWafWrite', 'firewallServicesWrite'],
});

const searched = {
  since: optional(annotate(text({ max: 40 }), { description: 'RFC 3339, or how long ago: 15m, 24h, 7d.' })),
  until: optional(text({ max: 40 })),
  expression: optional(text({ max: 4_096 })),
  where: optional(array(text({ min: 1, max: 2_048 }), { max: 50 })),
  interval: optional(
    annotate(text({ max: 10 }), { description: 'The length of a bar in the chart: 1m, 1h, 1d.' }),
  ),
  compare: optional(
    annotate(text({ max: 20 }), { description: '`before`: the chart also shows the previous period.' }),
  ),
};

const view = named(
  'SavedView',
  record({
    id: string,
    name: string,
    search: named(
      'SavedSearch',
      record({
        since: optional(string),
        until: optional(string),
        expression: optional(string),
        where: optional(listOf(string)),
        interval: optional(string),
        compare: optional(string),
      }),
    ),
    created_on: timestamp,
    created_by: annotate(string, {
      description: 'The e-mail address of the user who saved it; empty for a token of the account.',
    }),
  }),
);

export const savedViewOperations = {
  'savedViews.list': operation('GET /zones/{zone_id}/security/views', {
    summary: 'List the saved searches of the activity log, by name',
    result: listOf(view),
  }),
  'savedViews.create': operation('POST /zones/{zone_id}/security/views', {
    summary: 'Save a search of the activity log; one with the same name is replaced',
    body: named(
      'NewSavedView',
      object({ name: text({ min: 1, max: 80 }), search: named('SearchToSave', object(searched)) }),
    ),
    result: view,
    codes: [securityCodes.viewsTooMany],
  }),
  'savedViews.delete': operation('DELETE /zones/{zone_id}/security/views/{view_id}', {
    summary: 'Delete a saved search; one that does not exist counts as deleted',
    result: deleted,
  }),
};
