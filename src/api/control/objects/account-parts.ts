/** The handlers and the tables of the account. */
import { accountAccessRuleHandlers } from '../operations/access-rules/access-rule-handlers.ts';
import { accessRuleTable } from '../stores/access-rule-store.ts';
import { validateExpressionHandlers } from '../operations/filters/validate-expression-handlers.ts';
import { auditAnchorTable } from '../stores/audit-anchor-store.ts';
import { directoryChangeTables } from '../stores/directory-change-store.ts';
import { bulkTables } from '../stores/lists/bulk-store.ts';
import { listHandlers } from '../operations/lists/list-handlers.ts';
import { listSourceHandlers } from '../operations/lists/list-source-handlers.ts';
import { listSourceTable } from '../stores/lists/list-source-store.ts';
import { itemTable, listTable } from '../stores/lists/list-store.ts';
import { listUseTable } from '../stores/list-use-store.ts';
import { objectAuditHandlers } from '../operations/objects/object-audit-handlers.ts';
import { accountRulesetHandlers } from '../operations/rulesets/account-ruleset-handlers.ts';
import { edgeHealthHandlers } from '../operations/edge/edge-health-handlers.ts';
import { bundledBalancingHandlers } from '../operations/bundle/bundled-balancing.ts';
import { loadBalancerHandlers } from '../operations/load-balancing/load-balancer-handlers.ts';
import { monitorHandlers } from '../operations/load-balancing/monitor-handlers.ts';
import { poolHandlers } from '../operations/load-balancing/pool-handlers.ts';
import { loadBalancingTables } from '../stores/load-balancing-store.ts';
import { originHealthTables } from '../stores/origin-health-store.ts';
import { alertingHandlers } from '../operations/alerting/alerting-handlers.ts';
import { alertTables } from '../stores/alert-store.ts';
import { logpushHandlers } from '../operations/logpush/logpush-handlers.ts';
import { logpushTables } from '../stores/logpush-store.ts';
import { certificateHandlers } from '../operations/certificates/certificate-handlers.ts';
import { zoneCertificateTable } from '../stores/zone-certificate-store.ts';
import { accountTable } from '../stores/account-store.ts';
import { rulesetTables } from '../stores/ruleset-store.ts';
import { tokenHandlers } from '../operations/tokens/token-handlers.ts';
import { tokenTable } from '../stores/token-store.ts';
import { zoneRegistryHandlers } from '../operations/zones/zone-handlers.ts';
import { zoneTables } from '../stores/zone-store.ts';
import { profileHandlers } from '../operations/user/profile-handlers.ts';
import { userTable } from '../stores/user-store.ts';
import { routeHandlers } from '../operations/workers/route-handlers.ts';
import { workerHandlers } from '../operations/workers/worker-handlers.ts';
import { storeTable } from '../stores/store-registry.ts';
import { workerTables } from '../stores/worker-store.ts';

export const accountHandlers = {
  ...profileHandlers,
  ...tokenHandlers,
  ...zoneRegistryHandlers,
  ...validateExpressionHandlers,
  ...listHandlers,
  ...accountAccessRuleHandlers,
  ...accountRulesetHandlers,
  ...objectAuditHandlers,
  ...workerHandlers,
  ...routeHandlers,
  ...certificateHandlers,
  ...edgeHealthHandlers,
  ...monitorHandlers,
  ...poolHandlers,
  ...loadBalancerHandlers,
  ...bundledBalancingHandlers,
  ...listSourceHandlers,
  ...logpushHandlers,
  ...alertingHandlers,
};

export const accountTables = [
  accountTable,
  userTable,
  tokenTable,
  ...zoneTables,
  listTable,
  itemTable,
  listSourceTable,
  ...bulkTables,
  ...workerTables,
  storeTable,
  ...loadBalancingTables,
  ...originHealthTables,
  ...logpushTables,
  ...alertTables,
  ...rulesetTables,
  accessRuleTable,
  ...directoryChangeTables,
  listUseTable,
  auditAnchorTable,
  zoneCertificateTable,
];
