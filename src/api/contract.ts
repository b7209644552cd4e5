/**
 * The HTTP contract of the API: paths, shapes and codes. Nothing here knows where state is kept.
 *
 * ```ts
 * const router = new Router(operations);
 * const route = router.find('GET', '/zones/…/filters'); // { kind: 'found', id: 'filters.list', … }
 * throw fault(filterCodes.filterNotFound);                // in a handler: 404, coded, and nothing changed
 * ```
 *
 * `operations` is the route table. A row has the method and path of an operation, the permissions it needs, the shape
 * of its body and query, and the schema of its result; the router, the checks before handlers, the OpenAPI document and
 * the authorization tests are made from it. `codes` is the catalogue of all error codes.
 */
export type { Code } from './contract/code.ts';
export { codeFamilies } from './contract/codes.ts';
export { auditCodes } from './contract/codes/audit.ts';
export { authCodes } from './contract/codes/auth.ts';
export { customCertificateCodes, universalSslCodes } from './contract/codes/certificates.ts';
export { edgeCodes } from './contract/codes/edge.ts';
export { bundleCodes } from './contract/codes/bundle.ts';
export { filterCodes } from './contract/codes/filters.ts';
export { firewallRuleCodes } from './contract/codes/firewall-rules.ts';
export { genericCodes } from './contract/codes/generic.ts';
export { listCodes, listSourceCodes } from './contract/codes/lists.ts';
export { accessRuleCodes } from './contract/codes/access-rules.ts';
export { rateLimitCodes } from './contract/codes/rate-limits.ts';
export { alertingCodes } from './contract/codes/notifications.ts';
export { logpushCodes } from './contract/codes/logpush.ts';
export { loadBalancingCodes } from './contract/codes/load-balancing.ts';
export { lockdownCodes } from './contract/codes/lockdowns.ts';
export { userAgentRuleCodes } from './contract/codes/user-agent-rules.ts';
export { migrationCodes, migrationLossCodes, migrationMessageCodes } from './contract/codes/migration.ts';
export { objectCodes } from './contract/codes/objects.ts';
export { operatorCodes } from './contract/codes/operator.ts';
export { pageRuleCodes } from './contract/codes/page-rules.ts';
export { rulesetCodes } from './contract/codes/rulesets.ts';
export { securityCodes } from './contract/codes/events.ts';
export { settingCodes } from './contract/codes/settings.ts';
export { wafCodes } from './contract/codes/managed-rules.ts';
export { storeCodes } from './contract/codes/stores.ts';
export { tokenCodes } from './contract/codes/tokens.ts';
export { workerCodes } from './contract/codes/workers.ts';
export { zoneCodes } from './contract/codes/zones.ts';
export { entryOf, type ErrorEntry, Fault, fault, type Message } from './contract/fault.ts';
export { FaultList } from './contract/fault-list.ts';
export { type ApiResponse, type ApiRequest, csrfHeader, sessionCookie } from './contract/http.ts';
export { apiPath, requestBodyBytesMax, targetCharactersMax } from './contract/limits.ts';
export { malformed } from './contract/malformed.ts';
export type { Input, Operation, ResultOf } from './contract/operation.ts';
export {
  type IdsOf,
  type InputOf,
  type OperationId,
  operations,
  type Result,
} from './contract/operations.ts';
export { accountOperations } from './contract/operations/accounts.ts';
export type { BundleMethod } from './contract/operations/certificates/custom-certificates.ts';
export type { DeletedFilter } from './contract/operations/firewall-rules.ts';
export { type ObjectChangeId, objectOperations } from './contract/operations/objects/objects.ts';
export {
  readStory,
  type SimulationStory,
  type SimulationStorySummary,
  storyOperations,
} from './contract/operations/objects/stories.ts';
export { type OperatorOperations, operatorOperations } from './contract/operations/operator.ts';
export { r2CallHeadBytesMax, r2PartHead, r2PutHead } from './contract/operations/stores/r2-calls.ts';
export { objectBytesMax } from './contract/operations/stores/store-rows.ts';
export type { AccessRuleRows } from './contract/operations/access-rules.ts';
export type { RulesetRows } from './contract/operations/rulesets/rulesets.ts';
export type { SecuritySearch } from './contract/operations/events/events.ts';
export type { GivenPolicy, GivenToken } from './contract/operations/tokens.ts';
export type { ZoneEdit, ZoneType } from './contract/operations/zones.ts';
export { openApiDocument } from './contract/openapi.ts';
export {
  type Permission,
  type PermissionGroup,
  permissionGroups,
  scopeNames,
} from './contract/permissions.ts';
export { unservedPermissionGroups } from './contract/unserved-permission-groups.ts';
export {
  created,
  cursorPage,
  noContent,
  ok,
  page,
  pageOf,
  type ObjectReply,
  type PlainReply,
  refused,
  type Reply,
  writeFault,
  writeReply,
  type WrittenResponse,
} from './contract/reply.ts';
export { createRequestId } from './contract/requests/request-id.ts';
export { createNotRouted, splitTarget, toHttpResponse } from './contract/requests/http-responses.ts';
export { type FormPart, readFormBoundary, readForm } from './contract/requests/form.ts';
export { explainUnserved } from './contract/requests/unserved-paths.ts';
export { isReadBack } from './contract/requests/read-back.ts';
export { readInput } from './contract/requests/read-input.ts';
export {
  type FoundSession,
  isCsrfToken,
  type OpenedSession,
  Sessions,
  type SessionStore,
  type StoredSession,
} from './contract/requests/sessions.ts';
export { type Route, Router } from './contract/router.ts';
