/** Errors in a page are found: a block that fails, one that prints something else, and one that never ends. */
import { equal, ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '../../src/program/cli/watched/testing.ts';
import { followBlocks } from './follow-blocks.ts';
import { type CommandBlock, pages, readBlocks } from './read-blocks.ts';

const block = (line: number, commands: string, output?: string): CommandBlock => ({ line, commands, output });

test('followBlocks runs blocks in one shell, beside the files of the page, and compares what they print', async (t) => {
  const directory = makeDirectory(t, 'gatehouse-blocks-');
  const follow = (...commands: CommandBlock[]): Promise<void> =>
    followBlocks({ directory }, { commands, files: new Map([['a.txt', 'saved\n']]) });
  await follow(block(1, 'NAME=one\n'), block(5, 'echo "$NAME"; cat a.txt\n', 'one\nsaved\n'));
  await follow(block(1, 'echo "id 0123456789 of $PWD"\n', 'id 0123… of /home/you\n'));
  // A block that shows what it prints may show a command that fails.
  await follow(block(1, 'false; echo on\n', 'on\n'));
  await rejects(follow(block(1, 'true\n'), block(7, 'false\n')), /the block of line 7 ends the shell with 1/);
  await rejects(follow(block(9, 'echo two\n', 'one\n')), /what the block of line 9 prints|two/);
});

test('followBlocks ends a block that never ends, and what it has started', async (t) => {
  const directory = makeDirectory(t, 'gatehouse-blocks-');
  const ending = new AbortController();
  const followed = followBlocks(
    { directory, signal: ending.signal },
    { commands: [block(3, 'sleep 1000 & until false; do sleep 1; done\n')], files: new Map() },
  );
  ending.abort();
  await rejects(followed, /the block of line 3 ends the shell with SIGKILL/);
});

test('readBlocks finds the commands of every page, what they print, and the files that the reader saves', () => {
  ok(pages.length > 60);
  const { commands, files } = readBlocks('docs/build/bindings.md');
  equal(commands[0]!.commands.split('\n')[0], 'gatehouse dev . > dev.log 2>&1 &');
  equal([...files.keys()].join(), 'wrangler.jsonc,index.js');
  equal(readBlocks('docs/build/objects.md').files.has('app.ts'), true);
  // In a list, where it is indented.
  equal(
    readBlocks('docs/operate/terraform.md').commands.every(({ commands }) => !commands.startsWith(' ')),
    true,
  );
  ok(readBlocks('docs/operate/backup.md').commands.every(({ output }) => output !== undefined));
});
