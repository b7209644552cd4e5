import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '#server';
import { parseArguments } from '../parse-arguments.ts';
import { serveCommand } from '../commands/serve.ts';
import { wantsWatchdog } from './wants-watchdog.ts';

interface Case {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The content of configuration files by name. */
  readonly files?: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  {},
  { args: ['--port', '0'] },
  { args: ['--watchdog', 'false'] },
  { args: ['--watchdog=false'] },
  { args: ['--watchdog', 'false', '--watchdog', 'true'] },
  { environment: { GATEHOUSE_WATCHDOG: 'false' } },
  { args: ['--watchdog=true'], environment: { GATEHOUSE_WATCHDOG: 'false' } },
  { files: { 'gatehouse.toml': 'port = 0\nwatchdog = false\n' } },
  { files: { 'gatehouse.toml': '"watchdog"=false # a comment' } },
  { files: { 'gatehouse.toml': '# watchdog = false\naccount_name = "watchdog = false"' } },
  { files: { 'gatehouse.toml': 'watchdog = true' }, environment: { GATEHOUSE_WATCHDOG: 'false' } },
  { files: { 'other.json': '{ "watchdog": false }' }, args: ['--config', 'other.json'] },
  { files: { 'other.json': '{ "watchdog": false }' }, environment: { GATEHOUSE_CONFIG: 'other.json' } },
  { files: { 'other.json': '{ "watchdog": false }' } },
  {
    files: { 'a.toml': 'watchdog = false', 'b.toml': '' },
    args: ['--config=a.toml'],
    environment: { GATEHOUSE_CONFIG: 'b.toml' },
  },
];

test('wantsWatchdog reads the setting from flags, environment and file as the program does', async (t) => {
  const expected: boolean[] = [];
  const actual: boolean[] = [];
  for (const { args = [], environment = {}, files = {} } of cases) {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-watchdog-'));
    t.after(() => rmSync(directory, { recursive: true }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const { config: file, ...flags } = parseArguments(serveCommand, args).values;
    expected.push(readConfig({ flags, file, environment, directory }).settings.watchdog);
    actual.push(await wantsWatchdog({ args, environment, directory, nodeFlags: [] }));
  }
  deepEqual(actual, expected);
});

test('wantsWatchdog leaves a call that does not serve, cannot be read, or is debugged to the program', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-watchdog-'));
  t.after(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'bad.toml'), 'watchdog = = false');
  const others: readonly (Case & { readonly nodeFlags?: readonly string[] })[] = [
    { args: ['--help'] },
    { args: ['-h'] },
    { args: ['--print-config'] },
    { args: ['--watchdog'] },
    { args: ['--watchdog', 'maybe'] },
    { environment: { GATEHOUSE_WATCHDOG: '1' } },
    { args: ['--config', 'bad.toml'] },
    { args: ['--config', '.'] },
    { nodeFlags: ['--inspect-brk=0'] },
  ];
  const wanted = await Promise.all(
    others.map(({ args = [], environment = {}, nodeFlags = [] }) =>
      wantsWatchdog({ args, environment, directory, nodeFlags }),
    ),
  );
  deepEqual(
    wanted,
    others.map(() => false),
  );
});
