/**
 * How the program does right now. The page asks every two seconds and draws what it has seen since it was opened; longer
 * histories are the work of a monitoring system that reads `/metrics`.
 */
import './metrics.css';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { describeError } from '../../api/api-error.ts';
import { accountQuery } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { AllReadings } from './all-readings.tsx';
import { createReading, type Reading } from './readings.ts';
import { Sparkline } from './sparkline.tsx';
import { type Tile, tileGroups } from './tiles.ts';

const pollMs = 2_000;
const readingsMax = 90;

export function MetricsPage() {
  const account = useQuery(accountQuery);
  const history = useReadings(account.data?.id);
  const error = account.error ?? history.error;
  const { readings } = history;
  return (
    <>
      <PageHead
        title="Metrics"
        about="How this server does now. The lines begin when you open the page; for longer ones, let a monitoring system read /metrics."
      />
      {error !== null && readings.length === 0 ? (
        <Failed error={error} onRetry={history.refetch} />
      ) : readings.length === 0 ? (
        <Loading rows={8} />
      ) : (
        <div>
          {error !== null && (
            <p className="note note-warn" role="alert">
              These numbers are old. {describeError(error)}
            </p>
          )}
          {tileGroups.map(({ title, tiles }) => (
            <Card key={title} title={title}>
              <div className="metrics-tiles">
                {tiles.map((tile) => (
                  <TileView key={tile.label} tile={tile} readings={readings} />
                ))}
              </div>
            </Card>
          ))}
          <AllReadings reading={readings.at(-1)!} />
        </div>
      )}
    </>
  );
}

function useReadings(accountId: string | undefined) {
  const seen = useRef<readonly Reading[]>([]);
  const query = useQuery({
    queryKey: ['metrics', accountId],
    async queryFn({ signal }) {
      const metrics = await resultOf(
        client.get('/accounts/{account_id}/metrics', { account_id: accountId!, signal }),
      );
      seen.current = [...seen.current, createReading(metrics, Date.now())].slice(-readingsMax);
      return seen.current;
    },
    enabled: accountId !== undefined,
    refetchInterval: pollMs,
    // The readings are maps, and a new array each time.
    structuralSharing: false,
    gcTime: 0,
  });
  return { readings: query.data ?? [], error: query.error, refetch: () => void query.refetch() };
}

function TileView({ tile, readings }: { readonly tile: Tile; readonly readings: readonly Reading[] }) {
  const values = readings.map((reading, index) => tile.compute(readings[index - 1] ?? reading, reading));
  const latest = values.findLast((value) => value !== undefined);
  return (
    <div className="metrics-tile">
      <div className="metrics-label">{tile.label}</div>
      <div className="metrics-value">{latest === undefined ? '–' : tile.format(latest)}</div>
      <div className="soft metrics-hint">{tile.hint}</div>
      <Sparkline values={values} />
    </div>
  );
}
