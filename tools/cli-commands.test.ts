import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exitCodes } from '../src/program/cli/command.ts';
import { cliPage, writeCliPage } from './cli-commands.ts';

const page = readFileSync(cliPage, 'utf8');

test('cli-commands: docs/reference/cli.md has every command', () => {
  equal(page, writeCliPage(page), 'run: node tools/cli-commands.ts');
});

test('cli-commands: docs/reference/cli.md has every exit code', () => {
  const documented = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  equal(documented.join(), Object.values(exitCodes).join());
});
