import { describe, how, message, outcome } from './describe.js';
import { catalogue, probeOf } from './registry.js';
import './probes/all.js';

export { KvSubject, SilentSubject, SqlSubject } from './subject.js';
export { Bare, Callee } from './callee.js';

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname === '/catalogue') return Response.json(catalogue());
    const { name, on, part } = Object.fromEntries(url.searchParams);
    const probe = probeOf(name);
    const world = worldOf(name, env, on === 'sql' ? env.SQL : env.KV);
    const answer = probe.inside
      ? await world
          .stub()
          .inside()
          .catch((error) => JSON.stringify({ lost: describe(error) }))
      : JSON.stringify(await outcome(() => probe[part](world)));
    return new Response(answer, { headers: { 'content-type': 'application/json' } });
  },
};

/** What a probe that runs in the worker may use. */
function worldOf(name, env, namespace) {
  const stub = (label) => namespace.getByName(label === undefined ? name : `${name}#${label}`);
  return {
    env,
    name,
    namespace,
    stub,
    /** Asks a fresh stub of the probe's object. */
    ask: (step, ...args) => stub().step(step, ...args),
    describe,
    how,
    message,
    outcome,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}
