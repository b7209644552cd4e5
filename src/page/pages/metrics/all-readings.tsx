/** Every reading, with its name as monitoring systems see it; counters that are still 0 are left out. */
import { Card } from '../../parts/card.tsx';
import { numbers, Table, TableHead } from '../../parts/table.tsx';
import type { Metric, Reading } from './readings.ts';

export function AllReadings({ reading }: { readonly reading: Reading }) {
  const metrics = [...reading.metrics.values()].flatMap((metric) => {
    const points = metric.points.filter((point) => metric.type !== 'counter' || point.value !== 0);
    return points.length === 0 ? [] : [{ ...metric, points }];
  });
  return (
    <Card title="All readings">
      <details className="metrics-all">
        <summary>Show {metrics.length} metrics</summary>
        <Table label="All readings">
          <TableHead columns={['Metric', 'Series', numbers('Value')]} />
          <tbody>
            {metrics.map((metric) => (
              <MetricRows key={metric.name} metric={metric} />
            ))}
          </tbody>
        </Table>
      </details>
    </Card>
  );
}

function MetricRows({ metric }: { readonly metric: Metric }) {
  return metric.points.map((point, index) => (
    <tr key={JSON.stringify(point.labels)}>
      <td>
        {index === 0 && (
          <>
            <span className="mono">{metric.name}</span>
            <div className="soft">{metric.help}</div>
          </>
        )}
      </td>
      <td className="mono">{formatLabels(point.labels)}</td>
      <td className="number">{formatPoint(point)}</td>
    </tr>
  ));
}

function formatLabels(labels: Metric['points'][number]['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function formatPoint({ value, distribution }: Metric['points'][number]): string {
  if (distribution === undefined) return (value ?? 0).toLocaleString();
  const count = distribution.counts.reduce((sum, each) => sum + each, 0);
  return `${count.toLocaleString()} observed`;
}
