/**
 * The clients that a Worker has without packages, in the forms in which people call them. Each is given a place (`host` as an
 * option, `urlHost` as in a URL, `port`) and resolves if it has reached it.
 */
import { connect as connectAsWorker } from 'cloudflare:sockets';
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';

/** Resolves at the first of these events. */
export function settle(emitter, ...events) {
  const { promise, resolve, reject } = Promise.withResolvers();
  emitter.on('error', reject);
  emitter.on('close', () => reject(new Error('closed')));
  for (const event of events) emitter.on(event, () => resolve('reached'));
  return promise.finally(() => emitter.destroy?.());
}

const get = (...args) => settle(http.get(...args), 'response');
const getSecurely = (...args) => settle(https.get(...args), 'response');
const insecure = { rejectUnauthorized: false };
export const urlOf = ({ urlHost, port, path = '/' }, scheme = 'http') =>
  `${scheme}://${urlHost}:${port}${path}`;

/** Answers every name with the address of this machine. */
const findLoopback = (_name, options, found) =>
  options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4);

/** An agent that opens its connections itself. */
class OwnAgent extends http.Agent {
  createConnection({ host, port }, connected) {
    return net.connect({ host, port, path: null }, connected);
  }
}

async function answered(url, ...rest) {
  const response = await fetch(url, ...rest);
  await response.arrayBuffer();
}

export const clients = {
  fetch: (place) => answered(urlOf(place)),
  'fetch, Request': (place) => answered(new Request(urlOf(place))),
  WebSocket: async (place) => {
    const socket = new WebSocket(urlOf(place, 'ws'));
    const { promise, resolve, reject } = Promise.withResolvers();
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', () => reject(new Error('closed')));
    await promise;
    socket.close();
  },
  EventSource: async (place) => {
    const source = new EventSource(urlOf(place));
    const { promise, resolve, reject } = Promise.withResolvers();
    source.addEventListener('open', resolve);
    source.addEventListener('error', () => reject(new Error('failed')));
    await promise.finally(() => source.close());
  },
  'cloudflare:sockets': async ({ host, port }) => {
    const socket = connectAsWorker({ hostname: host, port });
    await socket.opened;
    await socket.close();
  },
  'cloudflare:sockets, text, TLS': async ({ urlHost, port }) => {
    await connectAsWorker(`${urlHost}:${port}`, { secureTransport: 'on' }).opened;
  },
  'http, URL as text': (place) => get(urlOf(place)),
  'http, URL': (place) => get(new URL(urlOf(place))),
  'http, options': ({ host, port }) => get({ host, port }),
  'http, hostname, no agent': ({ host, port }) => get({ hostname: host, port: String(port), agent: false }),
  'http, agent that keeps alive': ({ host, port }) =>
    get({ host, port, agent: new http.Agent({ keepAlive: true }) }),
  'http, agent with createConnection': ({ host, port }) => get({ host, port, agent: new OwnAgent() }),
  'http, createConnection': ({ host, port }) => get({ createConnection: () => net.connect(port, host) }),
  'http, lookup': ({ port }) => get({ host: 'name.invalid', port, lookup: findLoopback }),
  'http, localAddress': ({ host, port }) => get({ host, port, localAddress: '127.0.0.1' }),
  https: (place) => getSecurely(urlOf(place, 'https'), insecure),
  'https, options': ({ host, port }) => getSecurely({ host, port, ...insecure, agent: false }),
  http2: (place) => settle(http2.connect(urlOf(place)), 'connect'),
  'net, port and host': ({ host, port }) => settle(net.connect(port, host), 'connect'),
  'net, port in hexadecimal': ({ host, port }) =>
    settle(net.connect(`0x${port.toString(16)}`, host), 'connect'),
  'net, path null': ({ host, port }) => settle(net.connect({ host, port, path: null }), 'connect'),
  'net, path undefined': ({ host, port }) => settle(net.connect({ host, port, path: undefined }), 'connect'),
  'net, path empty': ({ host, port }) => settle(net.connect({ host, port, path: '' }), 'connect'),
  'net, Socket.connect': ({ host, port }) => settle(new net.Socket().connect({ host, port }), 'connect'),
  tls: ({ host, port }) => settle(tls.connect({ host, port, ...insecure }), 'secureConnect'),
  dgram: async ({ host, port }) => {
    const socket = dgram.createSocket('udp4');
    const { promise, resolve, reject } = Promise.withResolvers();
    socket.send('hello', port, host, (error) => (error ? reject(error) : resolve()));
    await promise.finally(() => socket.close());
  },
  'dns, setServers': async ({ host, port }) => {
    const resolver = new dns.promises.Resolver({ timeout: 100, tries: 1 });
    resolver.setServers([host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`]);
    await resolver.resolve4('name.invalid');
  },
};
