/** What the code of a Worker tries: each row is the body of a handler, with `request`, `env`, `ctx` and `way`, its name. */
import type { Way } from './way.ts';
import { repeat } from '../neighbours/neighbour.ts';

export interface WorkerWay {
  readonly name: string;
  readonly code: string;
}

export const workerWays: readonly WorkerWay[] = [
  { name: 'a loop', code: 'for (;;);' },
  {
    name: 'a loop after an await',
    code: 'await null; await new Promise((done) => setTimeout(done)); for (;;);',
  },
  { name: 'all memory', code: 'for (const kept = []; ; ) kept.push(new Array(1e5).fill(kept.length));' },
  {
    name: 'all memory outside of the heap',
    code: 'for (const kept = []; ; ) kept.push(new Uint8Array(1e8).fill(1));',
  },
  {
    name: 'an error in a timer',
    code: "setTimeout(() => { throw new Error('thrown'); }); return new Response('ok');",
  },
  { name: 'a rejected promise', code: "Promise.reject(new Error('rejected')); return new Response('ok');" },
  { name: 'a stack without an end', code: 'const dive = () => dive() + 1; return new Response(dive());' },
  { name: 'no answer', code: 'return new Promise(() => {});' },
  {
    name: 'an answer without an end',
    code: 'return new Response(new ReadableStream({ pull(stream) { stream.enqueue(new Uint8Array(65536)); } }));',
  },
  {
    name: 'an answer that fails',
    code: "return new Response(new ReadableStream({ pull(stream) { stream.error(new Error('broken')); } }));",
  },
  { name: 'a head that is too large', code: "return new Response('', { headers: { x: 'a'.repeat(1e7) } });" },
  {
    name: 'a thousand fields',
    code: "const headers = new Headers(); for (let i = 0; i < 1e4; i++) headers.append('x' + i, 'a'); return new Response('', { headers });",
  },
  {
    name: 'calls of itself',
    code: "return fetch(request.url + '?again', { headers: { host: request.headers.get('host') } });",
  },
  {
    name: 'many calls at once',
    code: "await Promise.allSettled(Array.from({ length: 1000 }, () => fetch('http://127.0.0.1:9/')));return new Response('ok');",
  },
  {
    name: 'a flood of the log',
    code: "for (let i = 0; i < 20000; i++) console.log('a'.repeat(1000)); return new Response('ok');",
  },
  {
    name: 'many timers',
    code: "for (let i = 0; i < 1e5; i++) setInterval(() => {}, 1); return new Response('ok');",
  },
];

const handlers = workerWays.map(
  ({ name, code }) => `${JSON.stringify(name)}: async (request, env, ctx, way) => { ${code} },`,
);

/** The Worker with all of them; `/large` and `/stream` are answers that its visitors do not read. */
export const hostileWorker = `
const ways = { ${handlers.join('\n')} };
const large = new Uint8Array(50 * 1024 * 1024);
const zeros = () => new ReadableStream({ pull(stream) { stream.enqueue(new Uint8Array(65536)); } });
export default {
  async fetch(request, env, ctx) {
    const way = decodeURIComponent(new URL(request.url).pathname.slice(1));
    if (way === 'large') return new Response(large);
    if (way === 'stream') return new Response(zeros());
    return Object.hasOwn(ways, way) ? ways[way](request, env, ctx, way) : new Response('ok');
  },
};`;

export const waysOfWorkers: readonly Way[] = workerWays.map(({ name }) => ({
  name: `a Worker with ${name}`,
  async run({ site, host }, signal) {
    await repeat(2, signal, async () => {
      const gone = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
      const answer = await site.send(`/${encodeURIComponent(name)}`, { host, signal: gone });
      return answer.status;
    });
  },
}));
