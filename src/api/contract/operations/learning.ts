/** What a zone has learned about the values of its requests. Ours: Cloudflare has no equivalent. */
import {
  learnedPlaces,
  learningModes,
  pathCharactersMax,
  sampleCharactersMax,
  batchValuesMax,
} from '#learning';
import { edgeCodes } from '../codes/edge.ts';
import { genericCodes } from '../codes/generic.ts';
import { operationsOf } from '../operation.ts';
import {
  annotate,
  array,
  choice,
  flag,
  integer,
  listOf,
  named,
  nullable,
  object,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'learning',
  isOurs: true,
  read: ['zoneSettingsRead', 'zoneSettingsWrite'],
  write: ['zoneSettingsWrite'],
});

const summary = named(
  'Learning',
  record({
    mode: annotate(choice(learningModes), {
      description: '`PUT /zones/{zone_id}/edge` with `learning` sets it.',
    }),
    since: annotate(nullable(timestamp), { description: 'Start of learning; null if it has never learned.' }),
    requests: annotate(whole, { description: 'Requests used for learning.' }),
    values: annotate(whole, { description: 'Paths and names with learned values.' }),
    known: annotate(whole, { description: 'Those with enough data to be used.' }),
  }),
);

const learned = named(
  'LearnedValue',
  record({
    path: annotate(string, { description: 'With ids as `{number}`, `{id}`, `{date}` or `{text}`.' }),
    place: choice(learnedPlaces),
    name: string,
    requests: whole,
    networks: annotate(whole, { description: 'Approximate number: /24 of IPv4, /48 of IPv6.' }),
    since: timestamp,
    last: timestamp,
    usual: annotate(string, { description: 'A description of what many networks send.' }),
    known: annotate(flag(), { description: 'Whether there is enough data for it to be used.' }),
  }),
);

const batch = named(
  'EdgeLearning',
  object({
    zone_id: text({ pattern: /^[0-9a-f]{32}$/, what: 'the id of a zone' }),
    seed: text({ min: 1, max: 64 }),
    requests: integer({ min: 1, max: 1_000_000 }),
    values: array(
      named(
        'EdgeLearnedValue',
        object({
          path: text({ min: 1, max: pathCharactersMax, pattern: /^\//, what: 'a path' }),
          place: choice(learnedPlaces),
          name: text({ min: 1, max: 80 }),
          requests: integer({ min: 1, max: 1_000_000 }),
          sample: text({ max: sampleCharactersMax, pattern: /^[A-Za-z0-9+/=]*$/, what: 'Base64' }),
        }),
      ),
      { max: batchValuesMax },
    ),
  }),
);

export const learningOperations = {
  'learning.get': operation('GET /zones/{zone_id}/learning', {
    summary: 'Get whether a zone learns the values of its requests, and how much it has learned',
    result: summary,
  }),
  'learning.list': operation('GET /zones/{zone_id}/learning/values', {
    summary: 'List what a zone has learned about values, by path and name',
    query: {
      path: textParameter('A part of the path.'),
      name: textParameter('A substring of the name.'),
      ...pageParameters({ fallback: 50, max: 500 }),
    },
    result: listOf(learned),
  }),
  'learning.forget': operation('DELETE /zones/{zone_id}/learning', {
    summary: 'Delete what a zone has learned: everything, or the values of one path, or one name there',
    query: {
      path: textParameter('As the list shows it; if it is not given, everything is deleted.'),
      name: textParameter('As the list shows it; needs a path.'),
    },
    result: named('Forgotten', record({ values: whole })),
  }),
};

/** For edges that run separately. */
export const edgeLearningOperations = {
  'edgeLearning.add': operation('POST /accounts/{account_id}/edge/learning', {
    answeredBy: 'several objects',
    summary: 'Add what an edge has learned about the values of a zone',
    permissions: ['accountEdgeWrite'],
    body: batch,
    result: named('LearnedCount', record({ values: whole })),
    codes: [genericCodes.zoneNotFound, edgeCodes.learnedInvalid],
  }),
};
