/** What a token may do and from where, as sentences. */
import { useQuery } from '@tanstack/react-query';
import { zonesQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { Time } from '../../parts/time.tsx';
import type { Token } from './token.ts';

export function TokenDetails({ token }: { readonly token: Token }) {
  const zones = useQuery(zonesQuery);
  const addresses = token.condition?.request_ip ?? token.condition?.['request.ip'];
  return (
    <dl className="tokens-details">
      {token.policies.map((policy, index) => (
        <div key={index}>
          <dt>
            {policy.effect === 'deny' ? 'Never on ' : 'On '}
            {describeResources(policy.resources, zones.data ?? [])}
          </dt>
          <dd>{policy.permission_groups.map(({ id, name }) => name ?? id).join(', ')}</dd>
        </div>
      ))}
      {token.not_before !== undefined && (
        <div>
          <dt>Valid from</dt>
          <dd>
            <Time at={token.not_before} />
          </dd>
        </div>
      )}
      {(addresses?.in ?? []).length > 0 && (
        <div>
          <dt>Only from</dt>
          <dd className="mono">{addresses?.in?.join(', ')}</dd>
        </div>
      )}
      {(addresses?.not_in ?? []).length > 0 && (
        <div>
          <dt>Never from</dt>
          <dd className="mono">{addresses?.not_in?.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

function describeResources(
  resources: Token['policies'][number]['resources'],
  zones: readonly Zone[],
): string {
  return Object.entries(resources)
    .flatMap(([name, extent]) => (extent === '*' ? [name] : Object.keys(extent)))
    .map((name) => describeResource(name, zones))
    .join(', ');
}

function describeResource(name: string, zones: readonly Zone[]): string {
  const [, kind, id] = /^com\.cloudflare\.api\.(account\.zone|account|user)\.(\w+|\*)$/.exec(name) ?? [];
  if (kind === 'account') return 'the account';
  if (kind === 'user') return 'your user';
  if (kind === undefined) return name;
  return id === '*' ? 'every site' : (zones.find((zone) => zone.id === id)?.name ?? `site ${id}`);
}
