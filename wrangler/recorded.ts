/**
 * What Wrangler from npm did and printed when it was run against a recorder of Cloudflare's API, and what it does and prints
 * here: command by command, in the same project.
 */
import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { UploadSite } from '../test/wrangler/upload-site.ts';
import { Likeness } from './likeness.ts';
import { Project } from './project.ts';

interface Recorded {
  readonly files: Readonly<Record<string, string>>;
  /** Run before, and not compared: what the recorder had. */
  readonly before?: readonly (readonly string[])[];
  readonly steps: readonly {
    readonly args: readonly string[];
    readonly stdin?: string;
    /** Written before the command. */
    readonly files?: Readonly<Record<string, string>>;
    readonly exit: number;
    readonly said: readonly string[];
    /** Why it is not the same here; the outcome is then compared alone. */
    readonly differs?: string;
    /** What it ends with here, if that is the difference. */
    readonly exitHere?: number;
  }[];
}

const folder = join(import.meta.dirname, 'recorded');
const wanted = process.argv.slice(2);

for (const file of readdirSync(folder)) {
  const name = basename(file, '.json');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { files, before = [], steps } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
  test(`wrangler prints what was recorded: ${name}`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName: 'wrangler' });
    const likeness = new Likeness();
    project.write(files);
    for (const args of before) await project.runAll(args);
    const differences: object[] = [];
    for (const { args, stdin = '', files: changed = {}, exit, said, differs, exitHere = exit } of steps) {
      project.write(changed);
      const translated = args.map((each) => likeness.translate(each));
      const ran = await project.runAll(translated, stdin);
      const line = likeness.compare(said, ran.said);
      if (ran.code !== exitHere) differences.push({ args, exit: ran.code, said: ran.said.slice(0, 600) });
      else if (line !== undefined && differs === undefined)
        differences.push({ args, recorded: line[0], now: line[1] });
    }
    deepEqual(differences, []);
  });
}
