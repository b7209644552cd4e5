/**
 * The tables of docs/operate/cluster.md: `npm run verify -- scale`, or `npm run verify -- scale 7` for another seed.
 * Ten million objects on a thousand hosts and twenty databases, with failures; then the capacity of a host and a
 * database, and which limit is reached first.
 */
import { type Placement, type ScaleOptions, simulateScale } from './simulate-scale.ts';
import { beatShare, commitsOf, hostsWithin, measured } from './model.ts';

const [seed = 1] = process.argv.slice(2).map(Number);

const objects = 10_000_000;
const databases = 20;

function describeRun(hosts: number, placement: Placement): ScaleOptions {
  return {
    seed,
    hosts,
    databases,
    objects,
    activeShare: 0.1,
    callsPerSecond: 100 * hosts,
    writeShare: 0.5,
    seconds: 160,
    // One host, a rack of them, a third of all, and a database that fails over.
    failures: [
      { at: 10, kind: 'hosts', amount: 1 },
      { at: 40, kind: 'hosts', amount: Math.ceil(hosts / 25) },
      { at: 80, kind: 'hosts', amount: Math.ceil(hosts / 3) },
      { at: 130, kind: 'database', amount: 5 },
    ],
    placement,
  };
}

function formatMs(seconds: number): string {
  return seconds >= 1 ? `${seconds.toFixed(1)} s` : `${(seconds * 1_000).toPrecision(2)} ms`;
}

for (const hosts of [100, 1_000]) {
  for (const placement of ['fewest', 'two-choices'] as const satisfies readonly Placement[]) {
    const begun = process.cpuUsage();
    const run = simulateScale(describeRun(hosts, placement));
    const { user } = process.cpuUsage(begun);
    console.log(`\n${hosts} hosts, ${databases} databases, ${objects / 1e6} million objects, ${placement}\n`);
    console.log('| phase | calls | median | 99 % | 99.9 % | longest |\n|---|---:|---:|---:|---:|---:|');
    for (const { name, latencies } of run.phases) {
      const times = [0.5, 0.99, 0.999].map((share) => formatMs(latencies.quantile(share)));
      console.log(`| ${name} | ${latencies.count} | ${times.join(' | ')} | ${formatMs(latencies.max)} |`);
    }
    console.log(
      [
        '',
        `most objects of a host over the mean: ${run.hostBalance.toFixed(2)}, in the end ${run.hostBalanceAfter.toFixed(2)}`,
        `most objects of a database over the mean: ${run.databaseBalance.toFixed(3)}`,
        `claims of a database in its worst second: ${run.claimsPerSecondMax}`,
        `longest line at a host ${formatMs(run.hostQueueMax)}, at a database ${formatMs(run.databaseQueueMax)}`,
        `seed ${seed}, trace ${run.trace}, ${run.calls} calls, ${(user / 1e6).toFixed(0)} s of processor time`,
      ].join('\n'),
    );
  }
}

console.log(
  '\n| hosts | time of a database for leases | commits/s of a database | connections of a database |\n|---:|---:|---:|---:|',
);
for (const hosts of [3, 10, 100, 300, 1_000, 2_000]) {
  const share = `${(100 * beatShare(measured, hosts)).toFixed(1)} %`;
  console.log(
    `| ${hosts} | ${share} | ${Math.round(commitsOf(measured, hosts))} | ${hosts * measured.connections} |`,
  );
}
console.log(
  `\nleases take half of a database at ${hostsWithin(measured, 0.5)} hosts, all of it at ${hostsWithin(measured, 1)}`,
);
