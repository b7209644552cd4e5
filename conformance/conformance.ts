/**
 * The differential suite: every probe of `modules/` is sent to workerd and to Gatehouse, and the answers must be the
 * same, except for those that `differences.ts` lists with reasons. Halfway through, both servers are killed and
 * restarted on their data.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, refuseOptions } from '../tools/read-options.ts';
import { ClusterDatabases } from './cluster-databases.ts';
import { differences } from './differences.ts';
import { startGatehouse } from './gatehouse.ts';
import { askAll, fetchCatalogue, type Probe, type Question, questionsOf, type Server } from './questions.ts';
import { printAnswers, printReport } from './report.ts';
import { variants, writeVariant } from './variants.ts';
import { startWorkerd } from './workerd.ts';

interface Running extends Server {
  readonly url: string;
  kill(): Promise<void>;
}

type Start = (directory: string, wranglerPath: string) => Promise<Running>;

const starts: Record<'workerd' | 'gatehouse', Start> = {
  async workerd(directory, wranglerPath) {
    const server = await startWorkerd({ package: import.meta.dirname, wranglerPath, directory });
    const inMemory = ({ on, probe }: Question): boolean => on === 'kv' && !probe.disk && !probe.restarts;
    return { ...server, urlFor: (question) => (inMemory(question) ? server.memoryUrl : server.url) };
  },
  async gatehouse(directory, wranglerPath) {
    // A killed host is replaced by its successor, which finds everything in the same database.
    const cluster = await postgres?.databaseOf(directory);
    const server = await startGatehouse({ wranglerPath, directory, hosts: Number(options.hosts), cluster });
    return { ...server, urlFor: () => server.url };
  },
};

interface Interview {
  readonly questions: Question[];
  readonly answers: Map<string, string>;
}

/** All answers of one server, one variant of the configuration after the other. */
async function interview(start: Start, directory: string, filter: string): Promise<Interview> {
  const all: Interview = { questions: [], answers: new Map() };
  for (const variant of Object.keys(variants)) {
    const own = join(directory, String(Object.keys(variants).indexOf(variant)));
    const { questions, answers } = await interviewUnder(variant, start, own, filter);
    all.questions.push(...questions);
    for (const [title, answer] of answers) all.answers.set(title, answer);
  }
  return all;
}

/** The answers under one configuration, with the kill in the middle; the catalogue comes from the modules served. */
async function interviewUnder(
  variant: string,
  start: Start,
  directory: string,
  filter: string,
): Promise<Interview> {
  const wanted = ({ name }: Probe): boolean => name.includes(filter);
  const wranglerPath = writeVariant(variant, join(import.meta.dirname, 'wrangler.jsonc'), directory);
  let server = await start(directory, wranglerPath);
  try {
    const probes = (await fetchCatalogue(server.url)).filter(wanted);
    const questions = (['run', 'before', 'after'] as const).map((part) => questionsOf(probes, variant, part));
    const answers = new Map<string, string>();
    for (const part of questions) {
      if (part[0]?.part === 'after') {
        await server.kill();
        server = await start(directory, wranglerPath);
      }
      for (const [title, answer] of await askAll(server, part)) answers.set(title, answer);
    }
    return { questions: questions.flat(), answers };
  } finally {
    await server.kill();
  }
}

/** Unlike `Promise.all`, waits for the other when one fails, so that no server outlives this process. */
async function bothOf<T>(first: Promise<T>, second: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

const usage = `usage: npm run conformance -- [options]

Asks workerd and Gatehouse the same questions, and fails if an answer differs that conformance/differences.ts does not list.

  --filter TEXT   only probes whose name has the text, such as alarms
  --only SERVER   workerd or gatehouse alone; prints its answers
  --hosts COUNT   the objects of Gatehouse in so many processes; 1 by default
  --cluster       the objects of Gatehouse in a cluster, on a PostgreSQL that is started for it
  --help          this text`;
const options = readOptions(usage, {
  filter: { type: 'string', default: '' },
  only: { type: 'string' },
  hosts: { type: 'string', default: '1' },
  cluster: { type: 'boolean', default: false },
});
if (!/^[1-9]\d?$/.test(options.hosts)) {
  refuseOptions(usage, `--hosts takes a number of processes from 1 to 64: ${options.hosts}`);
}
if (options.only !== undefined && !Object.hasOwn(starts, options.only)) {
  refuseOptions(usage, `--only takes workerd or gatehouse: ${options.only}`);
}
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
const postgres = options.cluster ? await ClusterDatabases.start() : undefined;
try {
  const ask = (name: keyof typeof starts) => interview(starts[name], join(directory, name), options.filter);
  if (options.only !== undefined) {
    process.exitCode = printAnswers(await ask(options.only as keyof typeof starts));
  } else {
    const [workerd, ours] = await bothOf(ask('workerd'), ask('gatehouse'));
    process.exitCode = printReport({
      ...workerd,
      ours: ours.answers,
      differences,
      whole: options.filter === '',
    });
  }
} finally {
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
}
