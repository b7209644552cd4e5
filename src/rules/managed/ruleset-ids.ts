/** The ids under which clients deploy rulesets, the same as Cloudflare's. */
export const rulesetIds = {
  managed: 'efb7b8c949ac4650a09736fc376e9aee',
  free: '77454fe2d30c4220b5701f6fdfb893ba',
  owasp: '4814384a9e5d4991b9815dcfc25d2f1f',
} as const;
