/**
 * How many steps of workflows are done in a second, under miniflare and under Gatehouse, taking turns:
 *
 *     node bench/workflows/bench.ts --small
 *
 * Both keep the result of every step on disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGatehouse } from '../../conformance/gatehouse.ts';
import { startMiniflare } from '../../conformance/miniflare.ts';
import { readOptions } from '../../tools/read-options.ts';
import { median, sameCheck } from '../result.ts';

const usage = `usage: node bench/workflows/bench.ts [options]

Measures the steps per second of workflows, beside miniflare.

  --small    one round of fewer steps
  --help     this text`;
const options = readOptions(usage, { small: { type: 'boolean', default: false } });
const rounds = options.small ? 1 : 5;
const scale = options.small ? 0.2 : 1;
const cases = [
  { name: 'one instance', instances: 1, steps: 500 * scale },
  { name: '20 instances at the same time', instances: 20, steps: 50 * scale },
];
const ratioMin = 5;

interface Answer {
  readonly ms: number;
  readonly sum: number;
}

async function ask(url: string, { instances, steps }: (typeof cases)[number]): Promise<Answer> {
  return (await (await fetch(`${url}/?instances=${instances}&steps=${steps}`)).json()) as Answer;
}

const wranglerPath = join(import.meta.dirname, 'wrangler.json');
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-workflows-'));
const servers = [
  await startMiniflare(wranglerPath, import.meta.url),
  await startGatehouse({ wranglerPath, directory, hosts: 1 }),
] as const;
try {
  console.log('| steps in a second | miniflare | Gatehouse | ratio | check |\n|---|--:|--:|--:|---|');
  for (const each of cases) {
    const rates: [number[], number[]] = [[], []];
    let check = '';
    for (let round = 0; round < rounds; round++) {
      const answers = [await ask(servers[0].url, each), await ask(servers[1].url, each)] as const;
      check = sameCheck(each.name, String(answers[0].sum), String(answers[1].sum));
      for (const [index, { ms }] of answers.entries())
        rates[index]!.push((each.instances * each.steps * 1_000) / ms);
    }
    const [theirs, ours] = [median(rates[0]), median(rates[1])];
    const ratio = ours / theirs;
    const mark = ratio >= ratioMin ? '' : ' (below the target)';
    console.log(
      `| ${each.name} | ${theirs.toFixed(0)} | ${ours.toFixed(0)} | ${ratio.toFixed(1)} (≥ ${ratioMin})${mark} | ${check} |`,
    );
    if (ratio < ratioMin) process.exitCode = 1;
  }
} finally {
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(directory, { recursive: true, force: true });
}
