/**
 * The permissions that a token can have. Ids are Cloudflare's; those of the audit log, the edge and objects are ours.
 */
export type PermissionScope = 'zone' | 'account' | 'user' | 'bucket';

export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  readonly scope: PermissionScope;
}

/** The names of scopes in the API. */
export const scopeNames: Readonly<Record<PermissionScope, string>> = {
  zone: 'com.cloudflare.api.account.zone',
  account: 'com.cloudflare.api.account',
  user: 'com.cloudflare.api.user',
  bucket: 'com.cloudflare.edge.r2.bucket',
};

export const permissionGroups = {
  firewallServicesRead: {
    id: '4ec32dfcb35641c5bb32d5ef1ab963b4',
    name: 'Firewall Services Read',
    scope: 'zone',
  },
  firewallServicesWrite: {
    id: '43137f8d07884d3198dc0ee77ca6e79b',
    name: 'Firewall Services Write',
    scope: 'zone',
  },
  zoneWafRead: { id: 'dbc512b354774852af2b5a5f4ba3d470', name: 'Zone WAF Read', scope: 'zone' },
  zoneWafWrite: { id: 'fb6778dc191143babbfaa57993f1d275', name: 'Zone WAF Write', scope: 'zone' },
  zoneRead: { id: 'c8fed203ed3043cba015a93ad1616f1f', name: 'Zone Read', scope: 'zone' },
  zoneWrite: { id: 'e6d2666161e84845a636613608cee8d5', name: 'Zone Write', scope: 'zone' },
  zoneSettingsRead: { id: '517b21aee92c4d89936c976ba6e4be55', name: 'Zone Settings Read', scope: 'zone' },
  zoneSettingsWrite: { id: '3030687196b94b638145a3953da2b699', name: 'Zone Settings Write', scope: 'zone' },
  pageRulesRead: { id: 'b415b70a4fd1412886f164451f20405c', name: 'Page Rules Read', scope: 'zone' },
  pageRulesWrite: { id: 'ed07f6c337da4195b4e72a1fb2c6bcae', name: 'Page Rules Write', scope: 'zone' },
  sslRead: { id: '7b7216b327b04b8fbc8f524e1f9b7531', name: 'SSL and Certificates Read', scope: 'zone' },
  sslWrite: { id: 'c03055bc037c4ea9afb9a9f104b7b721', name: 'SSL and Certificates Write', scope: 'zone' },
  analyticsRead: { id: '9c88f9c5bce24ce7af9a958ba9c504db', name: 'Analytics Read', scope: 'zone' },
  accountRulesetsRead: {
    id: 'fb39996ee9044d2a8725921e02744b39',
    name: 'Account Rulesets Read',
    scope: 'account',
  },
  accountRulesetsWrite: {
    id: '56907406c3d548ed902070ec4df0e328',
    name: 'Account Rulesets Write',
    scope: 'account',
  },
  accountWafRead: { id: '56b2af4817c84ad99187911dc3986c23', name: 'Account WAF Read', scope: 'account' },
  accountWafWrite: { id: 'cde8c82463b6414ca06e46b9633f52a6', name: 'Account WAF Write', scope: 'account' },
  ruleListsRead: {
    id: '4f1071168de8466e9808de86febfc516',
    name: 'Account Rule Lists Read',
    scope: 'account',
  },
  ruleListsWrite: {
    id: '2edbf20661fd4661b0fe10e9e12f485c',
    name: 'Account Rule Lists Write',
    scope: 'account',
  },
  accountAccessRulesRead: {
    id: 'de7a688cc47d43bd9ea700b467a09c96',
    name: 'Account Firewall Access Rules Read',
    scope: 'account',
  },
  accountAccessRulesWrite: {
    id: 'a416acf9ef5a4af19fb11ed3b96b1fe6',
    name: 'Account Firewall Access Rules Write',
    scope: 'account',
  },
  accountRead: { id: 'c1fde68c7bcc44588cbb6ddbc16d6480', name: 'Account Settings Read', scope: 'account' },
  auditRead: { id: 'd1a7c0a1f0b24b4f9c1d2a5be3f60007', name: 'Account Audit Logs Read', scope: 'account' },
  accountEdgeRead: { id: 'd1a7c0a1f0b24b4f9c1d2a5be3f60008', name: 'Account Edge Read', scope: 'account' },
  accountEdgeWrite: { id: 'd1a7c0a1f0b24b4f9c1d2a5be3f60009', name: 'Account Edge Write', scope: 'account' },
  objectsRead: { id: 'd1a7c0a1f0b24b4f9c1d2a5be3f60051', name: 'Account Objects Read', scope: 'account' },
  objectsWrite: { id: 'd1a7c0a1f0b24b4f9c1d2a5be3f60052', name: 'Account Objects Write', scope: 'account' },
  workersRead: { id: '1a71c399035b4950a1bd1466bbe4f420', name: 'Workers Scripts Read', scope: 'account' },
  workersWrite: { id: 'e086da7e2179491d91ee5f35b3ca210a', name: 'Workers Scripts Write', scope: 'account' },
  workersTailRead: { id: '05880cd1bdc24d8bae0be2136972816b', name: 'Workers Tail Read', scope: 'account' },
  kvRead: { id: '8b47d2786a534c08a1f94ee8f9f599ef', name: 'Workers KV Storage Read', scope: 'account' },
  kvWrite: { id: 'f7f0eda5697f475c90846e879bab8666', name: 'Workers KV Storage Write', scope: 'account' },
  d1Read: { id: '192192df92ee43ac90f2aeeffce67e35', name: 'D1 Read', scope: 'account' },
  d1Write: { id: '09b2857d1c31407795e75e3fed8617a1', name: 'D1 Write', scope: 'account' },
  queuesRead: { id: '84a7755d54c646ca87cd50682a34bf7c', name: 'Queues Read', scope: 'account' },
  queuesWrite: { id: '366f57075ffc42689627bcf8242a1b6d', name: 'Queues Write', scope: 'account' },
  r2Read: { id: 'b4992e1108244f5d8bfbd5744320c2e1', name: 'Workers R2 Storage Read', scope: 'account' },
  r2Write: { id: 'bf7481a1826f439697cb59a20b22293e', name: 'Workers R2 Storage Write', scope: 'account' },
  workersRoutesRead: { id: '2072033d694d415a936eaeb94e6405b8', name: 'Workers Routes Read', scope: 'zone' },
  workersRoutesWrite: { id: '28f4b596e7d643029c524985477ae49a', name: 'Workers Routes Write', scope: 'zone' },
  loadBalancersRead: { id: 'e9a975f628014f1d85b723993116f7d5', name: 'Load Balancers Read', scope: 'zone' },
  loadBalancersWrite: { id: '6d7f2f5f5b1d4a0e9081fdc98d432fd1', name: 'Load Balancers Write', scope: 'zone' },
  logsRead: { id: 'c4a30cd58c5d42619c86a3c36c441e2d', name: 'Logs Read', scope: 'zone' },
  logsWrite: { id: '3e0b5820118e47f3922f7c989e673882', name: 'Logs Write', scope: 'zone' },
  loadBalancingPoolsRead: {
    id: '9d24387c6e8544e2bc4024a03991339f',
    name: 'Load Balancing: Monitors and Pools Read',
    scope: 'account',
  },
  loadBalancingPoolsWrite: {
    id: 'd2a1802cc9a34e30852f8b33869b2f3c',
    name: 'Load Balancing: Monitors and Pools Write',
    scope: 'account',
  },
  notificationsRead: { id: 'ce18edbdcebf465e9d6d1d2fc80ffd42', name: 'Notifications Read', scope: 'account' },
  notificationsWrite: {
    id: 'c3c847c5802d4ce3ba00e3e97b3c8555',
    name: 'Notifications Write',
    scope: 'account',
  },
  accountTokensRead: {
    id: 'eb56a6953c034b9d97dd838155666f06',
    name: 'Account API Tokens Read',
    scope: 'account',
  },
  accountTokensWrite: {
    id: '5bc3f8b21c554832afc660159ab75fa4',
    name: 'Account API Tokens Write',
    scope: 'account',
  },
  membershipsRead: { id: '3518d0f75557482e952c6762d3e64903', name: 'Memberships Read', scope: 'user' },
  userRead: { id: '8acbe5bb0d54464ab867149d7f7cf8ac', name: 'User Details Read', scope: 'user' },
  tokensRead: { id: '0cc3a61731504c89b99ec1be78b77aa0', name: 'API Tokens Read', scope: 'user' },
  tokensWrite: { id: '686d18d5ac6c441c867cbf6771e58a0a', name: 'API Tokens Write', scope: 'user' },
} as const satisfies Readonly<Record<string, PermissionGroup>>;

export type Permission = keyof typeof permissionGroups;
