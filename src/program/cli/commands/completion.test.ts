/** Completion scripts, run by a real shell. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCaptured, temporary } from '../testing.ts';

async function writeScript(shell: string): Promise<string> {
  const { code, stdout } = await runCaptured('completion', shell);
  equal(code, 0);
  return stdout;
}

/** The completions of bash after these words; the last one is being typed. */
function complete(script: string, words: readonly string[], cwd: string): string[] {
  const program = `${script}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gatehouse
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const shown = execFileSync('bash', ['--norc', '-c', program, 'bash', ...words], { cwd, encoding: 'utf8' });
  return shown.split('\n').filter((line) => line !== '');
}

test('gatehouse completion bash offers commands, options, choices and files', async (t) => {
  const script = await writeScript('bash');
  const directory = temporary(t, { 'a file.sqlite': '', 'gatehouse.toml': '' });
  mkdirSync(join(directory, 'data'));
  const cases: [typed: string[], offered: string[]][] = [
    [['ser'], ['serve']],
    [['e'], ['edge', 'env', 'explain', 'expr', 'events']],
    [['--'], ['--help', '--version']],
    [
      ['clock', ''],
      ['show', 'advance', 'set', 'next', '--help'],
    ],
    [['clock', 'a'], ['advance']],
    [
      ['help', 'de'],
      ['demo', 'dev', 'deploy'],
    ],
    [['dev', '--per'], ['--persist-to']],
    [
      ['dev', '--durability', ''],
      ['disk', 'os'],
    ],
    [['dev', 'x', '--clock', 'v'], ['virtual']],
    [['dev', '--port', ''], []],
    [['dev', '--persist-to', ''], ['data']],
    [['dev', 'gate'], ['gatehouse.toml']],
    [['serve', '--log-l'], ['--log-level']],
    [['serve', '--config', 'ga'], ['gatehouse.toml']],
    [['serve', ''], []],
    [['objects', 'export', 'Room', 'a', 'a'], ['a file.sqlite']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'f'], ['fish']],
    [['rules', 'cr'], ['create']],
    [['rules', 'create', 'shop.example', '--act'], ['--action']],
    [['rules', 'create', 'shop.example', '--action', 'bl'], ['block']],
    [
      ['filters', 'list', 'shop.example', '--paused', ''],
      ['true', 'false'],
    ],
    [['nonsense', ''], []],
    [['clock', 'nonsense', '--'], []],
  ];
  for (const [typed, offered] of cases)
    deepEqual(complete(script, ['gatehouse', ...typed], directory), offered, typed.join(' '));
});

test('gatehouse completion knows every command and option of the table, in every shell', async () => {
  const { stdout: overview } = await runCaptured('help');
  const names = [...overview.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= |$)/gm)].map(([, name]) => name!);
  equal(names.length > 15, true);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await writeScript(shell);
    for (const name of names) {
      match(script, new RegExp(`\\b${name.split(' ').at(-1)}\\b`), `${shell}: ${name}`);
      const { stdout: help } = await runCaptured(...name.split(' '), '--help');
      for (const [, option] of help.matchAll(/^ {2}--([a-z-]+)/gm))
        match(script, new RegExp(`(?:--|-l )${option}\\b`), `${shell}: ${name} --${option}`);
    }
  }
});

test('gatehouse completion names the shells that it knows', async () => {
  const { code, stderr } = await runCaptured('completion', 'tcsh');
  deepEqual([code, stderr], [2, 'gatehouse: the shell must be bash, zsh or fish: tcsh\n']);
});

test('gatehouse completion bash has no syntax error', async (t) => {
  const file = join(temporary(t), 'gatehouse.bash');
  writeFileSync(file, await writeScript('bash'));
  equal(execFileSync('bash', ['-n', file], { encoding: 'utf8' }), '');
});
