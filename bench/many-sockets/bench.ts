/**
 * Very many sockets with hibernation, held at the same time:
 *
 *     node tools/run-in.ts bench many-sockets/bench.ts --sockets 100000
 *
 * A process has a limited number of open files (`ulimit -Hn`), and each socket is one of them, so the sockets are
 * spread over as many servers (`gatehouse run`) and client processes as that takes. When the objects have left memory,
 * it reports the additional memory of the servers for each socket; then random sockets are woken, and every response is
 * checked.
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../tools/read-options.ts';
import type { FromClients, ToClients } from './clients.ts';

const usage = `usage: node tools/run-in.ts bench many-sockets/bench.ts [options]

Holds sockets of objects that are put away, and wakes some of them.

  --sockets N   sockets in all (100000)
  --woken N     how many are woken, at random (1000)
  --small       a quick look: 2,000 sockets in two servers, 100 woken
  --help        this text`;
const options = readOptions(usage, {
  small: { type: 'boolean', default: false },
  sockets: { type: 'string', default: '100000' },
  woken: { type: 'string', default: '1000' },
});

/** Files of a process beside its sockets: those of its objects, modules and pipes. */
const otherFiles = 2_500;
const filesMax = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || 1_048_576;
const socketsAll = options.small ? 2_000 : Number(options.sockets);
const wokenAll = options.small ? 100 : Number(options.woken);
const perServer = options.small ? 1_000 : Math.max(1, Math.min(socketsAll, filesMax - otherFiles));
const socketsPerRoom = 1_000;
/** An object leaves memory after 10 s. */
const evictionMs = 13_000;
/** Opened in each server before the measurement: the first sockets cost more than later ones. */
const firstSockets = 200;

/** That of the other chapter about sockets. */
const project = join(import.meta.dirname, '..', 'sockets');
const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

class Server {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = url;
  }

  static async start(directory: string): Promise<Server> {
    mkdirSync(directory, { recursive: true });
    const args = [
      '--data',
      join(directory, 'data'),
      '--port',
      '0',
      '--access-log',
      'false',
      '--log-format',
      'json',
    ];
    // The soft limit of files is often lower than the hard one.
    const command = `ulimit -n ${filesMax} && exec "$0" "$@"`;
    const child = spawn('sh', ['-c', command, process.execPath, main, 'run', project, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    for (;;) {
      const url = /"message":"ready","url":"([^"]+)"/.exec(said)?.[1];
      if (url !== undefined) return new Server(child, url);
      if (child.exitCode !== null) throw new Error(`a server has ended:\n${said}`);
      await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
    }
  }

  get residentBytes(): number {
    return familyOf(this.#process.pid!)
      .map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0))
      .reduce((sum, kilobytes) => sum + kilobytes * 1024, 0);
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}

/** A process and those that it has started. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter((each) => each !== '').flatMap((each) => familyOf(Number(each)))];
}

/** Clients in a process of their own. */
class Clients {
  readonly #process: ChildProcess;

  constructor() {
    this.#process = fork(fileURLToPath(new URL('./clients.ts', import.meta.url)), { execArgv: [] });
  }

  async connect(url: string, count: number): Promise<void> {
    await this.#ask({ kind: 'connect', url, count, socketsPerRoom });
  }

  /** Sends a message over each of these sockets, and checks the answers. */
  async wake(indexes: readonly number[]): Promise<void> {
    await this.#ask({ kind: 'wake', indexes });
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }

  async #ask(message: ToClients): Promise<void> {
    this.#process.send(message);
    const [answer] = (await Promise.race([
      once(this.#process, 'message'),
      once(this.#process, 'exit').then(() => [{ problem: 'the clients have ended' }]),
    ])) as [FromClients];
    if (answer.problem !== undefined) throw new Error(answer.problem);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

const counts: number[] = [];
for (let left = socketsAll; left > 0; left -= perServer) counts.push(Math.min(left, perServer));
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-many-'));
const servers: Server[] = [];
const clients: Clients[] = [];
try {
  for (const index of counts.keys()) servers.push(await Server.start(join(directory, String(index))));
  for (const server of servers) {
    const each = new Clients();
    clients.push(each);
    await each.connect(server.url, firstSockets);
  }
  await sleep(evictionMs);
  const before = servers.map(({ residentBytes }) => residentBytes);
  for (const [index, count] of counts.entries()) {
    await clients[index]!.connect(servers[index]!.url, count);
    console.error(`${sum(counts.slice(0, index + 1))} sockets are open`);
  }
  await sleep(evictionMs);
  const grown = sum(servers.map(({ residentBytes }, index) => residentBytes - before[index]!));
  const chosen = Array.from({ length: wokenAll }, () => Math.floor(Math.random() * socketsAll));
  for (const [index, each] of clients.entries()) {
    const first = index * perServer;
    const own = chosen.filter((socket) => socket >= first && socket < first + counts[index]!);
    await each.wake(own.map((socket) => socket - first));
  }
  console.log(
    '| sockets held | servers | woken, all answered | memory per hibernated socket |\n|---|---|---|---|',
  );
  console.log(
    `| ${socketsAll} | ${servers.length} | ${wokenAll} | ${(grown / socketsAll / 1024).toFixed(1)} KB |`,
  );
} finally {
  for (const each of clients) each.stop();
  for (const server of servers) await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
