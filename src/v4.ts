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
export { codeFamilies } from './v4/codes.ts';
export { auditCodes } from './v4/codes/audit.ts';
export { authCodes } from './v4/codes/auth.ts';
export { edgeCodes } from './v4/codes/edge.ts';
export { bundleCodes } from './v4/codes/bundle.ts';
export { filterCodes } from './v4/codes/filters.ts';
export { firewallRuleCodes } from './v4/codes/firewall-rules.ts';
export { genericCodes } from './v4/codes/generic.ts';
export { listCodes } from './v4/codes/lists.ts';
export { migrationCodes, migrationLossCodes, migrationMessageCodes } from './v4/codes/migration.ts';
export { pageRuleCodes } from './v4/codes/page-rules.ts';
export { rulesetCodes, rulesetProblemCodes } from './v4/codes/rulesets.ts';
export { securityCodes } from './v4/codes/security.ts';
export { settingCodes } from './v4/codes/settings.ts';
export { wafCodes } from './v4/codes/waf.ts';
export { tokenCodes } from './v4/codes/tokens.ts';
export { zoneCodes } from './v4/codes/zones.ts';
export { entryOf, type ErrorEntry, Fault, fault, type Message } from './v4/fault.ts';
export { FaultList } from './v4/fault-list.ts';
export type { ApiAnswer, ApiRequest } from './v4/http.ts';
export { readJson } from './v4/json.ts';
export { bodyBytesMax, targetCharactersMax } from './v4/limits.ts';
export { malformed } from './v4/malformed.ts';
export type { Input, Operation } from './v4/operation.ts';
export { type OperationId, operations } from './v4/operations.ts';
export { accountOperations } from './v4/operations/accounts.ts';
export { auditOperations } from './v4/operations/audit.ts';
export { edgeFeedOperations, edgeOperations } from './v4/operations/edge.ts';
export { bundleOperations } from './v4/operations/bundle.ts';
export { filterOperations, validateExpressionOperations } from './v4/operations/filters.ts';
export { firewallRuleOperations } from './v4/operations/firewall-rules.ts';
export { listOperations } from './v4/operations/lists.ts';
export { migrationOperations } from './v4/operations/migration.ts';
export { pageRuleOperations } from './v4/operations/page-rules.ts';
export { accountRulesetOperations, rulesetOperations, type RulesetRows } from './v4/operations/rulesets.ts';
export { securityOperations, type SecuritySearch } from './v4/operations/security.ts';
export { settingOperations } from './v4/operations/settings.ts';
export { wafGroupOperations } from './v4/operations/waf-groups.ts';
export { wafOverrideOperations } from './v4/operations/waf-overrides.ts';
export { wafPackageOperations } from './v4/operations/waf-packages.ts';
export { wafRuleOperations } from './v4/operations/waf-rules.ts';
export { type GivenPolicy, type GivenToken, tokenOperations } from './v4/operations/tokens.ts';
export { userOperations } from './v4/operations/user.ts';
export { type ZoneEdit, zoneOperations, type ZoneType } from './v4/operations/zones.ts';
export { openApiDocument } from './v4/openapi.ts';
export { type Permission, type PermissionGroup, permissionGroups, scopeNames } from './v4/permissions.ts';
export { unservedPermissionGroups } from './v4/unserved-permission-groups.ts';
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
  type WrittenAnswer,
} from './v4/reply.ts';
export { type Route, Router } from './v4/router.ts';
export { type Examined, isFieldSound, isRestSound } from './v4/shapes/examined.ts';
export { parseMoment } from './v4/shapes/moments.ts';
export { pointerTo, type Problem } from './v4/shapes/shape.ts';
