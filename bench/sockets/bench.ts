/**
 * Sockets with hibernation, under workerd and under Gatehouse:
 *
 *     node tools/run-in.ts bench sockets/bench.ts --sockets 5000
 *
 * Echo: CPU time of the server for a message and its answer, with 32 sockets and with 1,000. Broadcast: the same for one of
 * 1,000 copies. Memory: what the server takes more for each socket, once the object has left memory; then sockets chosen
 * at random are woken, and every answer is checked. `--sockets` needs as many open files (`ulimit -n`), here and in the server.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startGatehouse } from '../../conformance/gatehouse.ts';
import { startWorkerd } from '../../conformance/workerd.ts';
import { readOptions } from '../../tools/read-options.ts';

const usage = `usage: node tools/run-in.ts bench sockets/bench.ts [options]

Measures sockets with hibernation under workerd and under Gatehouse.

  --sockets N     sockets that are held while their objects are put away (5000)
  --messages N    messages of the echo (20000)
  --small         a quick look: 1,000 of each
  --only SERVER   workerd or gatehouse alone
  --help          this text`;
const options = readOptions(usage, {
  small: { type: 'boolean', default: false },
  sockets: { type: 'string', default: '5000' },
  messages: { type: 'string', default: '20000' },
  only: { type: 'string' },
});
const socketsHeld = options.small ? 1_000 : Number(options.sockets);
const messages = options.small ? 1_000 : Number(options.messages);
const socketsPerRoom = 1_000;
const wokenSockets = 1_000;
/** An object leaves memory after 10 s. */
const evictionMs = 13_000;

interface Child {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
}

const wranglerPath = join(import.meta.dirname, 'wrangler.jsonc');
const starts: Readonly<Record<string, (directory: string) => Promise<Child>>> = {
  workerd: (directory) => startWorkerd({ package: join(import.meta.dirname, '..'), wranglerPath, directory }),
  gatehouse: (directory) => startGatehouse({ wranglerPath, directory, hosts: 1 }),
};

/** A process and those that it has started. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter((each) => each !== '').flatMap((each) => familyOf(Number(each)))];
}

function residentBytes(pid: number): number {
  return familyOf(pid)
    .map((each) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1] ?? 0))
    .reduce((sum, each) => sum + each * 1024, 0);
}

/** Linux counts hundredths of a second. */
function processorMs(pid: number): number {
  return familyOf(pid)
    .map((each) => readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1]!.split(' '))
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * 10, 0);
}

/** One address has about 28,000 ports for one server; loopback has many addresses. */
const socketsPerAddress = 20_000;

async function connect(url: string, room: number, index: number): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?room=${room}`, {
    perMessageDeflate: false,
    localAddress: `127.0.0.${1 + Math.floor(index / socketsPerAddress)}`,
  });
  await once(socket, 'open');
  return socket;
}

async function connectMany(url: string, count: number, firstRoom: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(100, count - sockets.length) }, (_, i) => {
      const index = sockets.length + i;
      return connect(url, firstRoom + Math.floor(index / socketsPerRoom), index);
    });
    sockets.push(...(await Promise.all(batch)));
  }
  return sockets;
}

async function ask(socket: WebSocket, text: string): Promise<void> {
  const answered = once(socket, 'message');
  socket.send(text);
  const [data] = (await answered) as [Buffer];
  if (data.toString() !== text) throw new Error(`sent ${text}, heard ${data.toString()}`);
}

async function measureEcho({ url, pid }: Child, connections: number): Promise<number> {
  const sockets = await connectMany(url, connections, 0);
  await Promise.all(sockets.map((socket) => ask(socket, 'warm')));
  const before = processorMs(pid);
  let left = messages;
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) await ask(socket, 'a message of a usual length, such as a line of chat');
    }),
  );
  const spent = processorMs(pid) - before;
  for (const socket of sockets) socket.terminate();
  return (spent * 1000) / messages;
}

async function measureBroadcast({ url, pid }: Child): Promise<number> {
  const sockets = await connectMany(url, socketsPerRoom, 1_000_000);
  const rounds = 20;
  const before = processorMs(pid);
  for (let i = 0; i < rounds; i++) {
    const heard = sockets.map((socket) => once(socket, 'message'));
    sockets[0]!.send('all');
    await Promise.all(heard);
  }
  const spent = processorMs(pid) - before;
  for (const socket of sockets) socket.terminate();
  return (spent * 1000) / (rounds * socketsPerRoom);
}

async function measureMemory({ url, pid }: Child): Promise<number> {
  await sleep(evictionMs);
  const before = residentBytes(pid);
  const sockets = await connectMany(url, socketsHeld, 2_000_000);
  await sleep(evictionMs);
  const bytes = (residentBytes(pid) - before) / socketsHeld;
  for (let i = 0; i < wokenSockets; i++) {
    await ask(sockets[Math.floor(Math.random() * sockets.length)]!, `woken ${i}`);
  }
  for (const socket of sockets) socket.terminate();
  return bytes;
}

console.log(
  `| | echo, 32 sockets | echo, 1,000 sockets | broadcast, per socket | memory per hibernated socket (${socketsHeld}) |\n|---|---|---|---|---|`,
);
for (const [name, start] of Object.entries(starts)) {
  if (options.only !== undefined && options.only !== name) continue;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-sockets-'));
  const child = await start(directory);
  try {
    const memory = await measureMemory(child);
    const cells = [
      `${(await measureEcho(child, 32)).toFixed(0)} µs`,
      `${(await measureEcho(child, 1_000)).toFixed(0)} µs`,
      `${(await measureBroadcast(child)).toFixed(1)} µs`,
      `${(memory / 1024).toFixed(1)} KB`,
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  } finally {
    await child.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}
