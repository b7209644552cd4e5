/**
 * Kills a working process repeatedly, without warning, and compares the data that the next one finds in the same
 * directory with what was acknowledged to earlier ones. Most kills hit edits in progress, some hit the opening of a
 * directory after an earlier kill.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestCluster } from '../cluster/test-cluster.ts';
import { Random } from '../faults/random.ts';
import { BookOracle } from './book-oracle.ts';
import type { Message } from './kill-child.ts';
import { bookNames } from './library.ts';

const childPath = join(import.meta.dirname, 'kill-child.ts');

export interface KillLoopResult {
  readonly acknowledged: number;
  /** How often books were read and compared with the oracle. */
  readonly checked: number;
  /** How often the host of a book ended under an edit. */
  readonly lost: number;
}

interface KillLoopOptions {
  readonly seed: number;
  readonly rounds: number;
  /**
   * In how many hosts the books are; 0 (default) is one process. The process that has started them is killed at the end of
   * each round, hosts at any time, and some rounds begin with another number of them.
   */
  readonly hosts?: number;
  /** The maximum number of messages of a process, besides what it finds, before it is killed. */
  readonly linesMax?: number;
}

export async function killLoop({
  seed,
  rounds,
  hosts = 0,
  linesMax = 600,
}: KillLoopOptions): Promise<KillLoopResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'));
  // With GATEHOUSE_TEST_DATABASE the books are in a cluster, and each process is a host that takes them over.
  const cluster = hosts === 0 ? await findTestCluster() : undefined;
  const random = new Random(seed);
  const witness = new Witness();
  try {
    for (let round = 0; round < rounds; round++) {
      // The first line is printed before the directory is opened; the last round always reads all books.
      const last = round === rounds - 1;
      const lines = !last && random.chance(0.15) ? 1 : bookNames.length + 1 + random.below(linesMax);
      try {
        const count = hosts > 0 && random.chance(0.3) ? 1 + random.below(hosts + 1) : hosts;
        await liveAndDie({
          directory,
          seed: random.below(2 ** 31),
          lines,
          witness,
          hosts: count,
          url: cluster?.url,
        });
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error });
      }
    }
    return { acknowledged: witness.acknowledged, checked: witness.checked, lost: witness.lost };
  } finally {
    await cluster?.remove();
    rmSync(directory, { recursive: true });
  }
}

/** One child, killed when it has printed this many lines; its output until it is dead is read. */
async function liveAndDie(life: {
  directory: string;
  seed: number;
  lines: number;
  witness: Witness;
  hosts: number;
  url: string | undefined;
}): Promise<void> {
  const { directory, seed, witness, hosts, url = '' } = life;
  witness.nextLife();
  const versions = JSON.stringify(witness.nextVersions());
  const child = spawn(process.execPath, [childPath, directory, String(seed), versions, String(hosts), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let heard = 0;
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    // A line that the kill cut off does not count.
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) witness.hear(JSON.parse(line) as Message);
    heard += lines.length;
    if (heard >= life.lines) child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself, with code ${code}`);
}

/** Records the messages of the children. Time is counted in messages. */
class Witness {
  #books = new Map<string, BookOracle>(bookNames.map((name) => [name, BookOracle.blank()]));
  #now = 0;
  #diedAt = 0;
  /** When the host of a book ended, if one did in this life. */
  #lostAt = new Map<string, number>();
  acknowledged = 0;
  /** Books whose host ended. */
  lost = 0;
  checked = 0;

  nextLife(): void {
    this.#diedAt = this.#now;
    this.#lostAt.clear();
  }

  nextVersions(): Record<string, number> {
    return Object.fromEntries(Array.from(this.#books, ([name, oracle]) => [name, oracle.nextVersion]));
  }

  hear(message: Message): void {
    this.#now++;
    if (message.say === 'opening') return;
    const oracle = this.#books.get(message.book)!;
    if (message.say === 'lost') {
      this.#lostAt.set(message.book, this.#now);
      this.lost++;
    } else if (message.say === 'found') {
      const crashedAt = this.#lostAt.get(message.book) ?? this.#diedAt;
      oracle.check(message.book, message.pages, crashedAt);
      this.#books.set(message.book, oracle.after(crashedAt, message.pages, 0));
      this.checked++;
    } else if (message.say === 'ask') oracle.ask(message.edit, this.#now);
    else {
      oracle.acknowledge(message.version, this.#now);
      this.acknowledged++;
    }
  }
}
