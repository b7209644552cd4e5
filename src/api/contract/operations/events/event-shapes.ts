/** Events of the activity log, how they are counted and how they are explained. */
import { sources, triggeredActions } from '#firewall';
import type { FoundMatch, Judged, SecurityEvent } from '#events';
import {
  fields,
  typed,
  annotate,
  choice,
  either,
  flag,
  listOf,
  mapOf,
  named,
  optional,
  record,
  string,
  timestamp,
  whole,
} from '#shapes';

const textFields = [
  'rulesetId',
  'ref',
  'description',
  'rayName',
  'originatorRayName',
  'clientIP',
  'clientIPClass',
  'clientAsn',
  'clientASNDescription',
  'clientCountryName',
  'clientRequestHTTPHost',
  'clientRequestHTTPMethodName',
  'clientRequestHTTPProtocol',
  'clientRequestPath',
  'clientRequestQuery',
  'clientRequestScheme',
  'clientRefererHost',
  'clientRefererPath',
  'clientRefererQuery',
  'clientRefererScheme',
  'userAgent',
  'edgeColoName',
] as const;
const numberFields = ['matchIndex', 'edgeResponseStatus', 'originResponseStatus', 'sampleInterval'] as const;

const pair = named('EventMetadata', record({ key: string, value: string }));

export const eventSchema = typed<SecurityEvent>(
  named(
    'SecurityEvent',
    record({
      id: string,
      ruleId: string,
      datetime: timestamp,
      action: named('SecurityAction', choice(triggeredActions)),
      source: named('SecuritySource', choice(sources)),
      kind: optional(choice(['firewall'])),
      ...fields(textFields, optional(string)),
      ...fields(numberFields, optional(whole)),
      metadata: optional(listOf(pair)),
    }),
  ),
);

export const groupsSchema = named(
  'SecuritySummary',
  record({
    total: whole,
    groups: listOf(
      named(
        'SecurityGroup',
        record({
          count: whole,
          datetime: optional(timestamp),
          dimensions: mapOf(either(string, whole)),
        }),
      ),
    ),
    ungrouped: whole,
    is_complete: flag(),
  }),
);

/** The most frequent values of some fields. */
export const facetsSchema = named(
  'SecurityFacets',
  record({
    total: whole,
    facets: listOf(
      named(
        'SecurityFacet',
        record({
          field: string,
          values: listOf(
            named(
              'SecurityFacetValue',
              record({
                value: either(string, whole),
                count: whole,
                name: optional(
                  annotate(string, { description: 'The display name; for a rule, its description.' }),
                ),
              }),
            ),
          ),
        }),
      ),
    ),
    is_complete: flag(),
  }),
);

/** Steps and trees nest as deeply as expressions do, and are written for people. */
export const judgedSchema = typed<Judged>(
  named(
    'Explanation',
    record({
      version: whole,
      path: optional(
        annotate(string, {
          description: 'The path as rules see it, if it differs from the one that was sent.',
        }),
      ),
      steps: listOf(record({})),
      rules: listOf(record({})),
      changes: optional(listOf(record({}))),
      alsoDeciding: optional(
        listOf(
          annotate(record({}), {
            description: 'A rule that would have decided without the rule that did.',
          }),
        ),
      ),
    }),
  ),
);

/** What a rule found in a request, and where. */
export const foundSchema = typed<FoundMatch>(
  named(
    'FoundMatch',
    record({
      text: string,
      start: whole,
      end: whole,
      element: optional(whole),
      field: optional(string),
      where: optional(named('FoundPlace', record({ kind: string, name: string, start: optional(whole) }))),
      why: optional(annotate(string, { description: 'Why a detector considers it an attack.' })),
    }),
  ),
);
