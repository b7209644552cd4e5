/**
 * The programs of this folder, and templates of `create-cloudflare`, deployed by Wrangler from npm to a server, and
 * called at the addresses that it prints:
 *
 *     npm run verify -- wrangler:projects
 *     npm run verify -- wrangler:projects template        # programs whose name contains this, also those that frameworks build
 */
import { equal, match, ok } from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { domain, UploadSite } from '../test/wrangler/upload-site.ts';
import { Project } from '../wrangler/project.ts';
import { closeBrowser } from './browser.ts';
import { HostDoor } from './host-door.ts';
import { programs, type Program } from './programs.ts';
import { type Answer, ask, type Question } from './questions.ts';

/** Refusals of the server, by the code that Wrangler prints. */
const refused: Readonly<Record<string, string>> = {
  workflows: '10901',
  'template hello-world-workflows/ts': '10901',
};

/** Responses of the edge itself start here. */
const routeMissing = 520;

const here = import.meta.dirname;
/** Beside the packages, so that they are found, and not among them, where bundlers read no tsconfig.json. */
const work = join(here, '.wrangler', 'deployed');
const wanted = process.argv.slice(2);
/** The output of a framework contains its path: it is deployed from its own folder. */
const isBuilt = ({ path }: Program): boolean => path.startsWith(join(here, 'built'));
/** Those that frameworks build take long, so they are named. */
const isWanted = (program: Program): boolean =>
  wanted.length === 0 ? !isBuilt(program) : wanted.some((text) => program.name.includes(text));

/** A copy of the folder. Stores have no ids in it: the deployment creates them. */
function copyFolder({ path }: Program, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path, folder, { recursive: true });
  const file = readdirSync(folder).find((name) => /^wrangler\.(?:jsonc?|toml)$/.test(name));
  const config = join(folder, file!);
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(/, "(?:database_)?id": "[a-z]+"/g, ''));
}

/** A request that comes before the route is in force never reaches the program. */
async function askServed(url: string, question: Question): Promise<Answer> {
  for (;;) {
    const answer = await ask(url, question).catch(() => undefined);
    if (answer !== undefined && answer.status < routeMissing) return answer;
    await delay(100);
  }
}

test('programs that Wrangler deploys answer as they do elsewhere', async (t) => {
  const site = await UploadSite.start(t);
  await using door = await HostDoor.open(site.ready.edge);
  t.after(closeBrowser);
  for (const [index, program] of programs.filter(isWanted).entries()) {
    await t.test(program.name, async (each) => {
      program.prepare?.();
      const project = new Project(each, site, {
        packageName: 'wrangler',
        packages: join(here, 'node_modules'),
      });
      const folder = isBuilt(program) ? program.path : join(work, `program-${index}`);
      if (!program.isModule && !isBuilt(program)) copyFolder(program, folder);
      const module = [
        program.path,
        '--compatibility-date',
        '2026-11-01',
        '--compatibility-flags',
        'nodejs_compat',
      ];
      const name = program.isModule || program.prepare !== undefined ? ['--name', `program-${index}`] : [];
      const args = ['deploy', ...(program.isModule ? module : []), ...name];
      const { code, said } = await project.runAll(args, {
        folder: program.isModule ? project.directory : folder,
      });
      const refusal = refused[program.name];
      if (refusal !== undefined) return match(said, new RegExp(`code: ${refusal}`));
      equal(code, 0, said);
      const host = new RegExp(`[\\w-]+\\.${RegExp.escape(domain)}`).exec(said)?.[0];
      ok(host !== undefined, said);
      door.host = host;
      for (const question of program.questions) {
        const { text, status } = await askServed(door.url, question);
        match(text, question.answer, question.path);
        const isTalk = question.say !== undefined || question.sayAnswerOf !== undefined;
        equal(status, question.status ?? (isTalk ? 101 : 200), question.path);
      }
      ok((await site.call(`DELETE W/${host.split('.')[0]}`)).success);
    });
  }
});
