import { deepEqual, ok } from 'node:assert/strict';
import Cloudflare from 'cloudflare';
import { findMethods, type SdkMethod } from './methods.ts';
import { tell } from './session.ts';
import { families, isServed, reasonNotServed, unserved } from './unserved.ts';

const anyId = 'f'.repeat(32);

/** Usable as an id and as parameters. */
function anything(where: object): object {
  return Object.assign(Object.create({ toString: () => anyId }) as object, where);
}

/** Status and first code of the answer. */
async function outcomeOf(
  { resource, property }: SdkMethod,
  zone_id: string,
  account_id: string,
): Promise<string> {
  const call = resource[property] as (...args: object[]) => PromiseLike<unknown>;
  for (const where of [{ zone_id }, { account_id }]) {
    try {
      await call.call(resource, anything(where), anything(where));
      return 'served';
    } catch (error) {
      if (error instanceof Cloudflare.APIError && error.status !== undefined) {
        return `${error.status} ${error.errors[0]?.code}`;
      }
      // The path needs the other of the two.
    }
  }
  return 'not sent';
}

tell('methods that are not served', {
  'every method that is said not to be served is answered with a code': async ({
    client,
    zone,
    account_id,
  }) => {
    const zone_id = await zone('pro');
    const named = new Set<string>();
    const outcomes: Record<string, string> = {};
    for (const method of families.flatMap((family) => findMethods(client, family))) {
      if (isServed(method.name)) continue;
      named.add(reasonNotServed(method.name)!);
      outcomes[method.name] = await outcomeOf(method, zone_id, account_id);
    }
    const expected = new Set(['404 7003', '405 10405', '400 1006']);
    deepEqual(
      Object.entries(outcomes).filter(([, outcome]) => !expected.has(outcome)),
      [],
    );
    deepEqual(
      Object.keys(unserved).filter((name) => !named.has(name)),
      [],
      'the SDK has no such method',
    );
    ok(Object.keys(outcomes).length > 50);
  },
});
