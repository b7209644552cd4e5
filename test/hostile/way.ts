/**
 * An attacker who wants to crash or stall the program: a visitor without credentials, a read-only token, or a Worker.
 * Each of the three is a file of this folder with a list of ways, a row each; a way is tried until the signal.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { repeat } from '../neighbours/neighbour.ts';
import type { HostileSite } from './hostile-site.ts';

export interface Way {
  readonly name: string;
  /** The hostile Worker serves when the way starts. */
  readonly needsWorker?: boolean;
  run(hostile: HostileSite, signal: AbortSignal): Promise<unknown>;
}

export type Text = string | ((hostile: HostileSite) => string);
type Door = 'api' | 'edge' | 'admin';

/** Connections of one client at a time: more than a process with few descriptors can have. */
const crowd = 400;

function open({ site: { ready } }: HostileSite, door: Door): Socket {
  const { hostname, port } = new URL(ready[door]!);
  return connect(Number(port), hostname).on('error', () => {});
}

/** Resolves when the bytes are sent, or the connection was refused. */
async function send(socket: Socket, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  socket.once('connect', () => socket.write(text, () => resolve()));
  await promise;
}

const write = (text: Text, hostile: HostileSite): string => (typeof text === 'string' ? text : text(hostile));

/** Opens many connections, sends some bytes on each, and then neither reads nor sends any more. */
export function hold(door: Door, text: Text, count = crowd): Way['run'] {
  return async (hostile, signal) => {
    const sockets = Array.from({ length: count }, () => open(hostile, door).pause());
    await Promise.all(sockets.map((socket) => send(socket, write(text, hostile))));
    if (!signal.aborted) await once(signal, 'abort');
    for (const socket of sockets) socket.destroy();
  };
}

/** Repeatedly sends some bytes and disconnects. */
export function leave(door: Door, text: Text, clients = 20): Way['run'] {
  return (hostile, signal) =>
    repeat(clients, signal, async () => {
      const socket = open(hostile, door);
      await send(socket, write(text, hostile));
      socket.destroy();
    });
}

/** Sends some bytes, and reads until the other side closes or the time is over. */
export function say(door: Door, text: Text, clients = 8): Way['run'] {
  return (hostile, signal) =>
    repeat(clients, signal, async () => {
      const socket = open(hostile, door).resume();
      const stop = (): void => void socket.destroy();
      signal.addEventListener('abort', stop);
      socket.once('connect', () => socket.write(write(text, hostile)));
      await once(socket, 'close');
      signal.removeEventListener('abort', stop);
    });
}

/** A request to the API, with a body of JSON unless it is empty. */
export const asReader =
  (line: string, body: string): Text =>
  (hostile) =>
    [
      `${fill(line, hostile)} HTTP/1.1`,
      'host: h',
      `authorization: Bearer ${hostile.token}`,
      ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
      `\r\n${body}`,
    ].join('\r\n');

/** To the zone of the hostile Worker. */
export const asVisitor =
  (line: string, fields = ''): Text =>
  (hostile) =>
    `${line} HTTP/1.1\r\nhost: ${hostile.host}\r\n${fields}\r\n`;

/** Calls the API with the token, and reads the answer. */
export function call(line: string, body?: object, clients = 8): Way['run'] {
  return (hostile, signal) =>
    repeat(clients, signal, async () => {
      const [method, path] = fill(line, hostile).split(' ') as [string, string];
      const { origin } = new URL(hostile.site.ready.api);
      const answer = await fetch(`${origin}${path}`, {
        method,
        signal,
        headers: { authorization: `Bearer ${hostile.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
    });
}

function fill(line: string, { site, objects }: HostileSite): string {
  const { zone, ready } = site;
  return line
    .replace('{api}', '/client/v4')
    .replace('{objects}', `/client/v4${objects}`)
    .replace('{zone}', `/client/v4/zones/${zone.id}`)
    .replace('{account}', `/client/v4/accounts/${ready.account_id}`);
}
