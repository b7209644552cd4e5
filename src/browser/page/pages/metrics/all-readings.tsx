/** Every reading, with its name in monitoring systems; counters that are still 0 are omitted. */
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import type { Metric, Reading } from './readings.ts';

type MetricPoint = Metric['points'][number];

/** The name is shown at the first series. */
interface ReadingRow {
  readonly metric: Metric;
  readonly point: MetricPoint;
  readonly isFirst: boolean;
}

const columns: readonly Column<ReadingRow>[] = [
  {
    title: 'Metric',
    cell: ({ metric, isFirst }) =>
      isFirst && (
        <>
          <span className="mono">{metric.name}</span>
          <div className="soft">{metric.help}</div>
        </>
      ),
  },
  { title: 'Series', kind: 'mono', cell: ({ point }) => formatLabels(point) },
  { title: 'Value', kind: 'number', cell: ({ point }) => formatPoint(point) },
];

export function AllReadings({ reading }: { readonly reading: Reading }) {
  const rows = [...reading.metrics.values()].flatMap((metric) =>
    metric.points
      .filter(({ value }) => metric.type !== 'counter' || value !== 0)
      .map((point, index) => ({ metric, point, isFirst: index === 0 })),
  );
  return (
    <Card title="All readings">
      <details>
        <summary>Show {rows.filter(({ isFirst }) => isFirst).length.toLocaleString()} metrics</summary>
        <DataTable
          label="All readings"
          className="scrolling"
          columns={columns}
          rows={rows}
          keyOf={({ metric, point }) => `${metric.name} ${formatLabels(point)}`}
        />
      </details>
    </Card>
  );
}

function formatLabels({ labels }: MetricPoint): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function formatPoint({ value, distribution }: MetricPoint): string {
  if (distribution === undefined) return (value ?? 0).toLocaleString();
  const count = distribution.counts.reduce((sum, each) => sum + each, 0);
  return `${count.toLocaleString()} observed`;
}
