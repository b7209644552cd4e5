/** A limit that 99.9 % of the visitors in the activity log never exceed. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/forms/field.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { countThings } from '../../parts/reading/count-things.ts';

const path = '/zones/{zone_id}/rate_limit_suggestion';
const periods = { '10': '10 seconds', '60': 'a minute', '600': '10 minutes', '3600': 'an hour' } as const;

const nearlyAll = (0.999).toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 });

export function RateSuggestion() {
  const zone_id = useZoneId();
  const [period, setPeriod] = useState<keyof typeof periods>('60');
  const suggestion = useQuery({
    queryKey: [path, zone_id, period],
    queryFn: ({ signal }) =>
      resultOf(client.get(path, { zone_id, query: { period: Number(period), since: '24h' }, signal })),
  });
  return (
    <Card title="A limit that visitors would not notice">
      <p>
        From the events of the last day. Log the requests that you want to limit with a rule whose action is
        log, and come back later.
      </p>
      <SelectField label="In" value={period} options={periods} onChange={setPeriod} />
      <Resource of={suggestion} rows={3}>
        {({ visitors, suggested_limit, stopped_visitors, stopped_requests, stopped }) =>
          visitors === 0 ? (
            <p>There were no events.</p>
          ) : (
            <>
              <p>
                {`${nearlyAll} of ${countThings(visitors, 'visitor')} did not exceed ${countThings(suggested_limit, 'request')} in ${periods[period]}. That limit would have stopped ${countThings(stopped_visitors, 'visitor')} and ${countThings(stopped_requests, 'request')}.`}
              </p>
              {stopped.length > 0 && (
                <DataTable
                  label="Visitors that it would have stopped"
                  rows={stopped}
                  keyOf={({ ip }) => ip}
                  columns={[
                    { title: 'Address', kind: 'mono', cell: ({ ip }) => ip },
                    { title: 'Peak', kind: 'number', cell: ({ peak }) => peak.toLocaleString() },
                    {
                      title: 'Requests stopped',
                      kind: 'number',
                      cell: ({ requests }) => requests.toLocaleString(),
                    },
                  ]}
                />
              )}
            </>
          )
        }
      </Resource>
    </Card>
  );
}
