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
export type { Code } from './api/code.ts';
export { codeFamilies } from './api/codes.ts';
export { auditCodes } from './api/codes/audit.ts';
export { authCodes } from './api/codes/auth.ts';
export { customCertificateCodes } from './api/codes/custom-certificates.ts';
export { edgeCodes } from './api/codes/edge.ts';
export { bundleCodes } from './api/codes/bundle.ts';
export { filterCodes } from './api/codes/filters.ts';
export { firewallRuleCodes } from './api/codes/firewall-rules.ts';
export { genericCodes } from './api/codes/generic.ts';
export { listCodes } from './api/codes/lists.ts';
export { migrationCodes, migrationLossCodes, migrationMessageCodes } from './api/codes/migration.ts';
export { objectCodes } from './api/codes/objects.ts';
export { operatorCodes } from './api/codes/operator.ts';
export { pageRuleCodes } from './api/codes/page-rules.ts';
export { rulesetCodes } from './api/codes/rulesets.ts';
export { securityCodes } from './api/codes/security.ts';
export { settingCodes } from './api/codes/settings.ts';
export { wafCodes } from './api/codes/waf.ts';
export { tokenCodes } from './api/codes/tokens.ts';
export { zoneCodes } from './api/codes/zones.ts';
export { entryOf, type ErrorEntry, Fault, fault, type Message } from './api/fault.ts';
export { FaultList } from './api/fault-list.ts';
export { type ApiResponse, type ApiRequest, csrfHeader, sessionCookie } from './api/http.ts';
export { apiPath, bodyBytesMax, targetCharactersMax } from './api/limits.ts';
export { malformed } from './api/malformed.ts';
export type { Input, Operation, ResultOf } from './api/operation.ts';
export { type OperationId, operations, type Result } from './api/operations.ts';
export { accountOperations } from './api/operations/accounts.ts';
export { auditOperations } from './api/operations/audit.ts';
export { metricOperations } from './api/operations/metrics.ts';
export { type BundleMethod, customCertificateOperations } from './api/operations/custom-certificates.ts';
export { edgeFeedOperations, edgeOperations } from './api/operations/edge.ts';
export { bundleOperations } from './api/operations/bundle.ts';
export {
  assistExpressionOperations,
  filterOperations,
  validateExpressionOperations,
} from './api/operations/filters.ts';
export { type DeletedFilter, firewallRuleOperations } from './api/operations/firewall-rules.ts';
export { listOperations } from './api/operations/lists.ts';
export { migrationOperations } from './api/operations/migration.ts';
export { migrationComparisonOperations } from './api/operations/migration-comparison.ts';
export { objectOperations } from './api/operations/objects.ts';
export { type OperatorOperations, operatorOperations } from './api/operations/operator.ts';
export { pageRuleOperations } from './api/operations/page-rules.ts';
export { accountRulesetOperations, rulesetOperations, type RulesetRows } from './api/operations/rulesets.ts';
export { trafficOperations } from './api/operations/traffic.ts';
export { securityOperations, type SecuritySearch } from './api/operations/security.ts';
export { settingOperations, urlNormalizationOperations } from './api/operations/settings.ts';
export { wafGroupOperations } from './api/operations/waf-groups.ts';
export { wafOverrideOperations } from './api/operations/waf-overrides.ts';
export { wafPackageOperations } from './api/operations/waf-packages.ts';
export { wafRuleOperations } from './api/operations/waf-rules.ts';
export { type GivenPolicy, type GivenToken, tokenOperations } from './api/operations/tokens.ts';
export { userOperations } from './api/operations/user.ts';
export { type ZoneEdit, zoneOperations, type ZoneType } from './api/operations/zones.ts';
export { openApiDocument } from './api/openapi.ts';
export { type Permission, type PermissionGroup, permissionGroups, scopeNames } from './api/permissions.ts';
export { unservedPermissionGroups } from './api/unserved-permission-groups.ts';
export {
  created,
  cursorPage,
  noContent,
  ok,
  page,
  pageOf,
  type PlainReply,
  refused,
  type Reply,
  writeFault,
  writeReply,
  type WrittenResponse,
} from './api/reply.ts';
export { createNotRouted, splitTarget, toHttpResponse } from './api/requests/http-responses.ts';
export { readInput } from './api/requests/read-input.ts';
export {
  type FoundSession,
  isCsrfToken,
  type OpenedSession,
  Sessions,
  type SessionStore,
  type StoredSession,
} from './api/requests/sessions.ts';
export { type Route, Router } from './api/router.ts';
