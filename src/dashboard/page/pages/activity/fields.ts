/** What people call the fields of an event. */
const labels: Readonly<Record<string, string>> = {
  action: 'Action',
  source: 'Product',
  ruleId: 'Rule',
  rulesetId: 'Ruleset',
  ref: 'Reference',
  description: 'Description',
  rayName: 'Request id',
  clientIP: 'Address',
  clientAsn: 'Network',
  clientASNDescription: 'Network name',
  clientCountryName: 'Country',
  clientRequestHTTPHost: 'Host',
  clientRequestHTTPMethodName: 'Method',
  clientRequestHTTPProtocol: 'Protocol',
  clientRequestScheme: 'Scheme',
  clientRequestPath: 'Path',
  clientRequestQuery: 'Query',
  clientRefererScheme: 'Referer scheme',
  clientRefererHost: 'Referer host',
  clientRefererPath: 'Referer path',
  clientRefererQuery: 'Referer query',
  userAgent: 'User agent',
  edgeResponseStatus: 'Status',
  originResponseStatus: 'Status of the origin',
};

export function labelOf(field: string): string {
  return labels[field] ?? field;
}

/** In the order in which an event shows them. */
export const detailFields = Object.keys(labels);

const products: Readonly<Record<string, string>> = {
  firewallrules: 'Firewall rules',
  firewallCustom: 'Custom rules',
  firewallManaged: 'Managed rulesets',
  waf: 'Managed rules (legacy)',
};

export function describeSource(source: string): string {
  return products[source] ?? source;
}
