/** Workflows that do nothing but steps, and one request that waits for the end of all of them. */
import { WorkflowEntrypoint } from 'cloudflare:workers';

export class Flow extends WorkflowEntrypoint {
  async run(event, step) {
    let sum = 0;
    for (let number = 1; number <= event.payload.steps; number++)
      sum += await step.do(`step ${number}`, async () => number);
    return sum;
  }
}

async function sumOf(instance) {
  for (;;) {
    const { status, output } = await instance.status();
    if (status === 'complete') return output;
    if (status === 'errored') throw new Error('an instance failed');
    await scheduler.wait(2);
  }
}

export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    const [instances, steps] = ['instances', 'steps'].map((name) => Number(searchParams.get(name)));
    const began = Date.now();
    const batch = Array.from({ length: instances }, () => ({ params: { steps } }));
    const sums = await Promise.all((await env.FLOW.createBatch(batch)).map(sumOf));
    return Response.json({ ms: Date.now() - began, sum: sums.reduce((all, sum) => all + sum, 0) });
  },
};
