/** The handlers and the tables of the account. */
import type { AccountContext, AnyHandlers } from '../context/handler.ts';
import { accountAccessRuleHandlers } from '../operations/access-rules/access-rule-handlers.ts';
import { accessRuleTable } from '../stores/access-rules.ts';
import { validateExpressionHandlers } from '../operations/filters/validate-expression-handlers.ts';
import { auditAnchorTable } from '../stores/audit/anchors.ts';
import { directoryChangeTables } from './directory-changes.ts';
import { bulkTables } from '../stores/lists/bulk-store.ts';
import { listHandlers } from '../operations/lists/list-handlers.ts';
import { listSourceHandlers } from '../operations/lists/list-source-handlers.ts';
import { listSourceTable } from '../stores/lists/list-sources.ts';
import { itemTable, listTable } from '../stores/lists/list-store.ts';
import { listUseTable } from '../stores/lists/list-uses.ts';
import { accountRulesetHandlers } from '../operations/rulesets/account-ruleset-handlers.ts';
import { edgeHealthHandlers } from '../operations/edge/edge-health-handlers.ts';
import { bundledBalancingHandlers } from '../operations/bundle/bundled-balancing.ts';
import { loadBalancerHandlers } from '../operations/load-balancing/load-balancer-handlers.ts';
import { monitorHandlers } from '../operations/load-balancing/monitor-handlers.ts';
import { poolHandlers } from '../operations/load-balancing/pool-handlers.ts';
import { loadBalancingTables } from '../stores/load-balancing/load-balancing.ts';
import { originHealthTables } from '../stores/load-balancing/origin-health.ts';
import { alertingHandlers } from '../operations/notifications/notification-handlers.ts';
import { alertTables } from '../stores/notifications.ts';
import { logpushHandlers } from '../operations/logpush/logpush-handlers.ts';
import { logpushTables } from '../stores/logpush.ts';
import { certificateHandlers } from '../operations/certificates/certificate-handlers.ts';
import { zoneCertificateTable } from '../stores/certificates/zone-certificates.ts';
import { accountTable } from '../stores/accounts.ts';
import { rulesetTables } from '../stores/rulesets.ts';
import { tokenHandlers } from '../operations/tokens/token-handlers.ts';
import { tokenTable } from '../stores/tokens.ts';
import { zoneRegistryHandlers } from '../operations/zones/zone-handlers.ts';
import { zoneTables } from '../stores/zones.ts';
import { profileHandlers } from '../operations/user/profile-handlers.ts';
import { userTable } from '../stores/user.ts';
import { routeHandlers } from '../operations/workers/route-handlers.ts';
import { workerHandlers } from '../operations/workers/worker-handlers.ts';
import { storeTable } from '../stores/stores.ts';
import { workerTables } from '../stores/workers.ts';

export const accountHandlers: AnyHandlers<AccountContext> = {
  ...profileHandlers,
  ...tokenHandlers,
  ...zoneRegistryHandlers,
  ...validateExpressionHandlers,
  ...listHandlers,
  ...accountAccessRuleHandlers,
  ...accountRulesetHandlers,
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
