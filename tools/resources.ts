/**
 * The resources of the API. What belongs to a resource has its name on every floor, as a file or a folder: rows and codes
 * of the contract, handlers, tables, page, commands. `resources.test.ts` checks it.
 */
export interface Resource {
  /** The first words of its operation ids. */
  readonly operations: readonly string[];
  /** The first word of its commands, if that is not the name. */
  readonly command?: string;
}

export const resources: Readonly<Record<string, Resource>> = {
  'access-rules': { operations: ['accessRules', 'accountAccessRules', 'userAccessRules'] },
  accounts: { operations: ['accounts'] },
  audit: { operations: ['audit'] },
  bundle: { operations: ['bundle'] },
  certificates: { operations: ['customCertificates', 'universalSsl', 'certificatePacks', 'certificates'] },
  'custom-pages': { operations: ['customPages', 'accountCustomPages'] },
  edge: { operations: ['edge'] },
  events: { operations: ['security', 'graphql', 'savedViews'] },
  filters: { operations: ['filters', 'expressions'] },
  'firewall-rules': { operations: ['firewallRules'], command: 'rules' },
  learning: { operations: ['learning', 'edgeLearning'] },
  lists: { operations: ['lists', 'listSources'] },
  'load-balancing': { operations: ['loadBalancers', 'pools', 'monitors'], command: 'load-balancers' },
  lockdowns: { operations: ['lockdowns'] },
  logpush: { operations: ['logpush', 'logpushRequests'] },
  'managed-rules': { operations: ['wafPackages', 'wafGroups', 'wafRules', 'wafOverrides'], command: 'waf' },
  metrics: { operations: ['metrics'] },
  migration: { operations: ['migration'] },
  notifications: { operations: ['alerting'] },
  objects: { operations: ['objects', 'stories'] },
  // Its socket also serves operations of objects and Workers.
  operator: {
    operations: ['operator', 'clock', 'cluster', 'coreRules', 'deployments', 'objects', 'workers'],
  },
  'page-rules': { operations: ['pageRules'], command: 'pagerules' },
  protection: { operations: ['protection'] },
  'rate-limits': { operations: ['rateLimits', 'rateKeys'] },
  'rule-effects': { operations: ['ruleEffects'] },
  rulesets: { operations: ['rulesets', 'accountRulesets'] },
  settings: { operations: ['settings', 'urlNormalization'] },
  stores: { operations: ['kv', 'd1', 'queues', 'r2', 'r2Calls'] },
  tokens: { operations: ['tokens', 'accountTokens'] },
  traffic: { operations: ['traffic'] },
  user: { operations: ['user', 'memberships'] },
  'user-agent-rules': { operations: ['userAgentRules'] },
  workers: { operations: ['workers', 'workerRoutes'] },
  zones: { operations: ['zones'] },
};

/** The folders that have a file or a folder for each resource, and what else is in them. */
export const floors: Readonly<Record<string, readonly string[]>> = {
  'src/api/contract/operations': [],
  'src/api/contract/codes': ['auth', 'generic'],
  'src/api/control/operations': ['bind-handlers', 'change-rows', 'named-server', 'several-objects'],
  'src/api/control/stores': [],
  'src/program/cli/resources/rows': [],
  'src/browser/page/pages': ['origins', 'overview', 'rules', 'security-tools', 'sign-in', 'start'],
};
