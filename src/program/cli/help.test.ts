import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from './command.ts';
import { writeCommandHelp } from './help.ts';

test('writeCommandHelp puts the text of a long option on the next line, in the column of the others', () => {
  const command: Command = {
    name: 'try',
    parameters: '',
    summary: 'Try it.',
    options: {
      short: { value: 'N', help: 'first' },
      long: { value: 'a-word|'.repeat(12), help: 'second' },
    },
    run: async () => 0,
  };
  const lines = writeCommandHelp(command).split('\n');
  const column = lines.find((line) => line.startsWith('  --short'))!.indexOf('first');
  const at = lines.findIndex((line) => line.startsWith('  --long'));
  ok(!lines[at]!.includes('second'));
  ok(lines[at + 1] === `${' '.repeat(column)}second`);
});
