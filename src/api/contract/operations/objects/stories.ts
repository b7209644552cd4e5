/** Runs that failed in `gatehouse simulate`, for the page of `gatehouse dev`: no other door serves them. Ours. */
import { objectCodes } from '../../codes/objects.ts';
import { operation } from '../../operation.ts';
import {
  annotate,
  flag,
  listOf,
  named,
  number,
  optional,
  type Problem,
  record,
  type Shaped,
  string,
  timestamp,
  whole,
} from '#shapes';
import { differenceSchema } from './objects.ts';

const common = {
  api: 'stories',
  answeredBy: 'several objects',
  isOurs: true,
  permissions: [],
  segments: { story: /^[0-9a-f]{16}$/ },
} as const;

const summaryFields = {
  id: string,
  file: annotate(string, { description: 'The module of the simulation.' }),
  simulation: annotate(string, { description: 'The name of its export.' }),
  seed: whole,
  replay: annotate(string, { description: 'The text for `gatehouse simulate --replay` that runs it again.' }),
  problem: annotate(string, { description: 'The failure.' }),
  told_on: timestamp,
} as const;
const summarySchema = named('SimulationStorySummary', record(summaryFields));
const momentSchema = record({
  at_ms: annotate(number, { description: 'Since the start of the run.' }),
  who: annotate(string, { description: 'A client, an object, the host or an external system.' }),
  what: string,
  is_fault: annotate(flag(), { description: 'Whether the simulator caused it.' }),
  changes: optional(listOf(differenceSchema)),
});
const storySchema = named(
  'SimulationStory',
  record({
    ...summaryFields,
    left_out: annotate(whole, { description: 'Number of earlier moments that are left out.' }),
    moments: listOf(momentSchema),
  }),
);

export const storyOperations = {
  'stories.list': operation('GET /accounts/{account_id}/simulation_stories', {
    ...common,
    summary: 'List the simulations that failed in their last run',
    result: listOf(summarySchema),
  }),
  'stories.get': operation('GET /accounts/{account_id}/simulation_stories/{story}', {
    ...common,
    summary: 'Get the shortest run that fails, moment by moment, with the changes in storage',
    result: storySchema,
    codes: [objectCodes.storyNotFound],
  }),
};

export type SimulationStory = Shaped<typeof storySchema>;
export type SimulationStorySummary = Shaped<typeof summarySchema>;

/** Undefined if it is not a story. */
export function readStory(value: unknown): SimulationStory | undefined {
  const problems: Problem[] = [];
  const story = storySchema.read(value, '', problems);
  return problems.length === 0 ? story : undefined;
}
