/** The fields of load balancers, pools, monitors and user agent rules, which the providers name differently. */
import type { Json } from '../resources/fields.ts';
import type { HclValue, HclFields } from './hcl.ts';
import type { Provider } from './resources.ts';
import { pick } from './words.ts';

type Refer = (type: string, id: string) => HclValue;

export function toBalancerFields(value: Json, provider: Provider, refer: Refer): HclFields {
  const pools = (value['default_pools'] as readonly string[]).map((id) =>
    refer('cloudflare_load_balancer_pool', id),
  );
  const fallback = refer('cloudflare_load_balancer_pool', String(value['fallback_pool']));
  const { steering_policy, session_affinity, session_affinity_ttl } = value as HclFields;
  return {
    name: value['name'] as string,
    ...(provider === '5'
      ? { default_pools: pools, fallback_pool: fallback }
      : { default_pool_ids: pools, fallback_pool_id: fallback }),
    ...pick(value, ['description', 'enabled', 'proxied']),
    ...(steering_policy === '' ? {} : { steering_policy: steering_policy! }),
    ...(session_affinity === 'none' || session_affinity === ''
      ? {}
      : {
          session_affinity: session_affinity!,
          // Provider 4 does not read it during an import.
          ...(provider === '5' ? { session_affinity_ttl: session_affinity_ttl! } : {}),
        }),
  };
}

export function toPoolFields(value: Json, provider: Provider, refer: Refer): HclFields {
  const { monitor } = value as { readonly monitor?: string };
  const origins = (value['origins'] as readonly Json[]).map((origin): HclFields => {
    const hosts =
      (origin['header'] as Readonly<Record<string, readonly string[]>> | undefined)?.['Host'] ?? [];
    return {
      ...pick(origin, ['name', 'address', 'enabled', 'weight']),
      // Provider 4 has no port for an origin, and does not change it.
      ...(provider !== '5' || (origin['port'] ?? 0) === 0 ? {} : { port: origin['port'] as number }),
      ...(hosts.length === 0
        ? {}
        : { header: provider === '5' ? { host: hosts } : { header: 'Host', values: hosts } }),
    };
  });
  return {
    ...pick(value, ['name', 'description', 'enabled', 'minimum_origins']),
    ...(monitor === undefined || monitor === ''
      ? {}
      : { monitor: refer('cloudflare_load_balancer_monitor', monitor) }),
    origins,
    ...(value['origin_steering'] == null ? {} : { origin_steering: value['origin_steering'] as HclFields }),
  };
}

const monitorFields = [
  'type',
  'description',
  'method',
  'path',
  'port',
  'interval',
  'retries',
  'timeout',
  'consecutive_up',
  'consecutive_down',
  'expected_codes',
  'expected_body',
  'follow_redirects',
  'allow_insecure',
];

export function toMonitorFields(value: Json, provider: Provider): HclFields {
  const header = (value['header'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  const headers = Object.entries(header);
  const { port, ...fields } = pick(value, monitorFields);
  return {
    ...fields,
    ...(port === undefined || port === 0 ? {} : { port }),
    ...(headers.length === 0
      ? {}
      : {
          header:
            provider === '5'
              ? header
              : headers.map(([name, values]): HclFields => ({ header: name, values })),
        }),
  };
}

export function toUserAgentFields(value: Json): HclFields {
  const {
    paused = false,
    description = '',
    ...rest
  } = pick(value, ['mode', 'paused', 'description', 'configuration']);
  return { ...rest, paused, description };
}
