/** The tiles of the page: what each shows, and how it is written. */
import { computeMean, computeRate, getTotal, type Reading } from './readings.ts';

export interface Tile {
  readonly label: string;
  readonly hint: string;
  readonly compute: (before: Reading, after: Reading) => number | undefined;
  readonly format: (value: number) => string;
}

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: byteUnits[power]!,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}

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

export const tileGroups: readonly { readonly title: string; readonly tiles: readonly Tile[] }[] = [
  {
    title: 'Traffic',
    tiles: [
      {
        label: 'Requests',
        hint: 'at the edge',
        compute: rate('gatehouse_edge_requests_total'),
        format: perSecond,
      },
      {
        label: 'In progress',
        hint: 'requests now',
        compute: gauge('gatehouse_edge_requests_in_flight'),
        format: number.format,
      },
      {
        label: 'Rules',
        hint: 'average time to judge',
        compute: mean('gatehouse_edge_judge_seconds'),
        format: formatSeconds,
      },
      {
        label: 'First byte',
        hint: 'average, with the origin',
        compute: mean('gatehouse_edge_first_byte_seconds'),
        format: formatSeconds,
      },
    ],
  },
  {
    title: 'Program',
    tiles: [
      {
        label: 'Processor',
        hint: 'of one core',
        compute: rate('process_cpu_seconds_total'),
        format: percent.format,
      },
      {
        label: 'Memory',
        hint: 'of the process',
        compute: gauge('process_resident_memory_bytes'),
        format: formatBytes,
      },
      {
        label: 'API calls',
        hint: 'this page included',
        compute: rate('gatehouse_api_requests_total'),
        format: perSecond,
      },
      {
        label: 'Objects',
        hint: 'in memory',
        compute: gauge('gatehouse_objects_awake'),
        format: number.format,
      },
    ],
  },
  {
    title: 'Storage',
    tiles: [
      {
        label: 'Disk used',
        hint: 'by the data directory',
        compute: gauge('gatehouse_disk_used_bytes'),
        format: formatBytes,
      },
      {
        label: 'Disk free',
        hint: 'of the file system',
        compute: gauge('gatehouse_disk_free_bytes'),
        format: formatBytes,
      },
      {
        label: 'Sync',
        hint: 'average time to be on disk',
        compute: mean('gatehouse_journal_sync_seconds'),
        format: formatSeconds,
      },
      {
        label: 'Events waiting',
        hint: 'to be written',
        compute: gauge('gatehouse_edge_events_queued'),
        format: number.format,
      },
    ],
  },
];
