/** Intended differences between bindings and miniflare: the title of the question and the reason. */
const says = 'miniflare says that something went wrong; ours says what';

export const bindingDifferences: Readonly<Record<string, string>> = {
  'd1: exec of a second line that fails': 'the line that failed is named; miniflare always names the first',
  'queues: send of a function': says,
  'queues: message of 128001 bytes': says,
  'queues: batch of 101 messages': says,
  'queues: delay of a day and a second': says,
  'queues: delay of -1': says,
  'r2: put of a stream of unknown length': 'Node does not tell the length of a stream: all are taken',
  'r2: storageClass': 'as documented; miniflare leaves it empty',
  'r2: custom metadata of 2049 bytes': '8,192 bytes, as documented; miniflare allows 2,048',
  'workflows: a BigInt as the result of run': 'kept as every value; miniflare writes results as JSON',
  'workflows: a limit of Infinity': 'steps may be tried for ever; miniflare takes numbers that are finite',
  'workflows: create of an id that is there':
    'refused, as documented; miniflare returns the instance that is there',
};
