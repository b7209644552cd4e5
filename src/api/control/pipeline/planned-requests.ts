/**
 * Requests that the server plans and makes on behalf of a caller: routed, permitted and parsed as if the caller had
 * sent them. Those to one object are one transaction.
 */
import { assert } from '#base';
import {
  createNotRouted,
  type ObjectReply,
  type OperationId,
  operations,
  readInput,
  Router,
} from '#contract';
import { findGrants } from '../context/caller.ts';
import type { Directory } from '../context/directory.ts';
import type { Call } from '../context/handler.ts';
import type { ObjectsContext, PlannedRequest } from '../operations/several-objects.ts';
import type { ListUses } from './list-uses.ts';
import { compilePatterns } from './compile-patterns.ts';
import { checkPermitted } from './permit.ts';

export const router = new Router<OperationId>(operations);

/** The purpose and the actor of the requests. */
interface Making {
  readonly by: Call;
  readonly directory: Directory;
  readonly readsTrees: boolean;
  readonly listUses: ListUses;
  /** Does calls together, in the zone or in the account: returns a reply for each, or a single refusal. */
  reply(zoneId: string | undefined, calls: readonly Call[], isTrial: boolean): Promise<ObjectReply[]>;
}

export function makePlanned({
  by,
  directory,
  readsTrees,
  listUses,
  reply,
}: Making): ObjectsContext['change'] {
  return async (requests, { versions, isTrial = false } = {}) => {
    const calls = await Promise.all(requests.map((each) => planCall(by, each, directory)));
    const bodies = calls.map(({ input }) => input.body);
    using _ready = await compilePatterns(bodies, { readsTrees });
    const results: unknown[] = [];
    for (const [object, group] of Map.groupBy(calls, findObject)) {
      const [first, ...others] = group as [Call, ...Call[]];
      const version = versions?.[object];
      const guarded = version === undefined ? group : [{ ...first, versions: [version] }, ...others];
      const zoneId = object === 'zone' ? first.input.path['zone_id']! : undefined;
      const send = (): Promise<ObjectReply[]> => reply(zoneId, guarded, isTrial);
      for (const each of await (zoneId === undefined ? send() : listUses.during(zoneId, bodies, send))) {
        if (each.kind === 'refusal') return { refusal: each.refusal };
        results.push(each.result);
      }
    }
    return { results };
  };
}

function findObject({ operation }: Call): 'zone' | 'account' {
  const { answeredBy } = operations[operation];
  assert(answeredBy !== 'several objects', 'a planned request changes one object');
  return answeredBy;
}

/** Throws the fault that the caller would get. */
async function planCall(by: Call, planned: PlannedRequest, directory: Directory): Promise<Call> {
  const { method, path: target, body } = planned;
  const [pathname, query = ''] = target.split('?') as [string, string?];
  const route = router.find(method, pathname);
  if (route.kind !== 'found') throw createNotRouted(target);
  const { id: operation, operation: row, path } = route;
  const { actor, requestId } = by;
  checkPermitted(row, path, { actor, grants: findGrants({ actor, directory }) }, directory);
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const request = { method, target, headers: {}, address: actor.address, readBody: async () => bytes };
  return {
    operation,
    input: await readInput(row, { request, path, query }),
    actor,
    requestId,
    directory: directory.point,
  };
}
