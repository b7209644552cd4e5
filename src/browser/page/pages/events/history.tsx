/** The found events over time: grouped by choice, and compared with the preceding period. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fitsInterval, timelineQuery } from '../../api/event-timeline.ts';
import type { EventSearch } from '../../api/events.ts';
import { useZoneId } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Check, SelectField } from '../../parts/forms/field.tsx';
import { TimelineChart } from '../../parts/timeline/timeline-chart.tsx';
import { Loading } from '../../parts/reading/states.tsx';
import type { SearchChanges } from './search.ts';

interface HistoryProps {
  readonly search: EventSearch;
  readonly interval: string | undefined;
  readonly compare: string | undefined;
  readonly onChange: (changes: SearchChanges) => void;
  readonly isLive: boolean;
}

const liveRefreshMs = 5_000;

const intervals = { '1m': 'Minute', '1h': 'Hour', '1d': 'Day' } as const;

export function History({ search, interval, compare, onChange, isLive }: HistoryProps) {
  const timeline = useQuery({
    ...timelineQuery(useZoneId(), search, { interval, isCompared: compare !== undefined }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && liveRefreshMs,
  });
  // The list below reports the problem of the search.
  if (timeline.isError) return null;
  const fitting = Object.entries(intervals).filter(([each]) => fitsInterval(search, each));
  return (
    <Card className="activity-history">
      <div className="row activity-history-options">
        <SelectField
          label="Group by"
          options={{ '': 'Automatically', ...Object.fromEntries(fitting) }}
          value={fitting.some(([each]) => each === interval) ? interval! : ''}
          onChange={(chosen) => onChange({ interval: chosen === '' ? undefined : chosen })}
        />
        <Check
          value={compare !== undefined}
          onChange={(isOn) => onChange({ compare: isOn ? 'before' : undefined })}
        >
          Compare with the period before
        </Check>
      </div>
      {timeline.isPending ? (
        <Loading rows={4} />
      ) : (
        <TimelineChart
          timeline={timeline.data}
          onSelect={(sinceMs, untilMs) =>
            onChange({ since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() })
          }
        />
      )}
    </Card>
  );
}
