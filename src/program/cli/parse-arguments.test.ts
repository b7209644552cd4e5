import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from './command.ts';
import { writeCommandHelp } from './help.ts';
import { parseArguments, readWholeNumber } from './parse-arguments.ts';

const command: Command = {
  name: 'paint',
  parameters: '<wall> [colour]',
  summary: 'Paint a wall.',
  options: {
    coats: { value: 'N', help: 'how many (1)' },
    finish: { value: 'matt|gloss', choices: ['matt', 'gloss'], help: 'what it looks like' },
    'no-tape': { help: 'leave the edges' },
  },
  run: () => Promise.resolve(0),
};

test('parseArguments reads positionals, values and switches', () => {
  const args = parseArguments(command, [
    'north',
    '--coats=2',
    '--no-tape',
    '--finish',
    'matt',
    '--',
    '--red',
  ]);
  assert.deepEqual(args.positionals, ['north', '--red']);
  assert.deepEqual({ ...args.values }, { coats: '2', finish: 'matt' });
  assert.deepEqual([...args.switches], ['no-tape']);
  assert.equal(readWholeNumber(args, 'coats', { min: 1, max: 9 }), 2);
  assert.equal(readWholeNumber(args, 'finish-coats', { min: 1, max: 9 }), undefined);
});

test('parseArguments names what is wrong', () => {
  const cases: [string[], string][] = [
    [[], 'gatehouse paint needs <wall>'],
    [['a', 'b', 'c'], 'gatehouse paint takes no more arguments: c'],
    [['a', '--cots', '2'], 'gatehouse paint has no option --cots: did you mean --coats?'],
    [['a', '-x'], 'gatehouse paint has no option -x'],
    [['a', '--toString'], 'gatehouse paint has no option --toString'],
    [['a', '--coats'], '--coats needs a value: --coats N'],
    [['a', '--coats='], '--coats needs a value: --coats N'],
    [['a', '--coats', '--no-tape'], '--coats needs a value: --coats N'],
    [['a', '--finish', 'rough'], '--finish must be matt or gloss: rough'],
    [['a', '--no-tape=yes'], '--no-tape takes no value: yes'],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => parseArguments(command, args), { name: 'UsageError', message });
  }
});

test('readWholeNumber refuses text that is no whole number within the bounds', () => {
  for (const text of ['0', '10', '1.5', '-1', '0x5', 'many', '1e0', ' 1']) {
    const args = { positionals: [], values: { coats: text }, repeated: {}, switches: new Set<string>() };
    const message = `--coats must be a whole number from 1 to 9: ${text}`;
    assert.throws(() => readWholeNumber(args, 'coats', { min: 1, max: 9 }), { message });
  }
});

test('writeCommandHelp shows every option', () => {
  assert.equal(
    writeCommandHelp(command),
    `Usage: gatehouse paint <wall> [colour] [options]

Paint a wall.

  --coats N                  how many (1)
  --finish matt|gloss        what it looks like
  --no-tape                  leave the edges
  --color auto|always|never  colours: auto means only on a terminal and without NO_COLOR (auto)
  --help                     show this help
`,
  );
});
