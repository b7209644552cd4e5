/** Tries what it is asked to try, in the Worker or in an object, and answers how each ended. */
import { DurableObject } from 'cloudflare:workers';

async function tryAll(clients, { client, places }) {
  const outcomes = [];
  for (const place of places) {
    try {
      await clients[client](place);
      outcomes.push('reached');
    } catch (error) {
      outcomes.push(describe(error));
    }
  }
  return outcomes;
}

function describe(error) {
  const causes = [];
  for (let cause = error; cause instanceof Error && causes.length < 4; cause = cause.cause) {
    causes.push(cause.code ?? cause.message);
  }
  return causes.join(' < ');
}

/** `clients` by kind and name. */
export function createWorker(kinds) {
  const answer = async (request) => {
    if (request.method === 'GET') {
      const names = Object.entries(kinds).map(([kind, clients]) => [kind, Object.keys(clients)]);
      return Response.json(Object.fromEntries(names));
    }
    const asked = await request.json();
    return Response.json(await tryAll(kinds[asked.kind], asked));
  };
  class Place extends DurableObject {
    fetch(request) {
      return answer(request);
    }
  }
  const worker = {
    fetch: (request, env) =>
      new URL(request.url).pathname === '/object' ? env.PLACE.getByName('a').fetch(request) : answer(request),
  };
  return { Place, worker };
}
