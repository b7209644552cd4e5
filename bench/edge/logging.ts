/** How long answers take at a steady rate, without events and with one for every request. */
import { join } from 'node:path';
import type { RecorderCounts } from '../../src/traffic/events.ts';
import { textOf, quantile, sendPaced } from './clients.ts';
import { startScript } from './children.ts';
import { target, type Table } from './report.ts';
import { page } from './requests.ts';

const perSecond = 5_000;

/** On a machine with few processors the times of two runs differ by as much without any logging. */
const p99FactorMax = 1.5;

export async function benchLogging(directory: string, seconds: number): Promise<Table> {
  await using origin = await startScript('origin.ts', []);
  const runs: PacedRun[] = [];
  for (const log of [false, true]) {
    const parts = JSON.stringify({ firewallRules: true, managed: true, log });
    const args = [origin.port, parts, join(directory, `paced-${log}`)];
    await using edge = await startScript('edge.ts', args);
    const pace = { port: edge.port, text: textOf(page), connections: 256 };
    await sendPaced({ ...pace, perSecond: perSecond / 5, seconds: 2 });
    const latencies = await sendPaced({ ...pace, perSecond, seconds });
    await edge.stop();
    runs.push({ log, latencies, events: await edge.nextLine() });
  }
  return tableOf(runs, seconds);
}

interface PacedRun {
  readonly log: boolean;
  readonly latencies: Float64Array;
  readonly events: string;
}

function tableOf(runs: readonly PacedRun[], seconds: number): Table {
  const p99OfFirst = quantile(runs[0]!.latencies, 0.99);
  return {
    title: `${perSecond.toLocaleString('en')} requests/s for ${seconds} s, timed from when each was due`,
    header: ['events', 'median ms', 'p99 ms', 'p99.9 ms', 'recorded', 'written', 'dropped', 'target'],
    rows: runs.map(({ log, latencies, events }) => {
      const { recorded, written, dropped } = JSON.parse(events) as RecorderCounts;
      const at = [0.5, 0.99, 0.999].map((share) => quantile(latencies, share));
      const isMet = at[1]! <= p99OfFirst * p99FactorMax && dropped === 0;
      return [
        log ? 'one for each request' : 'none',
        ...at.map((ms) => ms.toFixed(2)),
        ...[recorded, written, dropped].map((count) => count.toLocaleString('en')),
        log ? target(`p99 ≤ ${p99FactorMax} × without, none dropped`, isMet) : '',
      ];
    }),
  };
}
