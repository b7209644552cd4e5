/** Everything at once, at random, from one seed: clients that leave, origins that break, bodies, pipelines. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type ProxyUnderTest, proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';
import { RawClient } from './raw-client.ts';
import type { Reply } from './raw-origin.ts';

const seed = 7;
const clients = 40;
const roundsPerClient = 15;

/** Numbers from 0 to 1, the same from the same seed. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const bodies = ['', 'small', 'x'.repeat(200_000)];

/** Answers with the requested path, unless the path requests a fault. */
const reply: Reply = ({ line, body }, socket) => {
  const path = line.split(' ')[1]!;
  const answer = `${path} ${body.length}`;
  if (path.includes('reset')) socket.resetAndDestroy();
  else if (path.includes('garbage')) socket.write('no HTTP at all\r\n\r\n');
  else if (path.includes('half')) socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${answer}`);
  else if (path.includes('chunked')) {
    const [first, rest] = [answer.slice(0, 3), answer.slice(3)];
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n${first}\r\n`);
    socket.write(`${rest.length.toString(16)}\r\n${rest}\r\n0\r\n\r\n`);
  } else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
};

interface Sent {
  readonly text: string;
  readonly path: string;
  readonly bodyLength: number;
}

function randomRequest(random: () => number, name: string): Sent {
  const kinds = ['ok', 'ok', 'ok', 'chunked', 'chunked', 'reset', 'garbage', 'half'];
  const path = `/${name}/${kinds[Math.floor(random() * kinds.length)]}`;
  const body = bodies[Math.floor(random() * bodies.length)]!;
  if (body === '') return { text: `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, path, bodyLength: 0 };
  const isChunked = random() < 0.5;
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const framed = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return {
    text: `POST ${path} HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${framed}`,
    path,
    bodyLength: body.length,
  };
}

async function live(under: ProxyUnderTest, random: () => number, name: string): Promise<void> {
  let client = await RawClient.connect(under.port);
  for (let round = 0; round < roundsPerClient; round++) {
    const sent = randomRequest(random, `${name}-${round}`);
    const leaves = random() < 0.2;
    client.send(leaves ? sent.text.slice(0, Math.ceil(sent.text.length * random())) : sent.text);
    if (leaves) client.socket.destroy();
    else {
      const response = await client.response();
      // No client ever gets the response to another's request.
      if (response?.status === 200) equal(response.body, `${sent.path} ${sent.bodyLength}`);
      else equal(response === undefined || response.status === 502, true);
    }
    if (client.isClosed || leaves) client = await RawClient.connect(under.port);
  }
  client.socket.destroy();
}

test('serveProxy mixes nothing up and holds nothing when clients and origins misbehave at random', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = reply;
  await Promise.all(
    Array.from({ length: clients }, (_, index) => live(under, randomFrom(seed + index), `client-${index}`)),
  );
  await eventually(() => {
    const { connections, requests, originConnections, originConnectionsIdle } = under.proxy.stats();
    return connections === 0 && requests === 0 && originConnections === originConnectionsIdle;
  }, 'a proxy at rest');
  deepEqual(under.errors, []);
  equal(under.judged.length, under.outcomes.length);
});
