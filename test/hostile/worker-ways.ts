/** Attempts of the code of a Worker: each row is the body of a handler, with `request` and `way`, its name. */
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
