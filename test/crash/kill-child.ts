/**
 * The process that is killed: it opens a runtime, reports the contents of the books, then edits all of them at once
 * until its end, and reports each edit before it is requested and after it is acknowledged.
 *
 *     node kill-child.ts <directory> <seed> <the next version of each book, as JSON> [<hosts> [<database of a cluster>]]
 *
 * With hosts, it kills one of them now and then. An edit in progress may have been done or not: the book is read again.
 */
import { createLog } from '#base';
import { joinCluster } from '#cluster';
import { ObjectHosts, createHosts } from '#hosts';
import { createRuntime } from '#objects';
import { Random } from '../faults/random.ts';
import '../hosts/quick-start.ts';
import { type Edit, type Pages, randomEdit } from './book.ts';
import { bookClasses, bookNames, bookOf } from './library.ts';
import { writeLine } from './write-line.ts';

/** The messages of the child, a line of JSON each. */
export type Message =
  | { readonly say: 'opening' }
  | { readonly say: 'found'; readonly book: string; readonly pages: Pages }
  /** The host of the book has ended. */
  | { readonly say: 'lost'; readonly book: string }
  | { readonly say: 'ask'; readonly book: string; readonly edit: Edit }
  | { readonly say: 'acknowledged'; readonly book: string; readonly version: number };

/** Written directly to the kernel, so that a kill cannot lose it. */
function tell(message: Message): void {
  writeLine(JSON.stringify(message));
}

/** The share of edits before which a host is killed, and how often that happens: one that is killed at once is backed off. */
const hostKillShare = 0.02;
let hostKillsLeft = 2;

const [directory, seed, versionsText, hostsText = '0', url = ''] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
  string?,
];
/** The books of a killed process belong to the next one when its lease has expired. */
const leaseMs = 500;
const versions = JSON.parse(versionsText) as Record<string, number>;
tell({ say: 'opening' });
const runtime = await open(Number(hostsText));
for (const book of bookNames) tell({ say: 'found', book, pages: await bookOf(runtime, book).look() });
await Promise.all(
  bookNames.map(async (book, number) => {
    const random = Random.of(Number(seed), number);
    for (let version = versions[book]!; ; version++) {
      if (runtime instanceof ObjectHosts && random.chance(hostKillShare)) killHost(runtime, random);
      const edit = randomEdit(random, version);
      tell({ say: 'ask', book, edit });
      try {
        await bookOf(runtime, book).edit(edit);
        tell({ say: 'acknowledged', book, version });
      } catch (error) {
        if ((error as Error).message !== 'Network connection lost.') throw error;
        tell({ say: 'lost', book });
        tell({ say: 'found', book, pages: await lookAgain(book) });
      }
    }
  }),
);

async function open(hosts: number): Promise<Awaited<ReturnType<typeof createRuntime>> | ObjectHosts> {
  if (url !== '')
    return await createRuntime({
      directory,
      classes: bookClasses,
      cluster: await joinCluster({ url, leaseMs }),
    });
  if (hosts === 0) return await createRuntime({ directory, classes: bookClasses });
  const log = createLog({ level: 'error', format: 'text', write: () => {} });
  return await createHosts({ directory, hosts, module: new URL('./library.ts', import.meta.url), log });
}

function killHost({ pids }: ObjectHosts, random: Random): void {
  const pid = random.pick(pids);
  if (pid === undefined || hostKillsLeft-- <= 0) return;
  process.kill(pid, 'SIGKILL');
}

/** Its host may be killed again meanwhile. */
async function lookAgain(book: string): Promise<Pages> {
  for (;;) {
    try {
      return await bookOf(runtime, book).look();
    } catch (error) {
      if ((error as Error).message !== 'Network connection lost.') throw error;
    }
  }
}
