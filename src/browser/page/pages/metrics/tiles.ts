/** The tiles of the page: their values and formats. */
import { formatBytes } from '../../parts/format-bytes.ts';
import { computeMean, computeRate, getTotal, type Reading } from './readings.ts';

export interface Tile {
  readonly label: string;
  readonly hint: string;
  readonly compute: (before: Reading, after: Reading) => number | undefined;
  readonly format: (value: number) => string;
}

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

function formatSeconds(seconds: number): string {
  if (seconds >= 1) return `${number.format(seconds)} s`;
  return seconds >= 0.001 ? `${number.format(seconds * 1e3)} ms` : `${number.format(seconds * 1e6)} µs`;
}

const perSecond = (value: number): string => `${number.format(value)}/s`;

function rate(name: string): Tile['compute'] {
  return (before, after) => computeRate(before, after, name);
}

function mean(name: string): Tile['compute'] {
  return (before, after) => computeMean(before, after, name);
}

function gauge(name: string): Tile['compute'] {
  return (_, after) => getTotal(after, name);
}

/** One row of the table below. */
function tile(label: string, hint: string, compute: Tile['compute'], format: Tile['format']): Tile {
  return { label, hint, compute, format };
}

export const tileGroups: readonly { readonly title: string; readonly tiles: readonly Tile[] }[] = [
  {
    title: 'Traffic',
    tiles: [
      tile('Requests', 'at the edge', rate('gatehouse_edge_requests_total'), perSecond),
      tile('In progress', 'requests now', gauge('gatehouse_edge_requests_in_flight'), number.format),
      tile('Rules', 'average evaluation time', mean('gatehouse_edge_judge_seconds'), formatSeconds),
      tile(
        'First byte',
        'average, with the origin',
        mean('gatehouse_edge_first_byte_seconds'),
        formatSeconds,
      ),
    ],
  },
  {
    title: 'Program',
    tiles: [
      tile('Processor', 'of one core', rate('process_cpu_seconds_total'), percent.format),
      tile('Memory', 'of the process', gauge('process_resident_memory_bytes'), formatBytes),
      tile('API calls', 'this page included', rate('gatehouse_api_requests_total'), perSecond),
      tile('Objects', 'in memory', gauge('gatehouse_objects_awake'), number.format),
    ],
  },
  {
    title: 'Storage',
    tiles: [
      tile('Disk used', 'by the data directory', gauge('gatehouse_disk_used_bytes'), formatBytes),
      tile('Disk free', 'of the file system', gauge('gatehouse_disk_free_bytes'), formatBytes),
      tile('Sync', 'average time to sync', mean('gatehouse_journal_sync_seconds'), formatSeconds),
      tile('Events waiting', 'to be written', gauge('gatehouse_edge_events_queued'), number.format),
    ],
  },
];
