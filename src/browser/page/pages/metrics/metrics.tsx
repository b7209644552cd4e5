/**
 * The current state of the program. The page polls every two seconds and draws the data since it was opened; longer
 * histories are the task of a monitoring system that reads `/metrics`.
 */
import './metrics.css';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { AllReadings } from './all-readings.tsx';
import { createReading, type Reading } from './readings.ts';
import { Sparkline } from '../../parts/timeline/sparkline.tsx';
import { type Tile, tileGroups } from './tiles.ts';

const pollMs = 2_000;
const readingsMax = 90;

export function MetricsPage() {
  return (
    <>
      <PageHead
        title="Metrics"
        about="Live health of this server. Charts start when you open the page; for a longer history, let a monitoring system scrape /metrics."
      />
      <Resource of={useReadings()} rows={8}>
        {(readings) => (
          <>
            {tileGroups.map(({ title, tiles }) => (
              <Card key={title} title={title}>
                <div className="grid grid-narrow">
                  {tiles.map((tile) => (
                    <TileView key={tile.label} tile={tile} readings={readings} />
                  ))}
                </div>
              </Card>
            ))}
            <AllReadings reading={readings.at(-1)!} />
          </>
        )}
      </Resource>
    </>
  );
}

function useReadings() {
  const account_id = useAccountId();
  const seen = useRef<readonly Reading[]>([]);
  return useQuery({
    queryKey: ['metrics', account_id],
    async queryFn({ signal }) {
      const metrics = await resultOf(client.get('/accounts/{account_id}/metrics', { account_id, signal }));
      seen.current = [...seen.current, createReading(metrics, Date.now())].slice(-readingsMax);
      return seen.current;
    },
    refetchInterval: pollMs,
    // The readings are maps, in a new array each time.
    structuralSharing: false,
    gcTime: 0,
  });
}

function TileView({ tile, readings }: { readonly tile: Tile; readonly readings: readonly Reading[] }) {
  const values = readings.map((reading, index) => tile.compute(readings[index - 1] ?? reading, reading));
  const latest = values.findLast((value) => value !== undefined);
  return (
    <div className="metrics-tile">
      <strong>{tile.label}</strong>
      <div className="metrics-value">{latest === undefined ? '–' : tile.format(latest)}</div>
      <div className="soft small">{tile.hint}</div>
      <Sparkline values={values} />
    </div>
  );
}
