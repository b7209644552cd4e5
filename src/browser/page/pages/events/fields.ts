/** The labels of an event's fields. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
    originResponseStatus: 'Origin status',
  }),
);

export function labelOf(field: string): string {
  return labels.get(field) ?? field;
}

/** In the order of the event's details. */
export const detailFields = [...labels.keys()];

const products: ReadonlyMap<string, string> = new Map(
  Object.entries({
    firewallrules: 'Firewall rules',
    firewallCustom: 'Custom rules',
    ratelimit: 'Rate limits',
    firewallManaged: 'Managed rulesets',
    waf: 'Managed rules (legacy)',
    ask: 'Rules that ask',
  }),
);

export function describeSource(source: string): string {
  return products.get(source) ?? source;
}
