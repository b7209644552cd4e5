/**
 * The process that gets killed: opens a runtime, tells what it finds in the books, then edits all of them at once
 * until its end, telling before each edit that it asks for it, and after, that it was acknowledged.
 *
 *     node kill-child.ts <directory> <seed> <the next version of each book, as JSON>
 */
import { writeSync } from 'node:fs';
import { createRuntime } from '#objects';
import { Random } from '../faults/random.ts';
import { type Edit, type Pages, randomEdit } from './book.ts';
import { bookClasses, bookNames, bookOf } from './library.ts';

/** What the child says, a line of JSON each. */
export type Message =
  | { readonly say: 'opening' }
  | { readonly say: 'found'; readonly book: string; readonly pages: Pages }
  | { readonly say: 'ask'; readonly book: string; readonly edit: Edit }
  | { readonly say: 'acknowledged'; readonly book: string; readonly version: number };

/** Straight to the kernel, so that a kill cannot take back what was said. */
function tell(message: Message): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

const [directory, seed, versionsText] = process.argv.slice(2) as [string, string, string];
const versions = JSON.parse(versionsText) as Record<string, number>;
tell({ say: 'opening' });
const runtime = await createRuntime({ directory, classes: bookClasses });
for (const book of bookNames) tell({ say: 'found', book, pages: await bookOf(runtime, book).look() });
await Promise.all(
  bookNames.map(async (book, number) => {
    const random = Random.of(Number(seed), number);
    for (let version = versions[book]!; ; version++) {
      const edit = randomEdit(random, version);
      tell({ say: 'ask', book, edit });
      await bookOf(runtime, book).edit(edit);
      tell({ say: 'acknowledged', book, version });
    }
  }),
);
