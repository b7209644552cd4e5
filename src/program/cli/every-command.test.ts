/** Properties of every command. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, commonOptions, exitCodes } from './command.ts';
import { commandFiles, loadCommands } from './command-table.ts';
import { runCaptured } from './testing.ts';

const commands = await loadCommands();
const wordsOf = ({ name }: Command): string[] => name.split(' ');

/** A value for each required argument. */
const argumentsOf = ({ parameters }: Command): string[] =>
  [...parameters.matchAll(/<[^>]+>/g)].map(() => 'shop.example');

test('every command is found by its first word, and its file has no other words', async () => {
  for (const { words, load } of commandFiles)
    deepEqual(new Set((await load()).map((command) => wordsOf(command)[0])), new Set(words));
});

test('every command has help: how it is called, what it does, and each of its options', async () => {
  for (const command of commands) {
    const { code, stdout, stderr } = await runCaptured(...wordsOf(command), '--help');
    deepEqual([code, stderr], [exitCodes.success, ''], command.name);
    const heading = `${command.name} ${command.parameters}`.trim();
    ok(stdout.startsWith(`Usage: gatehouse ${heading} [options]\n\n${command.summary}\n`), command.name);
    match(command.summary, /^[A-Z].*[.!]$/s, command.name);
    for (const [option, { help }] of Object.entries({ ...command.options, ...commonOptions })) {
      ok(stdout.includes(`  --${option}`), `${command.name} --${option}`);
      const isPhrase = /^\S.*[^.]$/s.test(help) || /\. /.test(help);
      ok(isPhrase, `${command.name} --${option}: help is a phrase, or several sentences: ${help}`);
      match(option, /^[a-z][a-z0-9-]*$/, command.name);
    }
  }
});

test('every command names an option that it does not have, and the nearest that it has', async () => {
  for (const command of commands) {
    for (const option of Object.keys({ ...command.options, ...commonOptions })) {
      const written = `--${option}x`;
      if (Object.hasOwn(command.options, `${option}x`)) continue;
      const { code, stdout, stderr } = await runCaptured(...wordsOf(command), written);
      deepEqual([code, stdout], [exitCodes.usage, ''], `${command.name} ${written}`);
      const [first, ...rest] = stderr.split('\n');
      ok(first!.startsWith(`gatehouse: gatehouse ${command.name} has no option ${written}`), stderr);
      // Short names have no similar ones.
      if (option.length > 3) match(first!, /: did you mean --[a-z0-9-]+\?$/);
      deepEqual(rest, ['']);
    }
  }
});

test('every command names the argument that is missing, and one that is too many', async () => {
  for (const command of commands) {
    const required = [...command.parameters.matchAll(/<[^>]+>/g)].map(([name]) => name);
    const all = command.parameters.split(' ').filter((name) => name !== '');
    if (required.length > 0) {
      const { code, stdout, stderr } = await runCaptured(...wordsOf(command));
      deepEqual([code, stdout], [exitCodes.usage, ''], command.name);
      equal(stderr, `gatehouse: gatehouse ${command.name} needs ${required[0]}\n`);
    }
    const { code, stderr } = await runCaptured(...wordsOf(command), ...all.map(() => 'a'), 'too-many');
    equal(code, exitCodes.usage, command.name);
    equal(stderr, `gatehouse: gatehouse ${command.name} takes no more arguments: too-many\n`);
  }
});

test('every command that calls the API keeps standard output empty when it fails, with --json as well', async () => {
  const nobody = ['--api', 'http://127.0.0.1:1/client/v4', '--token', 't'];
  const calling = commands.filter(({ options }) => 'api' in options && !('for' in options));
  ok(calling.length > 50);
  // Concurrently: each of them tries several times, and waits in between.
  const check = async (command: Command): Promise<void> => {
    const { json } = command.options;
    const asJson = json === undefined ? [] : json.value === undefined ? ['--json'] : ['--json', '-'];
    const args = [...wordsOf(command), ...argumentsOf(command), ...nobody, ...asJson];
    const { code, stdout, stderr } = await runCaptured(...args);
    equal(stdout, '', command.name);
    match(stderr, /^gatehouse: \S/, command.name);
    const isExpected = code === exitCodes.unreachable || code === exitCodes.usage;
    ok(isExpected, `${command.name} ended with ${code}: ${stderr}`);
    if (code === exitCodes.unreachable) match(stderr, /http:\/\/127\.0\.0\.1:1\/client\/v4 does not answer/);
  };
  await Promise.all(calling.map(check));
});

test('--color decides about colours for every command, and NO_COLOR does without it', async () => {
  const saved = { FORCE_COLOR: process.env['FORCE_COLOR'], NO_COLOR: process.env['NO_COLOR'] };
  try {
    for (const [when, expected] of [
      ['always', ['1', undefined]],
      ['never', [undefined, '1']],
    ] as const) {
      process.env[when === 'always' ? 'NO_COLOR' : 'FORCE_COLOR'] = '1';
      equal((await runCaptured('completion', 'bash', '--color', when)).code, exitCodes.success);
      deepEqual([process.env['FORCE_COLOR'], process.env['NO_COLOR']], expected);
    }
    const { code, stderr } = await runCaptured('completion', 'bash', '--color', 'sometimes');
    deepEqual([code, stderr], [2, 'gatehouse: --color must be auto or always or never: sometimes\n']);
  } finally {
    for (const [name, value] of Object.entries(saved)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
