/** The activity log, explanations, and evaluating requests that are only described: ours, except for GraphQL. */
import { filterCodes } from '../../codes/filters.ts';
import { securityCodes } from '../../codes/events.ts';
import { operationsOf } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import { forwardedSchema, requestToTrace, triedSchema, verdictSchema } from './trace-shapes.ts';
import { firewallRuleOperations } from '../firewall-rules.ts';
import { rulesetOperations } from '../rulesets/rulesets.ts';
import { eventSchema, facetsSchema, foundSchema, groupsSchema, judgedSchema } from './event-shapes.ts';
import { wafOverrideOperations } from '../managed-rules/overrides.ts';
import { wafRuleOperations } from '../managed-rules/rules.ts';
import {
  typed,
  annotate,
  choice,
  choiceParameter,
  countParameter,
  either,
  flag,
  listOf,
  named,
  nullable,
  object,
  optional,
  type ParametersOf,
  record,
  repeatedParameter,
  string,
  text,
  textParameter,
  unread,
} from '#shapes';

const read: readonly Permission[] = ['analyticsRead'];
const operation = operationsOf({
  api: 'security',
  read,
  write: ['zoneWafWrite', 'firewallServicesWrite', 'zoneSettingsWrite'],
});
/** A ray id, and the index of the rule among those that the request triggered. */
const segments = { event_id: /^[0-9a-f]{16}-[A-Z]{1,8}-\d{1,4}$/ };

const exceptionRequest = named(
  'SecurityExceptionRequest',
  record({
    method: choice(['PATCH', 'POST', 'PUT']),
    path: string,
    body: typed<object | readonly object[]>(either(record({}), listOf(record({})))),
  }),
);

const narrowException = { effect: string, expression: string, request: exceptionRequest };

const exceptionSchema = named(
  'SecurityException',
  record(
    {
      ...narrowException,
      alternatives: optional(
        annotate(
          listOf(named('AlternativeSecurityException', record({ ...narrowException, warning: string }))),
          { description: 'Alternatives, each with its drawbacks.' },
        ),
      ),
      narrower: optional(
        annotate(
          listOf(
            named(
              'NarrowSecurityException',
              record(narrowException, 'An exception for the arguments that rules found something in.'),
            ),
          ),
          {
            description:
              'Exceptions that leave more in force, the narrowest first; they may not be sufficient.',
          },
        ),
      ),
    },
    'A request to this API that makes an exception for the host and path of a request.',
  ),
);

const proposedException = named(
  'ProposedException',
  record(
    {
      id: string,
      title: string,
      effect: string,
      expression: optional(
        annotate(string, { description: 'The requests that it applies to; absent if it applies to all.' }),
      ),
      requests: annotate(listOf(exceptionRequest), {
        description: 'The request to this API that makes the exception.',
      }),
      affected: named(
        'AffectedEvents',
        record(
          { since: string, where: listOf(string), expression: optional(string) },
          'The events that an exception would have prevented, as a search of the activity log.',
        ),
      ),
      tried: groupsSchema,
    },
    'An exception from the rule of an event, to be made by its id.',
  ),
);

/** How the requests that an exception consists of can fail. */
const changeCodes = [
  firewallRuleOperations['firewallRules.create'],
  firewallRuleOperations['firewallRules.except'],
  rulesetOperations['rulesets.addRule'],
  rulesetOperations['rulesets.editRule'],
  wafRuleOperations['wafRules.edit'],
  wafOverrideOperations['wafOverrides.create'],
].flatMap(({ codes }) => codes);

const question = object({
  query: text({ min: 1, max: 32_768 }),
  variables: optional(unread({ type: ['object', 'null'] })),
  operationName: optional(unread({ type: ['string', 'null'] })),
});

const conditions = {
  where: repeatedParameter({ max: 50 }),
  expression: textParameter('In the rules language; only fields that events store can be used.'),
};

/** All parameters of a search. Conditions are `field:operator:value`; all of them must hold. */
export const search = {
  since: textParameter('RFC 3339, or how long ago: 15m, 24h, 7d. An hour ago if not given.'),
  until: textParameter('RFC 3339, or how long ago; now if not given.'),
  ...conditions,
};

const conditionCodes = [securityCodes.searchConditionInvalid, securityCodes.searchExpressionInvalid];
export const searchCodes = [...conditionCodes, securityCodes.timeInvalid];

export type SecuritySearch = ParametersOf<typeof search>;

export const securityOperations = {
  'security.list': operation('GET /zones/{zone_id}/security/events', {
    answeredBy: 'several objects',
    summary: 'Search the activity log',
    query: {
      ...search,
      order: choiceParameter(['newest', 'oldest']),
      cursor: textParameter('From the previous page. A page with a cursor may be shorter than requested.'),
      per_page: countParameter({ fallback: 100, min: 1, max: 10_000 }),
    },
    result: listOf(eventSchema),
    isOurs: true,
    codes: [...searchCodes, securityCodes.cursorInvalid],
  }),
  'security.summarize': operation('GET /zones/{zone_id}/security/events/summary', {
    answeredBy: 'several objects',
    summary: 'Count events by fields and by intervals of time',
    query: {
      ...search,
      by: repeatedParameter({ max: 5 }),
      interval: textParameter('The length of an interval: 1m, 15m, 1h, 1d.'),
      limit: countParameter({ fallback: 100, min: 1, max: 10_000 }),
    },
    result: groupsSchema,
    isOurs: true,
    codes: [...searchCodes, securityCodes.dimensionInvalid],
  }),
  'security.listFacets': operation('GET /zones/{zone_id}/security/events/facets', {
    answeredBy: 'several objects',
    summary: 'Count the most frequent values of several fields',
    query: {
      ...search,
      by: repeatedParameter({ max: 10 }),
      limit: countParameter({ fallback: 5, min: 1, max: 100 }),
    },
    result: facetsSchema,
    isOurs: true,
    codes: [...searchCodes, securityCodes.dimensionInvalid],
  }),
  'security.export': operation('GET /zones/{zone_id}/security/events/export', {
    answeredBy: 'several objects',
    summary: 'Export all results of a search, oldest first, as NDJSON or CSV',
    query: { ...search, format: choiceParameter(['ndjson', 'csv']) },
    result: eventSchema,
    media: ['application/x-ndjson', 'text/csv'],
    isOurs: true,
    codes: searchCodes,
  }),
  'security.tail': operation('GET /zones/{zone_id}/security/events/tail', {
    answeredBy: 'several objects',
    summary: 'Stream events as they happen, as server-sent events',
    query: conditions,
    result: eventSchema,
    media: ['text/event-stream'],
    isOurs: true,
    codes: [...conditionCodes, securityCodes.tailsTooMany],
  }),
  'security.get': operation('GET /zones/{zone_id}/security/events/{event_id}', {
    answeredBy: 'several objects',
    summary: 'Get an event',
    result: eventSchema,
    segments,
    isOurs: true,
    codes: [securityCodes.eventNotFound],
  }),
  'security.explain': operation('GET /zones/{zone_id}/security/events/{event_id}/explain', {
    answeredBy: 'several objects',
    summary: 'Explain the verdict on a request',
    result: named(
      'ExplainedEvent',
      record({
        sentence: annotate(string, { description: 'What happened and why, as text.' }),
        summary: string,
        event: eventSchema,
        explanation: nullable(judgedSchema),
        exceptions: listOf(exceptionSchema),
        canBeExcepted: annotate(flag(), {
          description: 'Whether exceptions from the rule of the event can be listed and made.',
        }),
        found: listOf(foundSchema),
        arguments: listOf(named('FoundArgument', record({ kind: string, name: string }))),
      }),
    ),
    segments,
    isOurs: true,
    codes: [securityCodes.eventNotFound],
  }),
  'security.listExceptions': operation('GET /zones/{zone_id}/security/events/{event_id}/exceptions', {
    answeredBy: 'several objects',
    summary: 'List the exceptions that can be made from the rule of an event, the narrowest first',
    result: listOf(proposedException),
    segments,
    isOurs: true,
    codes: [securityCodes.eventNotFound],
  }),
  'security.makeException': operation('POST /zones/{zone_id}/security/events/{event_id}/exceptions', {
    answeredBy: 'several objects',
    summary: 'Make an exception from the rule of an event, as it was listed',
    // Each request that the exception consists of needs its own permission as well.
    body: named('ExceptionToMake', object({ id: text({ min: 1, max: 64 }) })),
    result: named(
      'MadeException',
      record({
        /** Evaluated from the logged part of the request; null if that is not enough. */
        verdict: nullable(verdictSchema),
      }),
    ),
    segments,
    isOurs: true,
    codes: [securityCodes.eventNotFound, securityCodes.exceptionChanged, ...changeCodes],
  }),
  'security.trace': operation('POST /zones/{zone_id}/security/trace', {
    answeredBy: 'several objects',
    summary: 'Judge a described request without sending it',
    permissions: ['zoneWafRead', 'zoneWafWrite'],
    isWrite: false,
    body: named('RequestToTrace', requestToTrace),
    result: named(
      'Trace',
      record({
        verdict: verdictSchema,
        explanation: judgedSchema,
        problems: listOf(record({})),
        forwarded_to: optional(forwardedSchema),
        tried: optional(triedSchema),
      }),
    ),
    isOurs: true,
    codes: [securityCodes.requestInvalid, filterCodes.filterInvalid, filterCodes.filterNotEntitled],
  }),
  'graphql.query': operation('POST /graphql', {
    answeredBy: 'several objects',
    api: 'graphql',
    summary: 'Query the activity log in GraphQL',
    permissions: read,
    isWrite: false,
    body: named('GraphqlQuestion', question),
    result: named('GraphqlAnswer', record({})),
    media: ['application/json'],
  }),
};
