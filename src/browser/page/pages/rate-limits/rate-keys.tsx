/** The fullest keys that rate limits currently count; each can be released. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { WriteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Time } from '../../parts/time.tsx';

const path = '/zones/{zone_id}/rate_limit_keys';

/** Edges report every two seconds. */
const readMs = 2_000;

type Key = Result<'rateKeys.list'>[number];
type Rules = ReadonlyMap<string, string>;

function keysQuery(zone_id: string) {
  return queryOptions({
    queryKey: [path, zone_id],
    queryFn: async ({ signal }) => ({
      keys: await resultOf(client.get(path, { zone_id, signal })),
      rules: await readRules(zone_id, signal),
    }),
    refetchInterval: readMs,
  });
}

/** The names of the zone's rules. If there are none, or for those of the account, ids are shown. */
async function readRules(zone_id: string, signal: AbortSignal): Promise<Rules> {
  const rulesets = await resultOf(client.get('/zones/{zone_id}/rulesets', { zone_id, signal }));
  const limits = rulesets.find(({ phase, kind }) => phase === 'http_ratelimit' && kind === 'zone');
  if (limits === undefined) return new Map();
  const { rules } = await resultOf(
    client.get('/zones/{zone_id}/rulesets/{ruleset_id}', { zone_id, ruleset_id: limits.id, signal }),
  );
  return new Map(
    rules.map(({ id, ref, description = '' }) => [id ?? '', description === '' ? (ref ?? '') : description]),
  );
}

export function RateKeys() {
  const { id: zone_id, name } = useZone();
  const keys = useQuery({
    ...keysQuery(zone_id),
    select: ({ keys: all, rules }) => all.map((key) => ({ ...key, rule: rules.get(key.rule_id) })),
  });
  return (
    <TableCard
      title="Closest to their limit"
      label="Keys"
      of={keys}
      rows={5}
      empty={
        <Empty title="No requests are being counted" command={`gatehouse rate-limits list ${name}`}>
          Keys are shown while their period lasts.
        </Empty>
      }
      keyOf={({ id, host }) => `${id} ${host}`}
      columns={[
        { title: 'Counted by', kind: 'mono', cell: describeValues },
        { title: 'Rule', cell: ({ rule, rule_id }) => rule ?? rule_id },
        {
          title: 'Requests',
          cell: ({ count, limit, period }) =>
            `${count.toLocaleString()} of ${limit.toLocaleString()} in ${period.toLocaleString()} s`,
        },
        { title: 'State', cell: (key) => <State rateKey={key} /> },
        { title: 'Host', cell: ({ host }) => host },
        {
          title: 'Actions',
          kind: 'actions',
          cell: (key) => (
            <WriteButton
              aria-label={`Release ${describeValues(key)}`}
              write={() => client.delete(`${path}/{key_id}`, { zone_id, key_id: key.id })}
              done="The key is released within seconds"
              failed="The key was not released"
            >
              Release
            </WriteButton>
          ),
        },
      ]}
    />
  );
}

function describeValues({ values }: Key): string {
  return values.length === 0 ? 'all requests' : values.map((value) => value ?? '(none)').join(', ');
}

function State({ rateKey: { stopped_until } }: { readonly rateKey: Key }) {
  if (stopped_until === null) return <Pill tone="neutral">counted</Pill>;
  return (
    <>
      <Pill tone="bad">stopped</Pill> until <Time at={stopped_until} />
    </>
  );
}
