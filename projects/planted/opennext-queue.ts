/** Pages that are made again; those that fail are written down and tried again by an alarm. */
import { DOQueueHandler } from '@opennextjs/cloudflare/durable-objects/queue';
import { defineSimulation } from 'gatehouse/testing';

const isFailing = new Map<string, number>();

export const sample = defineSimulation(
  {
    classes: { DOQueueHandler },
    env: {
      WORKER_SELF_REFERENCE: {
        fetch: (url: string, init: RequestInit) => fetch(url, { method: init.method, headers: init.headers }),
      },
    },
    faults: ['crash', 'lostRequest', 'lostAnswer', 'deploy', 'evict'],
    outside: (request) => {
      // The first two attempts at a page fail.
      const failures = (isFailing.get(request.url) ?? 0) + 1;
      isFailing.set(request.url, failures);
      if (failures <= 2) return new Response(null, { status: 500 });
      return new Response(null, { headers: { 'x-nextjs-cache': 'REVALIDATED' } });
    },
  },
  async (world) => {
    isFailing.clear();
    const MessageBody = { host: 'shop.test', url: '/page', lastModified: world.now(), eTag: '1' };
    await world.run(
      {
        revalidate: (step) =>
          step
            .object('DOQueueHandler', 'a')
            .revalidate({ MessageBody, MessageDeduplicationId: 'page', MessageGroupId: 'a' }),
      },
      { steps: 6 },
    );
    const isWrittenDown = await world.inside('DOQueueHandler', 'a', (_handler, ctx) => {
      return ctx.storage.sql.exec('SELECT id FROM failed_state').toArray().length > 0;
    });
    await world.settle();
    if (isWrittenDown && (isFailing.get('https://shop.test/page') ?? 0) <= 2)
      throw new Error('a page that failed is written down and never tried again');
  },
);
