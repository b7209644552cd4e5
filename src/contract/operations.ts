/** The route table: every operation of the API. */
import type { Input, ResultOf } from './operation.ts';
import { edgeFeedOperations, edgeOperations } from './operations/edge.ts';
import { bundleOperations } from './operations/bundle.ts';
import { customCertificateOperations } from './operations/custom-certificates.ts';
import {
  assistExpressionOperations,
  filterOperations,
  validateExpressionOperations,
} from './operations/filters.ts';
import { firewallRuleOperations } from './operations/firewall-rules.ts';
import { listOperations } from './operations/lists.ts';
import { metricOperations } from './operations/metrics.ts';
import { migrationOperations } from './operations/migration.ts';
import { migrationComparisonOperations } from './operations/migration-comparison.ts';
import { objectOperations } from './operations/objects.ts';
import { pageRuleOperations } from './operations/page-rules.ts';
import { protectionOperations, protectionStateOperations } from './operations/protection.ts';
import { accountRulesetOperations, rulesetOperations } from './operations/rulesets.ts';
import { securityOperations } from './operations/security.ts';
import { settingOperations, urlNormalizationOperations } from './operations/settings.ts';
import { wafGroupOperations } from './operations/waf-groups.ts';
import { wafOverrideOperations } from './operations/waf-overrides.ts';
import { wafPackageOperations } from './operations/waf-packages.ts';
import { wafRuleOperations } from './operations/waf-rules.ts';
import { trafficOperations } from './operations/traffic.ts';
import { accountOperations } from './operations/accounts.ts';
import { auditOperations } from './operations/audit.ts';
import { tokenOperations } from './operations/tokens.ts';
import { userOperations } from './operations/user.ts';
import { zoneOperations } from './operations/zones.ts';

export const operations = {
  ...userOperations,
  ...tokenOperations,
  ...accountOperations,
  ...auditOperations,
  ...metricOperations,
  ...zoneOperations,
  ...filterOperations,
  ...validateExpressionOperations,
  ...assistExpressionOperations,
  ...firewallRuleOperations,
  ...listOperations,
  ...pageRuleOperations,
  ...migrationOperations,
  ...migrationComparisonOperations,
  ...bundleOperations,
  ...settingOperations,
  ...urlNormalizationOperations,
  ...rulesetOperations,
  ...accountRulesetOperations,
  ...wafPackageOperations,
  ...wafGroupOperations,
  ...wafRuleOperations,
  ...wafOverrideOperations,
  ...edgeOperations,
  ...protectionStateOperations,
  ...protectionOperations,
  ...customCertificateOperations,
  ...edgeFeedOperations,
  ...securityOperations,
  ...trafficOperations,
  ...objectOperations,
};

export type OperationId = keyof typeof operations;

/** The operations of a resource, `filters`, or the operation itself that is named. */
export type IdsOf<Name extends string> = Name extends OperationId
  ? Name
  : Extract<OperationId, `${Name}.${string}`>;

/** What the handler of an operation is given of the request. */
export type InputOf<Id extends OperationId> = Input<(typeof operations)[Id]>;

/** What an operation answers when all went well. */
export type Result<Id extends OperationId> = ResultOf<(typeof operations)[Id]>;
