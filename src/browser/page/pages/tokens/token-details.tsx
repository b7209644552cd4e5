/** The permissions and conditions of a token, as sentences. */
import { useQuery } from '@tanstack/react-query';
import { zonesQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import type { Token } from './token.ts';

export function TokenDetails({ token }: { readonly token: Token }) {
  const { data: zones = [] } = useQuery(zonesQuery);
  const addresses = token.condition?.request_ip ?? token.condition?.['request.ip'];
  return (
    <Facts
      facts={[
        ...token.policies.map(
          ({ effect, resources, permission_groups }) =>
            [
              `${effect === 'deny' ? 'Never on' : 'On'} ${describeResources(resources, zones)}`,
              permission_groups.map(({ id, name }) => name ?? id).join(', '),
            ] as const,
        ),
        ['Valid from', token.not_before && <Time at={token.not_before} />],
        ['Only from', addresses?.in?.join(', ')],
        ['Never from', addresses?.not_in?.join(', ')],
      ]}
    />
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
