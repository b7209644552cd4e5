/** Questions about queues. What the consumer saw is in KV, under the name of the question. */
import { describe, how } from '../modules/describe.js';

/** How often a question looks for what the consumer has written. */
const looksMax = 400;

async function seenBy(KV, name, count) {
  for (let looks = 0; looks < looksMax; looks++) {
    const { keys } = await KV.list({ prefix: `seen/${name}/` });
    if (keys.length >= count) return Promise.all(keys.map(async ({ name: key }) => KV.get(key, 'json')));
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return 'not enough was delivered';
}

const delivered =
  (send, count) =>
  async ({ KV, QUEUE }, name) => {
    const sent = await how(() => send(QUEUE, name));
    return [sent.resolved === undefined ? sent : 'sent', await seenBy(KV, name, count)];
  };

const refused =
  (send) =>
  ({ QUEUE }) =>
    how(() => send(QUEUE));

/** Takes one batch of `queues`: each message says what is to become of it. */
export async function consume(batch, { KV }) {
  for (const message of batch.messages) {
    const { name, act = 'nothing', body } = readPlan(message.body);
    const key = `seen/${name}/${String(message.attempts).padStart(3, '0')}-${batch.queue}-${act}`;
    await KV.put(
      key,
      JSON.stringify({
        queue: batch.queue,
        attempts: message.attempts,
        body: describe(body ?? message.body),
        known: [message.id.length, message.timestamp instanceof Date],
      }),
    );
    if (batch.queue === 'dead') continue;
    if (act === 'retry once' && message.attempts === 1) message.retry();
    if (act === 'retry') message.retry({ delaySeconds: 0 });
    if (act === 'retry then ack') {
      message.retry();
      message.ack();
    }
    if (act === 'throw once' && message.attempts === 1) throw new Error('as asked');
    if (act === 'retryAll once' && message.attempts === 1) batch.retryAll();
    if (act === 'ackAll then throw') {
      batch.ackAll();
    }
  }
}

function readPlan(body) {
  if (typeof body === 'string') return { name: body };
  if (body instanceof Map) return { name: body.get('name'), body };
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer)
    return { name: new TextDecoder().decode(body), body };
  return body;
}

export const queueProbes = {
  json: delivered((queue, name) => queue.send({ name, body: { a: [1, null, 'ä'], d: new Date(0) } }), 1),
  'json by name': delivered((queue, name) => queue.send({ name, body: 1 }, { contentType: 'json' }), 1),
  text: delivered((queue, name) => queue.send(name, { contentType: 'text' }), 1),
  bytes: delivered((queue, name) => queue.send(new TextEncoder().encode(name), { contentType: 'bytes' }), 1),
  v8: delivered(
    (queue, name) =>
      queue.send(
        new Map([
          ['name', name],
          ['date', new Date(0)],
        ]),
        { contentType: 'v8' },
      ),
    1,
  ),
  'content type in capitals': delivered((queue, name) => queue.send(name, { contentType: 'TEXT' }), 1),
  batch: delivered(
    (queue, name) =>
      queue.sendBatch([
        { body: { name, act: 'a' } },
        { body: { name, act: 'b' }, delaySeconds: 0 },
        { body: { name, act: 'c' }, contentType: 'v8' },
      ]),
    3,
  ),
  'batch of a set': delivered((queue, name) => queue.sendBatch(new Set([{ body: { name } }])), 1),
  retry: delivered((queue, name) => queue.send({ name, act: 'retry once' }), 2),
  'retry to the dead letter queue': delivered((queue, name) => queue.send({ name, act: 'retry' }), 4),
  'retry, then ack': delivered((queue, name) => queue.send({ name, act: 'retry then ack' }), 4),
  throw: delivered((queue, name) => queue.send({ name, act: 'throw once' }), 2),
  retryAll: delivered((queue, name) => queue.send({ name, act: 'retryAll once' }), 2),
  'send of undefined': refused((queue) => queue.send(undefined)),
  'send of nothing': refused((queue) => queue.send()),
  'send of a function': refused((queue) => queue.send(() => 1)),
  'text of a number': refused((queue) => queue.send(5, { contentType: 'text' })),
  'bytes of a text': refused((queue) => queue.send('x', { contentType: 'bytes' })),
  'unknown content type': refused((queue) => queue.send('x', { contentType: 'xml' })),
  'batch of nothing': refused((queue) => queue.sendBatch([])),
  'batch with undefined': refused((queue) => queue.sendBatch([{ body: undefined }])),
  'batch of no list': refused((queue) => queue.sendBatch(5)),
  'message of 128001 bytes': refused((queue) => queue.send('x'.repeat(127_999))),
  'batch of 101 messages': refused((queue) =>
    queue.sendBatch(Array.from({ length: 101 }, () => ({ body: 'none' }))),
  ),
  'delay of a day and a second': refused((queue) => queue.send('x', { delaySeconds: 86_401 })),
  'delay of -1': refused((queue) => queue.send('x', { delaySeconds: -1 })),
  'members of a queue': ({ QUEUE }) => [
    QUEUE.constructor.name,
    typeof QUEUE.send,
    typeof QUEUE.sendBatch,
    typeof QUEUE.metrics,
  ],
};
