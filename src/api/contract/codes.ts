/** Every error code, by its chapter in the documentation. */
import { rulesetProblemCodes } from '#rulesets';
import type { Code } from './code.ts';
import { accessRuleCodes } from './codes/access-rules.ts';
import { alertingCodes } from './codes/notifications.ts';
import { auditCodes } from './codes/audit.ts';
import { authCodes } from './codes/auth.ts';
import { bundleCodes } from './codes/bundle.ts';
import { customCertificateCodes, universalSslCodes } from './codes/certificates.ts';
import { edgeCodes } from './codes/edge.ts';
import { filterCodes } from './codes/filters.ts';
import { firewallRuleCodes } from './codes/firewall-rules.ts';
import { genericCodes } from './codes/generic.ts';
import { listCodes, listSourceCodes } from './codes/lists.ts';
import { loadBalancingCodes } from './codes/load-balancing.ts';
import { logpushCodes } from './codes/logpush.ts';
import { lockdownCodes } from './codes/lockdowns.ts';
import { migrationCodes, migrationLossCodes, migrationMessageCodes } from './codes/migration.ts';
import { objectCodes } from './codes/objects.ts';
import { operatorCodes } from './codes/operator.ts';
import { pageRuleCodes } from './codes/page-rules.ts';
import { rateLimitCodes } from './codes/rate-limits.ts';
import { rulesetCodes } from './codes/rulesets.ts';
import { securityCodes } from './codes/events.ts';
import { settingCodes } from './codes/settings.ts';
import { userAgentRuleCodes } from './codes/user-agent-rules.ts';
import { wafCodes } from './codes/managed-rules.ts';
import { storeCodes } from './codes/stores.ts';
import { tokenCodes } from './codes/tokens.ts';
import { workerCodes } from './codes/workers.ts';
import { zoneCodes } from './codes/zones.ts';

export const codeFamilies: Readonly<Record<string, Readonly<Record<string, Code>>>> = {
  'Every operation': genericCodes,
  'Credentials, permissions and limits': authCodes,
  Tokens: tokenCodes,
  Zones: zoneCodes,
  'Audit log': auditCodes,
  Filters: filterCodes,
  'Firewall rules': firewallRuleCodes,
  'IP access rules': accessRuleCodes,
  'Zone lockdown': lockdownCodes,
  'Rate limits': rateLimitCodes,
  'User agent rules': userAgentRuleCodes,
  Lists: listCodes,
  'Sources of lists': listSourceCodes,
  'Page rules': pageRuleCodes,
  'Settings of zones': settingCodes,
  Rulesets: rulesetCodes,
  'Rulesets and rules in requests': rulesetProblemCodes,
  'Legacy managed rules': wafCodes,
  Migration: migrationCodes,
  'Losses of a migration': migrationLossCodes,
  'Messages of a migration': migrationMessageCodes,
  'Export and import': bundleCodes,
  Edge: edgeCodes,
  'Certificates of zones': customCertificateCodes,
  'Automatic certificates of zones': universalSslCodes,
  'Load balancing': loadBalancingCodes,
  Logpush: logpushCodes,
  Notifications: alertingCodes,
  Workers: workerCodes,
  'KV, D1, queues and R2': storeCodes,
  'Activity log': securityCodes,
  Objects: objectCodes,
  'The socket for operators': operatorCodes,
};
