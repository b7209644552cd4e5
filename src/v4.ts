/**
 * The HTTP contract of the API: paths, shapes, codes. Nothing here knows where state lives.
 *
 * ```ts
 * const router = new Router(operations);
 * const route = router.find('GET', '/zones/…/filters'); // { kind: 'found', id: 'filters.list', … }
 * throw fault(filterCodes.filterNotFound);                // in a handler: 404, coded, and nothing changed
 * ```
 *
 * `operations` is the route table. A row has the method and path of an operation, the permissions it needs, the shape of
 * its body and query, and the schema of its result; the router, the checks before handlers, the OpenAPI document and
 * the authorization tests are made from it. `codes` is the catalogue of everything that can be answered instead.
 */
export type { Code } from './v4/code.ts';
export { filterCodes } from './v4/codes/filters.ts';
export { genericCodes } from './v4/codes/generic.ts';
export { entryOf, type ErrorEntry, Fault, fault, type Message } from './v4/fault.ts';
export type { ApiAnswer, ApiRequest } from './v4/http.ts';
export { readJson } from './v4/json.ts';
export { bodyBytesMax, targetCharactersMax } from './v4/limits.ts';
export type { Input, Operation } from './v4/operation.ts';
export { type OperationId, operations } from './v4/operations.ts';
export { filterOperations } from './v4/operations/filters.ts';
export { type Permission, permissionGroups, scopeNames } from './v4/permissions.ts';
export {
  created,
  noContent,
  ok,
  page,
  pageOf,
  refused,
  type Reply,
  writeFault,
  writeReply,
  type WrittenAnswer,
} from './v4/reply.ts';
export { type Route, Router } from './v4/router.ts';
export type { Problem } from './v4/shapes/shape.ts';
