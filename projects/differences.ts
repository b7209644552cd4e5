/** Differences between `wrangler dev` and Gatehouse that are intended, by program and question, with their reasons. */
import { streamDifferences } from './streams.ts';

const hung =
  'Fastify waits for work that it began while it loaded: workerd cancels the request as hung, and here it is answered';

const printedAgain =
  'the script of <ScrollRestoration> is the text of a function of the Worker, whose modules are printed by esbuild here: white space and local names differ';

export const explainedDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'template hello-world-workflows/ts': {
    '/': 'wrangler dev adds __LOCAL_DEV_STEP_OUTPUTS, which Cloudflare does not have, and an instance that was just created is queued here and running there',
  },
  trpc: {
    '/trpc/absent':
      'the answer has a stack, which names the files and lines of the project here and those of the bundle there',
  },
  next: {
    '/users/0':
      'Next streams: a script that it knows when the head is written is in the head, and here that is earlier; it is in the data behind it, from which the page loads it',
  },
  'react-router': { '/': printedAgain, '/users/5': printedAgain },
  streams: streamDifferences,
  fastify: { '/users/5': hung, '/users': hung, '/absent': hung },
};
