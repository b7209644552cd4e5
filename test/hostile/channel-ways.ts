/**
 * What a hostile Worker writes to the descriptors of its process to impersonate the program, and how it ends its own
 * process: each row is the body of a handler that also has `pid`, the id of another process.
 */
import type { WorkerWay } from './worker-ways.ts';

/** Helper functions of the rows. */
export const channelTools = `
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { serialize } from 'node:v8';
const require = createRequire('file:///worker.js');
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
`;

export const channelWays: readonly WorkerWay[] = [
  { name: 'a line that is not JSON', code: `everywhere('x\\n');` },
  { name: 'null', code: `everywhere('null\\n');` },
  { name: 'a list', code: `everywhere('[]\\n');` },
  {
    name: 'another process to be ended',
    code: `everywhere('{"kind":"stuck","orphan":' + pid + ',"ms":1,"work":{}}\\n');`,
  },
  {
    name: 'a statement of another process',
    code: `everywhere('{"kind":"statement","orphan":' + pid + ',"ms":1e9,"work":{"object":"x"}}\\n');`,
  },
  { name: 'itself stuck', code: `everywhere('{"kind":"stuck","ms":1,"work":{"object":"Door 1"}}\\n');` },
  { name: 'much memory', code: `everywhere('{"kind":"beat","residentBytes":1e300}\\n');` },
  { name: 'no memory', code: `everywhere('{"kind":"beat","residentBytes":{}}\\n');` },
  { name: 'a frame of nothing', code: 'everywhere(Buffer.alloc(64));' },
  { name: 'a frame without end', code: 'everywhere(Buffer.alloc(64, 255));' },
  { name: 'a frame of null', code: 'everywhere(frame(null));' },
  { name: 'ready twice', code: "everywhere(frame({ kind: 'ready', value: { classes: null } }));" },
  { name: 'a message of nothing', code: "everywhere(frame({ kind: 'message' }));" },
  {
    name: 'metrics of nobody',
    code: "everywhere(frame({ kind: 'message', body: { kind: 'metrics', id: undefined, families: [{}] } }));",
  },
  {
    name: 'metrics of another',
    code: "everywhere(frame({ kind: 'message', body: { kind: 'metrics', id: undefined, families: [ { name: 'gatehouse_worker_requests_total', help: '', type: 'counter', points: [{ labels: { worker: 'calm' }, value: 1e9 }] }] } }));",
  },
  {
    name: 'an outcome of nobody',
    code: "everywhere(frame({ kind: 'message', body: { kind: 'consumed', id: 1, outcome: 7 } }));",
  },
  {
    name: 'a call that is none',
    code: "everywhere(frame({ kind: 'message', body: { kind: 'call', text: '{' } }));",
  },
  {
    name: 'exports that are none',
    code: "everywhere(frame({ kind: 'message', body: { kind: 'loaded', exports: null } }));",
  },
  {
    name: 'a handle of Node',
    code: "everywhere(Buffer.concat([Buffer.from([0, 0, 0, 40]), serialize({ cmd: 'NODE_HANDLE', type: 'none' })]));",
  },
  { name: 'an acknowledgement of Node', code: `everywhere('{"cmd":"NODE_HANDLE_ACK"}\\n');` },
  {
    name: 'an entry of the log',
    code: `everywhere('{"time":"x","level":"error","message":"made up","error":null,"process":"program"}\\n');`,
  },
  {
    name: 'a deep entry of the log',
    code: `everywhere('{"time":"x","level":"error","message":"m","a":' + '['.repeat(20000) + ']'.repeat(20000) + '}\\n');`,
  },
  { name: 'a line without end', code: "forEver(Buffer.alloc(65_536, 'x'));" },
  { name: 'lines without end', code: `forEver(Buffer.alloc(65_536, '\\n'));` },
  { name: 'beats without end', code: `forEver('{"kind":"beat"}\\n'.repeat(2_000));` },
  {
    name: 'messages without end',
    code: "const bytes = frame({ kind: 'stopping' }); for (let count = 0; count < 20_000; count++) try { fs.writeSync(5, bytes); } catch {};",
  },
  {
    name: 'entries of the log without end',
    code: `const line = '{"time":"x","level":"debug","message":"m"}\\n'.repeat(500); for (let count = 0; count < 20_000; count++) try { fs.writeSync(2, line); } catch {};`,
  },
  {
    name: 'closed descriptors',
    code: 'for (const fd of descriptors.slice(3)) try { fs.closeSync(fd); } catch {};',
  },
  { name: 'send of the real process', code: "require('process').send?.(null);" },
  { name: 'exit', code: "require('process').exit(1);" },
  { name: 'reallyExit', code: "require('process').reallyExit(1);" },
  { name: 'abort', code: "require('process').abort();" },
  {
    name: 'a signal to the program',
    code: "const { ppid, kill } = require('process'); kill(ppid, 'SIGKILL');",
  },
  { name: 'no prototype', code: 'delete Array.prototype.map; delete Map.prototype.get;' },
  { name: 'no listeners', code: "new Function('return process')().removeAllListeners();" },
];
