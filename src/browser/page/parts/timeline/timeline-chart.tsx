/**
 * Counts over time as stacked bars. The canvas is visual only; the same numbers are in the sentence and in the table
 * around it. The drawing library is loaded only when there is something to draw.
 */
import './timeline-chart.css';
import { type KeyboardEvent, lazy, Suspense, useState } from 'react';
import type { Timeline } from '../../api/timeline.ts';
import { Button } from '../button.tsx';
import { formatTime } from '../time.tsx';
import { describeStretch, describeTotal } from './describe-timeline.ts';
import { DataTable } from '../data-table.tsx';
import type { TimelineProps } from './timeline-canvas.tsx';

/** The page is complete without the drawing: uPlot does not load in a browser whose language has no valid name. */
const Canvas = lazy(async () => {
  try {
    return { default: (await import('./timeline-canvas.tsx')).TimelineCanvas };
  } catch {
    return { default: CannotDraw };
  }
});

function CannotDraw() {
  return <p className="soft">This browser cannot draw the chart. The numbers are below.</p>;
}

/** The pointer or the arrow keys select an interval to show its values; Enter narrows the range to it. */
export function TimelineChart({ timeline, onSelect }: TimelineProps) {
  const [place, setPlace] = useState<number>();
  const { stretches, stretchMs, noun } = timeline;
  const last = stretches.length - 1;
  const shown = place === undefined ? undefined : stretches[place];
  const read =
    shown === undefined ? describeTotal(timeline) : describeStretch(timeline, Math.min(place!, last));
  const onKey = (event: KeyboardEvent): void => {
    const from = place ?? last + 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(last, from + 1),
      PageUp: Math.max(0, from - 10),
      PageDown: Math.min(last, from + 10),
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next !== undefined) setPlace(next);
    else if (event.key === 'Enter' && shown !== undefined) onSelect(shown.startMs, shown.startMs + stretchMs);
    else if (event.key === 'Escape' && shown !== undefined) setPlace(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <figure className="timeline-chart">
      <div
        className="timeline-chart-canvas"
        role="slider"
        tabIndex={0}
        aria-label={`${noun[1]} over time: arrow keys read the values, Enter narrows to them`}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={Math.min(place ?? 0, Math.max(last, 0))}
        aria-valuetext={read}
        onKeyDown={onKey}
        onBlur={() => setPlace(undefined)}
      >
        <Suspense>
          <Canvas timeline={timeline} onSelect={onSelect} place={place} onPlace={setPlace} />
        </Suspense>
      </div>
      <figcaption>
        <p className="timeline-chart-read small">{read}</p>
        <Legend timeline={timeline} />
        <details>
          <summary>Show as a table</summary>
          <StretchTable timeline={timeline} onSelect={onSelect} />
        </details>
      </figcaption>
    </figure>
  );
}

function Legend({ timeline }: { readonly timeline: Timeline }) {
  const { series, totals, before } = timeline;
  return (
    <p className="row timeline-chart-legend">
      {series.map(({ name, label, color }) => (
        <span key={name} className="timeline-chart-key">
          <span className="timeline-chart-swatch" style={{ background: `var(${color})` }} />
          {label} {totals[name]!.toLocaleString()}
        </span>
      ))}
      {before !== undefined && (
        <span className="timeline-chart-key">
          <span className="timeline-chart-dash" />
          The period before {before.total.toLocaleString()}
        </span>
      )}
    </p>
  );
}

function StretchTable({ timeline, onSelect }: TimelineProps) {
  const { series, noun, stretches, stretchMs } = timeline;
  const filled = stretches.filter(({ counts }) => Object.values(counts).some((count) => count > 0));
  if (filled.length === 0) return <p className="soft">No {noun[1]} in this time.</p>;
  return (
    <DataTable
      label={`${noun[1]} over time`}
      className="scrolling timeline-chart-table"
      rows={filled}
      keyOf={({ startMs }) => startMs}
      columns={[
        {
          title: 'From',
          cell: ({ startMs }) => (
            <Button
              look="quiet"
              size="small"
              title="Narrow to this time"
              onClick={() => onSelect(startMs, startMs + stretchMs)}
            >
              {formatTime(new Date(startMs))}
            </Button>
          ),
        },
        ...series.map(({ name, label }) => ({
          title: label,
          kind: 'number' as const,
          cell: ({ counts }: (typeof filled)[number]) => counts[name]!.toLocaleString(),
        })),
      ]}
    />
  );
}
