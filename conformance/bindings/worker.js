/** Answers questions about the bindings of a Worker: the same module under miniflare and under Gatehouse. */
import { describe } from '../modules/describe.js';
import { d1Probes } from './d1.js';
import { kvProbes } from './kv.js';
import { consume, queueProbes } from './queues.js';
import { r2Probes } from './r2.js';
import { Flow, workflowProbes } from './workflows.js';

export { Flow };

const areas = { kv: kvProbes, d1: d1Probes, queues: queueProbes, r2: r2Probes, workflows: workflowProbes };

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/catalogue') {
      return Response.json(
        Object.entries(areas).flatMap(([area, probes]) =>
          Object.keys(probes).map((name) => ({ area, name })),
        ),
      );
    }
    const area = searchParams.get('area');
    const probes = Object.keys(areas[area]);
    const name = searchParams.get('name');
    // A name that is a key, a table and a message alike.
    const own = `${area}_${probes.indexOf(name)}`;
    try {
      return Response.json({ answer: describe(await areas[area][name](env, own)) });
    } catch (error) {
      return Response.json({ threw: describe(error) });
    }
  },
  queue: consume,
};
