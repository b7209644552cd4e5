/**
 * A Worker that tries to reach beyond itself, from a handler and from an object: what it finds by every road to `process`
 * and to files, and ways to end or to stall the program that runs it.
 */

/** Text for `import`; `look(target)` returns what it found, `attack(name)` does one of `ways`. */
const code = `
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as moduleModule from 'node:module';
import * as vm from 'node:vm';
import { serialize } from 'node:v8';
import { createRequire } from 'node:module';
const require = createRequire('file:///worker.js');

const roads = {
  own: () => globalThis.process,
  imported: () => import('node:process').then((found) => found.default),
  required: () => require('process'),
  requiredByNode: () => require('node:process'),
  function: () => new Function('return process')(),
  functionOfAnArrow: () => (() => {}).constructor('return process')(),
  globalOfAFunction: () => new Function('return globalThis.process')(),
  importOfAFunction: () => new Function('return import("node:process")')().then((found) => found.default),
  eval: () => (0, eval)('process'),
  builtin: () => process.getBuiltinModule('node:process'),
  builtinOfTheReal: () => new Function('return process')().getBuiltinModule('process'),
  loaded: () => require('module')._load('process'),
  moduleConstructor: () => moduleModule.default.prototype.constructor._load('node:process'),
  compiled: () => { const made = new moduleModule.default('made'); made._compile('module.exports = process', '/made.js'); return made.exports; },
  context: () => vm.runInThisContext('process'),
  repl: () => require('repl').start({ input: new (require('stream').PassThrough)(), output: new (require('stream').PassThrough)() }).context.process,
};
const attempt = async (run) => {
  try { const found = await run(); return found === undefined ? 'undefined' : String(found).slice(0, 200); }
  catch (error) { return 'refused: ' + (error.code ?? error.message); }
};
const askProcess = (process) => ({
  env: () => Object.keys(process.env).filter((name) => name !== 'GREETING').join(),
  send: () => { if (typeof process.send === 'function') return process.send(null); },
  kill: () => process.kill(1, 'SIGUSR1'),
  exit: () => process.exit(0),
  reallyExit: () => process.reallyExit(0),
  binding: () => process.binding('spawn_sync'),
  dlopen: () => process.dlopen({ exports: {} }, '/none.node'),
  chdir: () => process.chdir('/'),
  debug: () => process._debugProcess(process.pid),
  handles: () => process._getActiveHandles().length,
});
async function look({ files, folder, own }) {
  const found = {};
  for (const [road, open] of Object.entries(roads)) {
    let process;
    try { process = await open(); } catch (error) { found[road] = 'refused: ' + error.message; continue; }
    if (process === undefined) { found[road] = 'undefined'; continue; }
    found[road] = {};
    for (const [name, run] of Object.entries(askProcess(process))) found[road][name] = await attempt(run);
  }
  const secrets = {};
  const url = (path) => 'file://' + path;
  for (const file of files) secrets[file] = {
    read: await attempt(() => fs.readFileSync(file, 'latin1')),
    required: await attempt(() => require('fs').readFileSync(file, 'latin1')),
    promise: await attempt(() => fs.promises.readFile(file, 'latin1')),
    stream: await attempt(() => new Promise((resolve, reject) => fs.createReadStream(file).on('error', reject).on('data', resolve))),
    blob: await attempt(async () => (await fs.openAsBlob(file)).text()),
    copied: await attempt(() => fs.copyFileSync(file, own + '/copy')),
    linked: await attempt(() => fs.linkSync(file, own + '/hard')),
    symbolic: await attempt(() => { fs.symlinkSync(file, own + '/soft'); return fs.readFileSync(own + '/soft', 'latin1'); }),
    around: await attempt(() => fs.readFileSync(own + '/../../' + file.slice(folder.length + 1), 'latin1')),
    imported: await attempt(() => import(url(file)).then(() => 'imported')),
    requiredAsCode: await attempt(() => { require(file); return 'loaded'; }),
    written: await attempt(() => fs.appendFileSync(file, 'x')),
    removed: await attempt(() => { fs.rmSync(file); return 'removed'; }),
    database: await attempt(() => { new (require('node:sqlite').DatabaseSync)(file); return 'opened'; }),
    attached: await attempt(() => { new (require('node:sqlite').DatabaseSync)(':memory:').exec("ATTACH '" + file + "' AS x"); return 'attached'; }),
  };
  const listen = (server, ...where) => attempt(() => new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(...where, () => { resolve('listens on ' + JSON.stringify(server.address())); server.close(); });
  }));
  const doors = {
    net: await listen(net.createServer(), 0, '0.0.0.0'),
    netByRequire: await listen(require('net').createServer(), 0),
    http: await listen(require('http').createServer(), 0, '0.0.0.0'),
    https: await listen(require('https').createServer(), 0),
    http2: await listen(require('http2').createServer(), 0),
    path: await listen(net.createServer(), own + '/door.sock'),
    internal: await attempt(() => { const server = net.createServer(); server._listen2('0.0.0.0', 0, 4); return 'listens'; }),
    handle: await attempt(() => {
      const socket = net.connect(1, '127.0.0.1').on('error', () => {});
      const handle = socket._handle ?? new net.Socket({ fd: 0 })._handle;
      const { constructor } = Object.getPrototypeOf(handle);
      const made = new constructor(1);
      const bound = made.bind?.('0.0.0.0', 0);
      return 'listen: ' + (made.listen(1) < 0 ? 'refused' : 'yes ' + bound);
    }),
    datagram: await attempt(() => { require('dgram').createSocket('udp4').bind(0); return 'bound'; }),
    environment: await attempt(() => fs.readFileSync('/proc/self/environ', 'latin1')),
    parent: await attempt(() => fs.readdirSync('/proc/' + new Function('return process')().ppid + '/fd')),
    inspector: await attempt(() => { require('inspector').open(0, '127.0.0.1'); return 'opened'; }),
    thread: await attempt(() => { new (require('worker_threads').Worker)('0', { eval: true }); return 'started'; }),
    program: await attempt(() => { const { error } = require('child_process').spawnSync('true'); if (error) throw error; return 'ran'; }),
    wasi: await attempt(() => { new (require('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }); return 'made'; }),
    report: await attempt(() => { new Function('return process')().report.writeReport(folder + '/report.json'); return 'written'; }),
    heap: await attempt(() => { require('v8').writeHeapSnapshot(folder + '/heap'); return 'written'; }),
    list: await attempt(() => fs.readdirSync(folder).join()),
  };
  return { found, secrets, doors };
}

const frame = (value) => {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
};
// Those behind them are its own files: what it stores is its own to break.
const descriptors = [0, 1, 2, 3, 4, 5];
const everywhere = (bytes) => { for (const fd of descriptors) try { fs.writeSync(fd, bytes); } catch {} };
const forEver = (bytes) => { for (let count = 0; count < 2_000; count++) everywhere(bytes); };
const ways = {
  'a line that is not JSON': () => everywhere('x\\n'),
  'null': () => everywhere('null\\n'),
  'a list': () => everywhere('[]\\n'),
  'another process to be ended': ({ pid }) => everywhere('{"kind":"stuck","orphan":' + pid + ',"ms":1,"work":{}}\\n'),
  'a statement of another process': ({ pid }) => everywhere('{"kind":"statement","orphan":' + pid + ',"ms":1e9,"work":{"object":"x"}}\\n'),
  'itself stuck': () => everywhere('{"kind":"stuck","ms":1,"work":{"object":"Door 1"}}\\n'),
  'much memory': () => everywhere('{"kind":"beat","residentBytes":1e300}\\n'),
  'no memory': () => everywhere('{"kind":"beat","residentBytes":{}}\\n'),
  'a frame of nothing': () => everywhere(Buffer.alloc(64)),
  'a frame without end': () => everywhere(Buffer.alloc(64, 255)),
  'a frame of null': () => everywhere(frame(null)),
  'ready twice': () => everywhere(frame({ kind: 'ready', value: { classes: null } })),
  'a message of nothing': () => everywhere(frame({ kind: 'message' })),
  'metrics of nobody': () => everywhere(frame({ kind: 'message', body: { kind: 'metrics', id: undefined, families: [{}] } })),
  'metrics of another': () => everywhere(frame({ kind: 'message', body: { kind: 'metrics', id: undefined, families: [
    { name: 'gatehouse_worker_requests_total', help: '', type: 'counter', points: [{ labels: { worker: 'calm' }, value: 1e9 }] }] } })),
  'an outcome of nobody': () => everywhere(frame({ kind: 'message', body: { kind: 'consumed', id: 1, outcome: 7 } })),
  'a call that is none': () => everywhere(frame({ kind: 'message', body: { kind: 'call', text: '{' } })),
  'exports that are none': () => everywhere(frame({ kind: 'message', body: { kind: 'loaded', exports: null } })),
  'a handle of Node': () => everywhere(Buffer.concat([Buffer.from([0, 0, 0, 40]), serialize({ cmd: 'NODE_HANDLE', type: 'none' })])),
  'an acknowledgement of Node': () => everywhere('{"cmd":"NODE_HANDLE_ACK"}\\n'),
  'an entry of the log': () => everywhere('{"time":"x","level":"error","message":"made up","error":null,"process":"program"}\\n'),
  'a deep entry of the log': () => everywhere('{"time":"x","level":"error","message":"m","a":' + '['.repeat(20000) + ']'.repeat(20000) + '}\\n'),
  'a line without end': () => forEver(Buffer.alloc(65_536, 'x')),
  'lines without end': () => forEver(Buffer.alloc(65_536, '\\n')),
  'beats without end': () => forEver('{"kind":"beat"}\\n'.repeat(2_000)),
  'messages without end': () => { const bytes = frame({ kind: 'stopping' }); for (let count = 0; count < 20_000; count++) try { fs.writeSync(5, bytes); } catch {} },
  'entries of the log without end': () => { const line = '{"time":"x","level":"debug","message":"m"}\\n'.repeat(500); for (let count = 0; count < 20_000; count++) try { fs.writeSync(2, line); } catch {} },
  'closed descriptors': () => { for (const fd of descriptors.slice(3)) try { fs.closeSync(fd); } catch {} },
  'send of the real process': () => require('process').send?.(null),
  'exit': () => require('process').exit(1),
  'reallyExit': () => require('process').reallyExit(1),
  'abort': () => require('process').abort(),
  'a signal to the program': () => { const { ppid, kill } = require('process'); kill(ppid, 'SIGKILL'); },
  'a rejection': () => void Promise.reject(new Error('of nobody')),
  'an error later': () => void setTimeout(() => { throw new Error('later'); }, 0),
  'no prototype': () => { delete Array.prototype.map; delete Map.prototype.get; },
  'no listeners': () => new Function('return process')().removeAllListeners(),
  'memory': () => { const kept = []; for (;;) kept.push(new Array(10_000_000).fill(1.5)); },
};
async function attack(name, facts) {
  try { await ways[name](facts); return 'done'; } catch (error) { return 'refused: ' + (error.code ?? error.message); }
}
`;

/** The names of the ways, in their order. */
export const ways: readonly string[] = Array.from(
  code.slice(code.indexOf('const ways = {')).matchAll(/^ {2}'([^']+)':/gm),
  ([, name]) => name!,
);

const answer = `async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/look')) return Response.json(await look(await request.json()));
  if (pathname.endsWith('/attack')) { const { way, ...facts } = await request.json(); return new Response(await attack(way, facts)); }
  return new Response('fine');
}`;

/** Asks the object for paths that begin with `/object`. */
export const hostileWorker = `
import { DurableObject } from 'cloudflare:workers';
${code}
const answer = ${answer};
export class Door extends DurableObject {
  async fetch(request) {
    await this.ctx.storage.put('seen', ((await this.ctx.storage.get('seen')) ?? 0) + 1);
    return await answer(request);
  }
}
export default {
  fetch: (request, env) =>
    new URL(request.url).pathname.startsWith('/object') ? env.DOOR.getByName('a').fetch(request) : answer(request),
};`;
