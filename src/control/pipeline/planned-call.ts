/** Requests that the server plans and makes itself, for a caller: routed, permitted and read as if the caller had sent them. */
import { createNotRouted, type OperationId, operations, readInput, Router } from '#api';
import { findGrants } from '../context/caller.ts';
import type { Directory } from '../context/directory.ts';
import type { Call } from '../context/handler.ts';
import type { PlannedRequest } from '../operations/several-objects.ts';
import { checkPermitted } from './permit.ts';

export const router = new Router<OperationId>(operations);

/** Throws the fault that the caller would get. */
export async function planCall(by: Call, planned: PlannedRequest, directory: Directory): Promise<Call> {
  const { method, path: target, body } = planned;
  const route = router.find(method, target);
  if (route.kind !== 'found') throw createNotRouted(target);
  const { id: operation, operation: row, path } = route;
  const { actor, requestId } = by;
  checkPermitted(row, path, { actor, grants: findGrants({ actor, directory }) }, directory);
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const request = { method, target, headers: {}, address: actor.address, readBody: async () => bytes };
  return { operation, input: await readInput(row, { request, path, query: '' }), actor, requestId };
}
