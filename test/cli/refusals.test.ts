/** The error output of every command: one message, and never a stack. */
import { doesNotMatch, match, notEqual, ok } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadCommands } from '#cli';
import { CliSite } from './cli-site.ts';

const commands = await loadCommands();

let site: CliSite;
before(async () => {
  site = await CliSite.open();
  await site.read('zones', 'create', '--name', 'shop.test');
});
after(async () => {
  await site[Symbol.asyncDispose]();
});

/** These run until they are stopped. */
const serving = new Set(['serve', 'edge', 'run', 'dev']);
const finite = commands.filter(({ name }) => !serving.has(name));
type Finite = (typeof finite)[number];

const fill = ({ parameters }: Finite, value: string): string[] =>
  parameters.split(' ').flatMap((each) => (each === '' ? [] : [value]));

/** Of commands that ask. */
const confirm = ({ options }: Finite): string[] =>
  options['yes'] === undefined ? [] : options['yes'].value === undefined ? ['--yes'] : ['--yes', 'shop.test'];

async function expectNoStack(isRefused: boolean, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await site.runElsewhere(...args);
  const said = `gatehouse ${args.join(' ')} ended with ${code}: ${stderr}`;
  doesNotMatch(stderr, /^\s+at /m, said);
  if (isRefused) notEqual(code, 0, said);
  if (code !== 0) match(stderr + stdout, /\S/, said);
}

test('every command that calls the API explains a wrong token, and a zone that is not there', async () => {
  const { api, token } = site.program.ready;
  const calling = finite.filter(({ options }) => 'api' in options && !('for' in options));
  ok(calling.length > 50);
  for (const command of calling)
    for (const [value, credentials] of [
      ['shop.test', 'wrong'],
      ['nowhere.test', token!],
      ['0'.repeat(32), token!],
    ] as const) {
      const words = [...command.name.split(' '), ...fill(command, value), ...confirm(command)];
      const isRefused = credentials === 'wrong' || command.parameters.includes('<zone>');
      await expectNoStack(isRefused, ...words, '--api', api, '--token', credentials);
    }
});

test('every command explains a file or a directory that is missing, or is something else', async () => {
  const garbage = join(site.directory, 'garbage');
  writeFileSync(garbage, '\0\u00ff{{{');
  const empty = join(site.directory, 'empty');
  mkdirSync(empty);
  const { api, token } = site.program.ready;
  for (const command of finite) {
    const files = Object.entries(command.options).filter(([, { value }]) =>
      /FILE|DIRECTORY/.test(value ?? ''),
    );
    for (const path of [garbage, empty, join(site.directory, 'missing', 'file')]) {
      const server = 'api' in command.options ? ['--api', api, '--token', token!] : [];
      const words = command.name.split(' ');
      if (/file|folder|path|cases|source/.test(command.parameters))
        await expectNoStack(false, ...words, ...fill(command, path), ...server, ...confirm(command));
      for (const [name] of files)
        await expectNoStack(
          false,
          ...words,
          ...fill(command, 'shop.test'),
          ...(name === 'ready-file' ? [] : server),
          ...confirm(command),
          `--${name}`,
          path,
        );
    }
  }
});
