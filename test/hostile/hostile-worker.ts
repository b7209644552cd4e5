/** The uploaded Worker with all rows, each run by its handler or by one of its objects. */
import { repeat } from '../neighbours/neighbour.ts';
import { channelTools, channelWays } from './channel-ways.ts';
import type { Way } from './way.ts';
import { type WorkerWay, workerWays } from './worker-ways.ts';

export { channelWays, workerWays };

const handlers = [...workerWays, ...channelWays].map(
  ({ name, code }) =>
    `${JSON.stringify(name)}: async (request, way, pid) => { ${code}\nreturn new Response('ok'); },`,
);

/** `/handler/WAY` and `/object/WAY`; `/large` and `/stream` are responses that its visitors do not read. */
export const hostileWorker = `
import { DurableObject } from 'cloudflare:workers';
${channelTools}
const ways = { ${handlers.join('\n')} };
const large = new Uint8Array(50 * 1024 * 1024);
const zeros = () => new ReadableStream({ pull(stream) { stream.enqueue(new Uint8Array(65536)); } });
async function tryWay(request) {
  const { pathname, searchParams } = new URL(request.url);
  const way = decodeURIComponent(pathname.split('/')[2]);
  return ways[way](request, way, searchParams.get('pid'));
}
export class Door extends DurableObject {
  async fetch(request) {
    await this.ctx.storage.put('seen', Date.now());
    return await tryWay(request);
  }
}
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/large') return new Response(large);
    if (pathname === '/stream') return new Response(zeros());
    if (pathname.startsWith('/handler/')) return await tryWay(request);
    if (pathname.startsWith('/object/')) return await env.DOOR.getByName('a').fetch(request);
    return new Response('ok');
  },
};`;

/** A visitor of the Worker waits this long. */
const patienceMs = 2_000;

export function waysOfWorker(place: 'handler' | 'object', rows: readonly WorkerWay[]): readonly Way[] {
  return rows.map(({ name }) => ({
    name: `${place === 'handler' ? 'a Worker' : 'an object'} with ${name}`,
    needsWorker: true,
    async run({ site, host, stranger }, signal) {
      await repeat(2, signal, async () => {
        const gone = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
        const path = `/${place}/${encodeURIComponent(name)}?pid=${stranger.pid}`;
        return (await site.send(path, { host, signal: gone })).status;
      });
    },
  }));
}
