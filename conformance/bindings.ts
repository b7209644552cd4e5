/**
 * The differential suite of bindings: every question of `bindings/` is sent to miniflare and to Gatehouse, and the
 * answers must be the same, except for those that `binding-differences.ts` lists with reasons.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../tools/read-options.ts';
import { bindingDifferences } from './binding-differences.ts';
import { startGatehouse } from './gatehouse.ts';
import { startMiniflare } from './miniflare.ts';
import type { Probe, Question } from './questions.ts';
import { printReport } from './report.ts';

const usage = `usage: npm run verify -- conformance:bindings [options]

Asks miniflare and Gatehouse the same questions about KV, D1, queues, R2 and workflows, and fails if an answer differs that
conformance/binding-differences.ts does not list.

  --filter TEXT   only questions whose title has the text, such as "r2 list"
  --hosts COUNT   the objects of Gatehouse in so many processes; 1 by default
  --help          this text`;
const options = readOptions(usage, {
  filter: { type: 'string', default: '' },
  hosts: { type: 'string', default: '1' },
});

const wranglerPath = join(import.meta.dirname, 'bindings', 'wrangler.json');
const answerMsMax = 60_000;

async function fetchQuestions(url: string): Promise<Question[]> {
  const probes = (await (await fetch(`${url}/catalogue`)).json()) as Pick<Probe, 'area' | 'name'>[];
  const rest = { on: ['sql'], disk: false, slow: false, restarts: false, variants: [''] } as const;
  return probes
    .map(
      ({ area, name }) =>
        ({ title: `${area}: ${name}`, probe: { area, name, ...rest }, on: 'sql', part: 'run' }) as const,
    )
    .filter(({ title }) => title.includes(options.filter));
}

async function askAll(url: string, questions: readonly Question[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const { title, probe } of questions) {
    const query = new URLSearchParams({ area: probe.area, name: probe.name });
    const response = await fetch(`${url}/probe?${query.toString()}`, {
      signal: AbortSignal.timeout(answerMsMax),
    });
    answers.set(title, await response.text());
  }
  return answers;
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bindings-'));
const reference = await startMiniflare(wranglerPath);
try {
  const ours = await startGatehouse({ wranglerPath, directory, hosts: Number(options.hosts) });
  try {
    const questions = await fetchQuestions(reference.url);
    const [answers, ourAnswers] = [await askAll(reference.url, questions), await askAll(ours.url, questions)];
    process.exitCode = printReport({
      questions,
      answers,
      ours: ourAnswers,
      differences: bindingDifferences,
      whole: options.filter === '',
    });
  } finally {
    await ours.kill();
  }
} finally {
  await reference.kill();
  rmSync(directory, { recursive: true, force: true });
}
