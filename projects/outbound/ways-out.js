/** Ways to a place that are no client of the network: sockets of the file system, and other processes and threads. */
import { spawn, spawnSync } from 'node:child_process';
import cluster from 'node:cluster';
import http from 'node:http';
import inspector from 'node:inspector';
import { createRequire, register } from 'node:module';
import net from 'node:net';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { settle } from './built-in-clients.js';

const require = createRequire('/');

export const socketClients = {
  'http, socketPath': (path) => settle(http.get({ socketPath: path }), 'response'),
  'net, path': (path) => settle(net.connect(path), 'connect'),
  'net, path with ..': (path) =>
    settle(net.connect(path.replace(/([^/]+)\/([^/]+)$/, '$1/../$1/$2')), 'connect'),
};

/** A program that connects to a port. */
const connecting = (port) =>
  `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0))`;

export const ways = {
  'child_process.spawn': (port) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ['-e', connecting(port)]);
      child.on('close', resolve).on('error', reject);
    }),
  'child_process.spawnSync': (port) => {
    const { status } = spawnSync(process.execPath, ['-e', connecting(port)]);
    if (status !== 0) throw new Error(`ended with ${status}`);
  },
  'process.getBuiltinModule': (port) => {
    process.getBuiltinModule('child_process').execFileSync(process.execPath, ['-e', connecting(port)]);
  },
  'module.createRequire': (port) => {
    require('node:child_process').execFileSync(process.execPath, ['-e', connecting(port)]);
  },
  'import()': async (port) => {
    const { execFileSync } = await import('node:child_process');
    execFileSync(process.execPath, ['-e', connecting(port)]);
  },
  worker_threads: (port) =>
    settle(
      new Worker(connecting(port).replace('process.exit(0)', 'process.exit(7)'), { eval: true }),
      'exit',
    ),
  'node:cluster': () => settle(cluster.fork(), 'online'),
  'node:inspector': () => {
    inspector.open(0, '127.0.0.1');
    inspector.close();
  },
  'node:vm': (port) => {
    const connect = vm.runInThisContext(
      '(port) => process.getBuiltinModule("net").connect({ port, path: null })',
    );
    return settle(connect(port), 'connect');
  },
  'module.register': () => register('data:text/javascript,export {}'),
  'node:ffi': () => void process.getBuiltinModule('node:ffi').dlopen('libc.so.6'),
  'process.binding': () => void process.binding('tcp_wrap').TCP,
};
