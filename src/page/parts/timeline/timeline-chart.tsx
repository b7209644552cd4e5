/**
 * Counts over time as stacked bars. The canvas is for the eye; the same numbers are in the sentence and in the table that
 * stand around it. The library that draws comes only when there is something to draw.
 */
import './timeline-chart.css';
import { lazy, Suspense } from 'react';
import type { Timeline } from '../../api/timeline.ts';
import { Button } from '../button.tsx';
import { formatTime } from '../time.tsx';
import { DataTable } from '../data-table.tsx';
import type { TimelineProps } from './timeline-canvas.tsx';

/** The page is whole without the drawing: uPlot does not load in a browser whose language has no valid name. */
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

export function TimelineChart({ timeline, onSelect }: TimelineProps) {
  return (
    <figure className="timeline-chart">
      <div className="timeline-chart-canvas" aria-hidden="true">
        <Suspense>
          <Canvas timeline={timeline} onSelect={onSelect} />
        </Suspense>
      </div>
      <figcaption>
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
  const { series, noun, totals, total, isComplete } = timeline;
  return (
    <p className="row timeline-chart-legend">
      <span>
        {isComplete ? '' : 'More than '}
        {total.toLocaleString()} {noun[total === 1 ? 0 : 1]}
      </span>
      {series.map(({ name, label, color }) => (
        <span key={name} className="timeline-chart-key">
          <span className="timeline-chart-swatch" style={{ background: `var(${color})` }} />
          {label} {totals[name]!.toLocaleString()}
        </span>
      ))}
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
