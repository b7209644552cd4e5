/**
 * A Worker that tries to reach beyond itself, from a handler and from an object: through every way to `process`, to
 * files and to other machines.
 */

/** Text for `import`; `look(target)` returns what it found. */
const code = `
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as moduleModule from 'node:module';
import * as vm from 'node:vm';
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
`;

const answer = `async (request) => {
  if (new URL(request.url).pathname.endsWith('/look')) return Response.json(await look(await request.json()));
  return new Response('fine');
}`;

/** Calls the object for paths that start with `/object`. */
export const reachWorker = `
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
