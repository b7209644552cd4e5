/**
 * How fast a rehearsal replays traffic through both generations of a zone's rules. Processor time of this process counts, what
 * reads the recording included, so a busy machine does not change the figures much.
 *
 *     node bench/rehearsal/bench.ts            everything, less than a minute
 *     node bench/rehearsal/bench.ts --small    a quick look
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTraffic, readSnapshot, rehearse } from '../../src/program/rehearsal.ts';
import { TestControl } from '../../test/control/harness.ts';
import { MigratingZone, scores } from '../../test/control/migrating-zone.ts';
import { Random } from '../../test/faults/random.ts';
import { createReadApi } from '../../test/rehearsal/read-api.ts';
import { createTraffic, type SentRequest, writeRecording } from '../../test/rehearsal/traffic.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const seed = 11;
const count = options.small ? 2_000 : 20_000;
const requestsPerSecondMin = 3_000;

/** Requests without an attack in them are most of what a site gets. */
function ordinaryTraffic(): SentRequest[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => ({
    method: 'GET',
    path: `/shop/items/${index % 500}?page=${random.below(50)}&sort=price&q=red+shoes`,
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      Accept: 'text/html,application/xhtml+xml',
      'Accept-Language': 'en',
      Cookie: `session=${random.below(1e9).toString(36)}; theme=dark`,
    },
  }));
}

function formTraffic(): SentRequest[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const body = `name=Jane+Doe&city=Bern&note=${'a+few+more+words+'.repeat(1 + random.below(20))}`;
    const headers = {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    };
    return { method: 'POST', path: '/checkout', headers, body };
  });
}

const workloads: Readonly<Record<string, () => SentRequest[]>> = {
  'ordinary pages': ordinaryTraffic,
  'forms with a body': formTraffic,
  'most requests are attacks': () => createTraffic(new Random(seed), count),
};

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-rehearsal-'));
const control = await TestControl.open();
try {
  const zone = new MigratingZone(control, 'business');
  await zone.setWaf('on');
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'high', action_mode: 'challenge' });
  const snapshot = await readSnapshot(createReadApi(control), zone.name);
  console.log('| traffic | requests | changed verdicts | requests/s of one core | target | check |');
  console.log('|---|---:|---:|---:|---|---|');
  for (const [name, create] of Object.entries(workloads)) {
    const file = join(directory, 'traffic.jsonl');
    writeFileSync(file, `${writeRecording(create(), zone.name)}\n`);
    const report = await rehearse({ snapshot, traffic: await openTraffic({ file, zoneName: zone.name }) });
    const { replay, changed, verdicts, traffic } = report;
    const rate = replay.requestsPerCpuSecond;
    const check = createHash('sha256')
      .update(JSON.stringify([changed, verdicts]))
      .digest('hex')
      .slice(0, 12);
    const target = `≥ ${requestsPerSecondMin.toLocaleString('en')} ${rate >= requestsPerSecondMin ? '✓' : '✗'}`;
    const cells = [name, traffic.requests, changed.total, rate.toLocaleString('en'), target, `\`${check}\``];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  await control.close();
  rmSync(directory, { recursive: true, force: true });
}
