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
import { customCertificateOperations } from './operations/custom-certificates.ts';
import { universalSslOperations } from './operations/universal-ssl.ts';
import {
  assistExpressionOperations,
  filterOperations,
  validateExpressionOperations,
} from './operations/filters.ts';
import { firewallRuleOperations } from './operations/firewall-rules.ts';
import { edgeLearningOperations, learningOperations } from './operations/learning.ts';
import { listOperations } from './operations/lists.ts';
import { monitorOperations } from './operations/load-balancer-monitors.ts';
import { poolOperations } from './operations/load-balancer-pools.ts';
import { alertingOperations } from './operations/alerting.ts';
import { listSourceOperations } from './operations/list-sources.ts';
import { logpushOperations } from './operations/logpush.ts';
import { loadBalancerOperations } from './operations/load-balancers.ts';
import { lockdownOperations } from './operations/lockdowns.ts';
import { d1Operations } from './operations/d1.ts';
import { kvOperations } from './operations/kv.ts';
import { metricOperations } from './operations/metrics.ts';
import { queueOperations } from './operations/queues.ts';
import { r2CallOperations } from './operations/r2-calls.ts';
import { r2Operations } from './operations/r2.ts';
import { migrationOperations } from './operations/migration.ts';
import { migrationComparisonOperations } from './operations/migration-comparison.ts';
import { objectOperations } from './operations/objects.ts';
import { pageRuleOperations } from './operations/page-rules.ts';
import { protectionOperations, protectionStateOperations } from './operations/protection.ts';
import { rateKeyOperations } from './operations/rate-keys.ts';
import { rateLimitOperations } from './operations/rate-limits.ts';
import { ruleEffectOperations } from './operations/rule-effects.ts';
import { accountRulesetOperations, rulesetOperations } from './operations/rulesets.ts';
import { savedViewOperations } from './operations/saved-views.ts';
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
import { userAgentRuleOperations } from './operations/user-agent-rules.ts';
import { userOperations } from './operations/user.ts';
import { workerResourceOperations } from './operations/worker-resources.ts';
import { workerRouteOperations } from './operations/worker-routes.ts';
import { workerVersionOperations } from './operations/worker-versions.ts';
import { workerOperations } from './operations/workers.ts';
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
  user: 'The user whose credentials a request has.',
  customPages: 'Pages that visitors see in place of an answer.',
  accountCustomPages: 'Those of the account.',
  memberships: 'The accounts that the user belongs to.',
  tokens: 'API tokens of the user.',
  accountTokens: 'API tokens of the account, which outlive the people in it.',
  accounts: 'Accounts; a server has one.',
  audit: 'Every change, who made it, and what was before and after.',
  metrics: 'What the program measures about itself.',
  zones: 'Domains, each with its plan.',
  filters: 'Expressions that firewall rules refer to.',
  expressions: 'Help for editors of expressions.',
  firewallRules: 'What to do with requests that match a filter.',
  accessRules: 'Addresses, networks and countries that a zone blocks, challenges or lets pass.',
  accountAccessRules: 'The same for all zones of the account.',
  userAccessRules: 'The same for all zones, kept by the user who calls.',
  lockdowns: 'URLs of a zone that only some addresses may ask for.',
  rateKeys: 'What rate limits count now, and what edges tell each other about it.',
  rateLimits: 'Rules of the phase http_ratelimit, as they were written before rulesets.',
  userAgentRules: 'What a zone does with clients that send a certain user agent.',
  lists: 'Lists of addresses, host names, networks or redirects that expressions name.',
  pageRules: 'Settings that differ where a URL matches.',
  migration: 'The way from the legacy managed rules to managed rulesets.',
  bundle: 'Everything that a zone’s rules are made of, as one document.',
  settings: 'Settings of a zone.',
  urlNormalization: 'URL normalization of a zone: one spelling of each path for rules and for the origin.',
  rulesets: 'Rulesets of a zone, by phase, with their versions.',
  accountRulesets: 'Rulesets of the account: those that all its zones run, custom and managed ones.',
  wafPackages: 'Packages of legacy managed rules.',
  wafGroups: 'Groups of rules in a package of legacy managed rules.',
  wafRules: 'Legacy managed rules.',
  wafOverrides: 'Modes of legacy managed rules that differ where a URL matches.',
  customCertificates: 'Certificates of a zone that were uploaded.',
  universalSsl: 'Whether a zone gets its certificate by itself, from an authority that speaks ACME.',
  certificatePacks: 'Certificates that a zone got by itself.',
  certificates: 'The certificates of all zones, and which of them somebody has to look after.',
  edge: 'How zones are served, and the feed of edges that run by themselves.',
  protection: 'What protects a site, and protecting it in one call.',
  security:
    'The activity log, explanations of what was done to a request, and judging requests without sending them.',
  ruleEffects: 'What rules did, and what one would do before it is saved.',
  learning: 'What a zone has learned of the values of its requests, and forgetting it.',
  edgeLearning: 'What edges that run by themselves have learned of values.',
  savedViews: 'Searches of the activity log that were given a name, for everybody who reads the log.',
  traffic: 'How many requests a zone had, and what became of them.',
  graphql: 'The activity log, asked in GraphQL.',
  monitors: 'How the origins of pools are asked whether they are well.',
  pools: 'Origins that can stand in for each other, and how they are.',
  loadBalancers: 'Names of a zone whose requests go to pools of origins.',
  alerting: 'Notifications by webhook or mail: policies, webhooks, history.',
  listSources: 'Where lists get their items from by themselves.',
  logpush: 'Records of a zone that are sent to others as they happen.',
  logpushRequests: 'Requests that edges elsewhere have served, for Logpush.',
  workers: 'Workers that are uploaded, as Wrangler does it: versions, deployments, secrets, host names.',
  workerRoutes: 'Which requests of a zone uploaded Workers answer.',
  kv: 'KV namespaces of the account, and the values in them.',
  d1: 'D1 databases of the account: SQL, files of it, and going back in time.',
  queues: 'Queues of the account, and which Workers consume them.',
  r2: 'R2 buckets of the account, and the objects in them.',
  r2Calls: 'What bindings to buckets ask, from programs elsewhere.',
  objects: 'The stateful objects that hold the state of the server: look into them, and go back.',
};

/** The operations of a resource such as `filters`, or a single named operation. */
export type IdsOf<Name extends string> = Name extends OperationId
  ? Name
  : Extract<OperationId, `${Name}.${string}`>;

/** The input of an operation's handler. */
export type InputOf<Id extends OperationId> = Input<(typeof operations)[Id]>;

/** The result of an operation on success. */
export type Result<Id extends OperationId> = ResultOf<(typeof operations)[Id]>;
