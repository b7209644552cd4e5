/** `wrangler tail`: the events of a Worker, read by connected clients. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { createForm, UploadSite } from './upload-site.ts';

interface Told {
  readonly outcome: string;
  readonly scriptName: string;
  readonly logs: readonly { readonly level: string; readonly message: readonly unknown[] }[];
  readonly exceptions: readonly { readonly message: string; readonly stack?: string }[];
  readonly event: {
    readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
    readonly response?: { readonly status: number };
  };
}

/** A client as Wrangler is: its first frame is not masked, later ones are. */
class Follower {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => (this.#bytes = Buffer.concat([this.#bytes, bytes])));
    socket.on('error', () => {});
  }

  static async open(address: string): Promise<Follower> {
    const { hostname, port, pathname } = new URL(address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const follower = new Follower(socket);
    const fields = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const own = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: trace-v1'];
    socket.write([`GET ${pathname} HTTP/1.1`, `Host: ${hostname}`, ...fields, ...own, '\r\n'].join('\r\n'));
    await eventually(() => follower.#bytes.includes('\r\n\r\n'), 'the handshake is answered');
    return follower;
  }

  get head(): string {
    return this.#bytes.subarray(0, this.#bytes.indexOf('\r\n\r\n')).toString();
  }

  say(opcode: number, text: string, isMasked: boolean): void {
    const payload = Buffer.from(text);
    // A mask of zeros leaves the bytes as they are.
    const mask = isMasked ? [0, 0, 0, 0] : [];
    this.socket.write(
      Buffer.concat([Buffer.of(0x80 | opcode, payload.length | (isMasked ? 128 : 0), ...mask), payload]),
    );
  }

  get frames(): { readonly opcode: number; readonly text: string }[] {
    const frames = [];
    for (let at = this.#bytes.indexOf('\r\n\r\n') + 4; at + 2 <= this.#bytes.length;) {
      const short = this.#bytes[at + 1]!;
      const start = at + (short === 126 ? 4 : 2);
      const size = short === 126 ? this.#bytes.readUInt16BE(at + 2) : short;
      if (start + size > this.#bytes.length) break;
      frames.push({
        opcode: this.#bytes[at]! & 15,
        text: this.#bytes.subarray(start, start + size).toString(),
      });
      at = start + size;
    }
    return frames;
  }

  get told(): Told[] {
    return this.frames.flatMap(({ opcode, text }) => (opcode === 1 ? [JSON.parse(text) as Told] : []));
  }
}

const code = `export default { fetch(request, env) {
  const { pathname } = new URL(request.url);
  console.log('asked for', pathname, { with: env.KEY });
  console.warn('careful');
  if (pathname === '/throws') throw new Error('it broke');
  return new Response('done');
} };`;

test('a Worker that is followed tells what each call logs, throws and answers, without secrets', async (t) => {
  const site = await UploadSite.start(t);
  const bindings = [{ type: 'secret_text', name: 'KEY', text: 'never-told-again' }];
  ok((await site.deploy('loud', { code, metadata: { bindings } })).success);
  const ask = (path: string) =>
    site.ask('loud.workers.example', path, { headers: { authorization: 'Bearer mine' } });
  await eventually(async () => (await ask('/first')).body === 'done', 'it answers');
  equal((await site.call('POST W/none/tails', { filters: [] })).errors[0]?.code, 10007);
  const made = (await site.call('POST W/loud/tails', { filters: [] })).result;
  const all = await Follower.open(made.url);
  match(all.head, /^HTTP\/1\.1 101 [\s\S]*Sec-WebSocket-Protocol: trace-v1/);
  all.say(1, '{"debug":false}', false);
  all.say(9, 'wrangler tail ping', true);
  await eventually(
    () => all.frames.some(({ opcode, text }) => opcode === 10 && text === 'wrangler tail ping'),
    'a ping is answered',
  );
  const filters = [{ outcome: ['exception'] }, { method: ['GET'] }, { query: 'it broke' }];
  const failures = await Follower.open((await site.call('POST W/loud/tails', { filters })).result.url);
  // The Worker learns through a message that a client follows it.
  await eventually(async () => (await ask('/ready')).status === 200 && all.told.length > 0, 'calls are told');
  const before = all.told.length;
  equal((await ask('/a?b=c')).body, 'done');
  equal((await ask('/throws')).status, 500);
  await eventually(() => all.told.length >= before + 2 && failures.told.length === 1, 'both calls are told');
  const [fine, thrown] = all.told.slice(before) as [Told, Told];
  deepEqual(
    fine.logs.map(({ level, message }) => [level, ...message]),
    [
      ['log', 'asked for', '/a', { with: 'REDACTED' }],
      ['warn', 'careful'],
    ],
  );
  deepEqual([fine.outcome, fine.scriptName, fine.event.response?.status], ['ok', 'loud', 200]);
  match(fine.event.request.url, /\/a\?b=c$/);
  equal(fine.event.request.headers['authorization'], 'REDACTED');
  deepEqual([thrown.outcome, thrown.exceptions[0]?.message], ['exception', 'it broke']);
  equal(thrown.exceptions[0]?.stack, 'Error: it broke\n    at Object.fetch (index.js:5:37)');
  ok(!JSON.stringify(all.told).includes('never-told-again'));

  // The fifth line comes from line 30 of its source. The other map refers to nothing that exists.
  const map = JSON.stringify({ version: 3, sources: ['../src/index.ts'], names: [], mappings: ';;;;AA6BA' });
  const type = 'application/source-map';
  const modules = { 'index.js.map': [map, type], 'other.js.map': ['{', type] } as const;
  const again = createForm({ code: code.replace("'careful'", "'again'"), modules });
  ok((await site.call('PUT W/loud', again)).success);
  const count = all.told.length;
  equal((await ask('/throws')).status, 500);
  await eventually(() => all.told.length > count, 'the next version is followed as well');
  equal(
    all.told[count]!.exceptions[0]?.stack,
    'Error: it broke\n    at Object.fetch (src/index.ts:30:1)',
    'stacks name the sources if there is a map',
  );
  await eventually(() => site.server.stderr.includes('(src/index.ts:30:1)'), 'so does the log');
  ok((await site.call(`DELETE W/loud/tails/${made.id}`)).success);
  await eventually(() => all.frames.some(({ opcode }) => opcode === 8), 'the connection is closed');
  failures.socket.destroy();
  await eventually(async () => (await site.call('GET W/loud/tails')).result.length === 0, 'nobody follows');
});
