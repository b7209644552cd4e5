/** Methods of the SDK, in the families that are served, which this server does not have; and why. */
export const unserved: Readonly<Record<string, string>> = {
  'zones.activationCheck': 'A zone is active from the start: there are no name servers to check.',
  'zones.observability': 'Another product: traces of requests.',
  'zones.transformationsC2pa': 'Another product: images.',
  'zones.environments': 'Another product: versions of a whole zone. Rulesets have versions of their own.',
  'zones.customNameservers': 'There are no name servers.',
  'zones.holds': 'There is one account, so no other account can take a zone.',
  'zones.ratePlans': 'There is no billing: `zones.plans` lists the plans.',
  'zones.entitlements': 'What a plan includes is in the documentation; a refusal says which plan would do.',
  'zones.ct': 'Another product: certificate transparency.',
  'user.edit': 'A user is an e-mail address and a key; there is no profile.',
  'user.billing': 'There is no billing.',
  'user.invites': 'There is one account with one owner; others work with tokens.',
  'user.organizations': 'There is one account.',
  'user.spectrumAnalytics': 'Another product: proxying of TCP and UDP.',
  'user.subscriptions': 'There is no billing: the plan of a zone is `zones.subscriptions`.',
  'user.tenants': 'There is one account.',
  'accounts.create': 'There is one account in an installation. Start another server with another directory.',
  'accounts.update': 'The name of the account is set at the first start, with `--account-name`.',
  'accounts.delete': 'To delete the account, delete the directory.',
  'accounts.members.create': 'There is one account with one owner; others work with tokens.',
  'accounts.members.update': 'The owner has the only role.',
  'accounts.members.delete': 'The owner cannot leave the account.',
  'accounts.subscriptions': 'There is no billing: the plan of a zone is `zones.subscriptions`.',
  'accounts.logs': 'The second version of the audit log; `auditLogs.list` is the first and has every change.',
  'accounts.entitlements':
    'What a plan includes is in the documentation; a refusal says which plan would do.',
  'accounts.speedSettings': 'Another product: images.',
  'accounts.paymentMethods': 'There is no billing.',
  'accounts.payInvoice': 'There is no billing.',
  'accounts.payBadDebt': 'There is no billing.',
  'accounts.receipts': 'There is no billing.',
  'accounts.invoices': 'There is no billing.',
  'accounts.clientSecret': 'Another product: single sign-on.',
  'loadBalancers.monitorGroups': 'A pool has one monitor.',
  'loadBalancers.previews': 'The health of a pool shows what its monitor sees.',
  'loadBalancers.regions': 'There are no data centres.',
  'loadBalancers.searches': 'Lists have everything: there are at most 200 of each.',
  'loadBalancers.monitors.previews': 'The health of a pool shows what its monitor sees.',
  'loadBalancers.pools.bulkEdit': 'It removes addresses for notices, which are not sent.',
  'loadBalancers.pools.health.create': 'The health of a pool shows what its monitor sees.',
  'logpush.edge': 'Logs as they happen over a WebSocket; a job sends them over HTTP.',
  'logpush.transformers': 'Another product: code that changes records. A filter and field names choose them.',
  'logpush.validate.origin':
    'The older form of Logpull options; `output_options` are checked when a job is set.',
  'alerting.silences': 'A policy can be disabled.',
  'alerting.destinations.pagerduty': 'PagerDuty takes webhooks.',
  'memberships.update': 'There is one membership, and it is accepted.',
  'memberships.delete': 'The owner cannot leave the account.',
  'memberships.get': '`memberships.list` has the one there is.',
};

/** Of which the SDK is driven through everything that is served. */
export const families: readonly string[] = [
  'zones',
  'filters',
  'firewall',
  'rateLimits',
  'pageRules',
  'rulesets',
  'rules',
  'user',
  'accounts',
  'memberships',
  'auditLogs',
  'urlNormalization',
  'loadBalancers',
  'logpush',
  'alerting',
];

export function isServed(method: string): boolean {
  return reasonNotServed(method) === undefined;
}

export function reasonNotServed(method: string): string | undefined {
  return Object.keys(unserved).find((name) => method === name || method.startsWith(`${name}.`));
}
