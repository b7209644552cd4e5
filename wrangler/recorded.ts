/**
 * The actions and output of Wrangler from npm against a recorder of Cloudflare's API, compared with those here: command
 * by command, in the same project.
 */
import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { UploadSite } from '../test/wrangler/upload-site.ts';
import { Likeness, toPlain } from './likeness.ts';
import { Project } from './project.ts';

interface Recorded {
  /** Ids of the recording by the names of zones that it had. */
  readonly zones?: Readonly<Record<string, string>>;
  /** Ids of the recording by the titles of KV namespaces that it had. */
  readonly namespaces?: Readonly<Record<string, string>>;
  /** Whether the older Wrangler is run as well. */
  readonly older?: boolean;
  readonly files: Readonly<Record<string, string>>;
  /** Run before, and not compared: creates the recorder's data. */
  readonly before?: readonly (readonly string[])[];
  readonly steps: readonly {
    readonly args: readonly string[];
    readonly stdin?: string;
    /** Written before the command. */
    readonly files?: Readonly<Record<string, string>>;
    readonly exit: number;
    readonly said: readonly string[];
    /** Why it differs here; then only the outcome and `has` are compared. */
    readonly differs?: string;
    /** Parts of lines that are printed nevertheless. */
    readonly has?: readonly string[];
    /** The missing feature of the older Wrangler, if the step is not run with it. */
    readonly newer?: string;
    /** Its exit status here, if that is the difference. */
    readonly exitHere?: number;
  }[];
}

const recordedAccount = '0123456789abcdef0123456789abcdef';

function mapValues(
  given: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([key, text]) => [key, change(text)]));
}

const folder = join(import.meta.dirname, 'recorded');
const wanted = process.argv.slice(2);

/** For the older one, only outcomes are compared: its output was not recorded. */
const packageNames = ['wrangler', 'wrangler-year-older'] as const;

for (const file of readdirSync(folder)) {
  const name = basename(file, '.json');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
  for (const packageName of packageNames) {
    const isOlder = packageName === 'wrangler-year-older';
    if (isOlder && recorded.older !== true) continue;
    test(`${packageName} does ${isOlder ? '' : 'and prints '}what was recorded: ${name}`, async (t) => {
      const site = await UploadSite.start(t);
      const project = new Project(t, site, { packageName });
      deepEqual(await follow(recorded, { site, project, isOlder }), []);
    });
  }
}

interface Following {
  readonly site: UploadSite;
  readonly project: Project;
  readonly isOlder: boolean;
}

/** The differences from the recording. */
async function follow(
  { zones = {}, namespaces = {}, files, before = [], steps }: Recorded,
  { site, project, isOlder }: Following,
): Promise<object[]> {
  const likeness = new Likeness();
  const write = (given: Recorded['files']): void =>
    project.write(mapValues(given, (text) => likeness.translate(text)));
  const { account_id: id } = site.ready;
  likeness.know(recordedAccount, id);
  for (const [name, known] of Object.entries(zones))
    likeness.know(known, (await site.call('POST /zones', { name, account: { id } })).result.id);
  for (const [title, known] of Object.entries(namespaces))
    likeness.know(known, (await site.call('POST A/storage/kv/namespaces', { title })).result.id);
  write(files);
  for (const args of before) await project.runAll(args);
  const differences: object[] = [];
  for (const step of steps) {
    const { args, stdin = '', files: changed = {}, exit, said, differs, has = [], exitHere = exit } = step;
    if (isOlder && step.newer !== undefined) continue;
    write(changed);
    const ran = await project.runAll(
      args.map((each) => likeness.translate(each)),
      { input: stdin },
    );
    const now = ran.said.replaceAll(project.directory, '<project>');
    const missing = isOlder ? [] : has.filter((part) => !toPlain(now).includes(part));
    if (ran.code !== exitHere || missing.length > 0)
      differences.push({ args, exit: ran.code, missing, said: now.slice(0, 1_500) });
    if (isOlder) likeness.learn(said, now);
    else {
      const line = likeness.compare(said, now);
      if (ran.code === exitHere && line !== undefined && differs === undefined)
        differences.push({ args, recorded: line[0], now: line[1] });
    }
  }
  return differences;
}
