/** The route table: every operation of the API. */
import type { Input, ResultOf } from './operation.ts';
import {
  accessRuleOperations,
  accountAccessRuleOperations,
  userAccessRuleOperations,
} from './operations/access-rules.ts';
import { edgeFeedOperations, edgeOperations } from './operations/edge.ts';
import { bundleOperations } from './operations/bundle.ts';
import { customPageOperations } from './operations/custom-pages.ts';
import { customCertificateOperations } from './operations/certificates/custom-certificates.ts';
import { universalSslOperations } from './operations/certificates/universal-ssl.ts';
import {
  assistExpressionOperations,
  filterOperations,
  validateExpressionOperations,
} from './operations/filters.ts';
import { firewallRuleOperations } from './operations/firewall-rules.ts';
import { edgeLearningOperations, learningOperations } from './operations/learning.ts';
import { listOperations } from './operations/lists/lists.ts';
import { monitorOperations } from './operations/load-balancing/monitors.ts';
import { poolOperations } from './operations/load-balancing/pools.ts';
import { alertingOperations } from './operations/notifications.ts';
import { listSourceOperations } from './operations/lists/list-sources.ts';
import { logpushOperations } from './operations/logpush.ts';
import { loadBalancerOperations } from './operations/load-balancing/load-balancers.ts';
import { lockdownOperations } from './operations/lockdowns.ts';
import { d1Operations } from './operations/stores/d1.ts';
import { kvOperations } from './operations/stores/kv.ts';
import { metricOperations } from './operations/metrics.ts';
import { queueOperations } from './operations/stores/queues.ts';
import { r2CallOperations } from './operations/stores/r2-calls.ts';
import { r2Operations } from './operations/stores/r2.ts';
import { migrationOperations } from './operations/migration/migration.ts';
import { migrationComparisonOperations } from './operations/migration/comparison.ts';
import { objectOperations } from './operations/objects/objects.ts';
import { pageRuleOperations } from './operations/page-rules.ts';
import { protectionOperations, protectionStateOperations } from './operations/protection.ts';
import { rateKeyOperations } from './operations/rate-limits/rate-keys.ts';
import { rateLimitOperations } from './operations/rate-limits/rate-limits.ts';
import { ruleEffectOperations } from './operations/rule-effects.ts';
import { accountRulesetOperations, rulesetOperations } from './operations/rulesets/rulesets.ts';
import { savedViewOperations } from './operations/events/saved-views.ts';
import { securityOperations } from './operations/events/events.ts';
import { settingOperations, urlNormalizationOperations } from './operations/settings.ts';
import { wafGroupOperations } from './operations/managed-rules/groups.ts';
import { wafOverrideOperations } from './operations/managed-rules/overrides.ts';
import { wafPackageOperations } from './operations/managed-rules/packages.ts';
import { wafRuleOperations } from './operations/managed-rules/rules.ts';
import { trafficOperations } from './operations/traffic.ts';
import { accountOperations } from './operations/accounts.ts';
import { auditOperations } from './operations/audit.ts';
import { tokenOperations } from './operations/tokens.ts';
import { userAgentRuleOperations } from './operations/user-agent-rules.ts';
import { userOperations } from './operations/user.ts';
import { workerResourceOperations } from './operations/workers/worker-resources.ts';
import { workerRouteOperations } from './operations/workers/worker-routes.ts';
import { workerVersionOperations } from './operations/workers/worker-versions.ts';
import { workerOperations } from './operations/workers/workers.ts';
import { zoneOperations } from './operations/zones.ts';

/** One type per resource: the compiler does not write out a type as long as that of all operations together. */
type Operations = typeof userOperations &
  typeof tokenOperations &
  typeof accountOperations &
  typeof auditOperations &
  typeof metricOperations &
  typeof zoneOperations &
  typeof filterOperations &
  typeof validateExpressionOperations &
  typeof assistExpressionOperations &
  typeof firewallRuleOperations &
  typeof accessRuleOperations &
  typeof accountAccessRuleOperations &
  typeof userAccessRuleOperations &
  typeof lockdownOperations &
  typeof userAgentRuleOperations &
  typeof rateKeyOperations &
  typeof rateLimitOperations &
  typeof listOperations &
  typeof pageRuleOperations &
  typeof migrationOperations &
  typeof migrationComparisonOperations &
  typeof bundleOperations &
  typeof settingOperations &
  typeof urlNormalizationOperations &
  typeof rulesetOperations &
  typeof accountRulesetOperations &
  typeof wafPackageOperations &
  typeof wafGroupOperations &
  typeof wafRuleOperations &
  typeof wafOverrideOperations &
  typeof edgeOperations &
  typeof protectionStateOperations &
  typeof protectionOperations &
  typeof customPageOperations &
  typeof customCertificateOperations &
  typeof universalSslOperations &
  typeof edgeFeedOperations &
  typeof securityOperations &
  typeof ruleEffectOperations &
  typeof savedViewOperations &
  typeof learningOperations &
  typeof edgeLearningOperations &
  typeof trafficOperations &
  typeof objectOperations &
  typeof monitorOperations &
  typeof poolOperations &
  typeof loadBalancerOperations &
  typeof logpushOperations &
  typeof listSourceOperations &
  typeof alertingOperations &
  typeof workerOperations &
  typeof workerVersionOperations &
  typeof workerResourceOperations &
  typeof workerRouteOperations &
  typeof kvOperations &
  typeof d1Operations &
  typeof queueOperations &
  typeof r2Operations &
  typeof r2CallOperations;

export const operations: Operations = {
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
  ...accessRuleOperations,
  ...accountAccessRuleOperations,
  ...userAccessRuleOperations,
  ...lockdownOperations,
  ...userAgentRuleOperations,
  ...rateKeyOperations,
  ...rateLimitOperations,
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
  ...customPageOperations,
  ...customCertificateOperations,
  ...universalSslOperations,
  ...edgeFeedOperations,
  ...securityOperations,
  ...ruleEffectOperations,
  ...savedViewOperations,
  ...learningOperations,
  ...edgeLearningOperations,
  ...trafficOperations,
  ...objectOperations,
  ...monitorOperations,
  ...poolOperations,
  ...loadBalancerOperations,
  ...logpushOperations,
  ...listSourceOperations,
  ...alertingOperations,
  ...workerOperations,
  ...workerVersionOperations,
  ...workerResourceOperations,
  ...workerRouteOperations,
  ...kvOperations,
  ...d1Operations,
  ...queueOperations,
  ...r2Operations,
  ...r2CallOperations,
};

export type OperationId = keyof typeof operations;

type ResourceOf<Id extends string> = Id extends `${infer Name}.${string}` ? Name : never;

/** The subject of each resource. A resource without a sentence does not compile. */
export const tagDescriptions: Readonly<Record<ResourceOf<OperationId>, string>> = {
  user: 'The user whose credentials the request uses.',
  customPages: 'Pages that visitors see instead of a response.',
  accountCustomPages: 'Those of the account.',
  memberships: 'The accounts that the user belongs to.',
  tokens: 'API tokens of the user.',
  accountTokens: 'API tokens of the account, independent of its users.',
  accounts: 'Accounts; a server has one.',
  audit: 'Every change: who made it, and the state before and after.',
  metrics: 'Metrics of the program.',
  zones: 'Domains, each with its plan.',
  filters: 'Expressions that firewall rules refer to.',
  expressions: 'Assistance for expression editors.',
  firewallRules: 'What to do with requests that match a filter.',
  accessRules: 'Addresses, networks and countries that a zone blocks, challenges or lets pass.',
  accountAccessRules: 'IP access rules for all zones of the account.',
  userAccessRules: 'IP access rules of the calling user, for all zones.',
  lockdowns: 'URLs of a zone that only certain addresses may request.',
  rateKeys: 'Current counters of rate limits, and their exchange between edges.',
  rateLimits: 'Rules of the phase http_ratelimit, in the form used before rulesets.',
  userAgentRules: 'What a zone does with clients that send a certain user agent.',
  lists: 'Lists of addresses, host names, networks or redirects that expressions name.',
  pageRules: 'Settings that apply where a URL matches.',
  migration: 'Migration from the legacy managed rules to managed rulesets.',
  bundle: 'The whole rule configuration of a zone, as one document.',
  settings: 'Settings of a zone.',
  urlNormalization: 'URL normalization of a zone: one spelling of each path for rules and for the origin.',
  rulesets: 'Rulesets of a zone, by phase, with their versions.',
  accountRulesets: 'Rulesets of the account: those that all its zones run, custom and managed ones.',
  wafPackages: 'Packages of legacy managed rules.',
  wafGroups: 'Groups of rules in a package of legacy managed rules.',
  wafRules: 'Legacy managed rules.',
  wafOverrides: 'Modes of legacy managed rules that apply where a URL matches.',
  customCertificates: 'Uploaded certificates of a zone.',
  universalSsl: 'Whether a zone gets its certificate automatically, from an ACME authority.',
  certificatePacks: 'Certificates that a zone got automatically.',
  certificates: 'The certificates of all zones, and which of them need attention.',
  edge: 'How zones are served, and the configuration feed for standalone edges.',
  protection: 'What protects a site, and how to protect it in one call.',
  security: 'The activity log, explanations of verdicts, and judging requests without sending them.',
  ruleEffects: 'Effects of rules, and a preview of a rule before it is saved.',
  learning: 'What a zone has learned about the values of its requests, and how to delete it.',
  edgeLearning: 'What standalone edges have learned about values.',
  savedViews: 'Saved searches of the activity log, shared by all its readers.',
  traffic: 'Number of requests of a zone, and their verdicts.',
  graphql: 'The activity log, in GraphQL.',
  monitors: 'Health checks of the origins of pools.',
  pools: 'Origins that can replace each other, and their health.',
  loadBalancers: 'Host names of a zone whose requests go to pools of origins.',
  alerting: 'Notifications by webhook or mail: policies, webhooks, history.',
  listSources: 'Sources from which lists are filled automatically.',
  logpush: 'Records of a zone that are sent to other systems as they happen.',
  logpushRequests: 'Requests that other edges have served, for Logpush.',
  workers: 'Workers that are uploaded, for example by Wrangler: versions, deployments, secrets, host names.',
  workerRoutes: 'Requests of a zone that uploaded Workers answer.',
  kv: 'KV namespaces of the account, and the values in them.',
  d1: 'D1 databases of the account: SQL, SQL files, and restoring to a point in time.',
  queues: 'Queues of the account, and which Workers consume them.',
  r2: 'R2 buckets of the account, and the objects in them.',
  r2Calls: 'Calls of bucket bindings, from programs on other machines.',
  objects: 'The stateful objects that hold the state of the server: inspect and restore them.',
};

/** The operations of a resource such as `filters`, or a single named operation. */
export type IdsOf<Name extends string> = Name extends OperationId
  ? Name
  : Extract<OperationId, `${Name}.${string}`>;

/** The input of an operation's handler. */
export type InputOf<Id extends OperationId> = Inputs[Id];

/** A mapped type, so that the compiler sees that an input fits the handler of the same operation. */
type Inputs = { readonly [Id in OperationId]: Input<(typeof operations)[Id]> };

/** The result of an operation on success. */
export type Result<Id extends OperationId> = ResultOf<(typeof operations)[Id]>;
