/**
 * The thread of the admin port. It answers `/livez` itself, so that the answer does not wait for the program: 200 if
 * the program has shown within the last seconds that its event loop turns. The program answers everything else; if it
 * does not, the thread answers 503.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { listen } from '#listeners';
import {
  adminAnswerMs,
  adminConnectionsMax,
  headerBytesMax,
  headersTimeoutMs,
  keepAliveMs,
  timeoutCheckMs,
} from '../limits.ts';
import {
  type AdminAnswer,
  type AdminThreadData,
  type FromAdminThread,
  nowOfThreads,
  type ToAdminThread,
} from './admin-messages.ts';
import { hasLeft } from '../listening/left.ts';
import { limitConnections } from '../listening/connection-budget.ts';

const { fd, host, beat, liveMs } = workerData as AdminThreadData;
const beats = new Float64Array(beat);
const port = parentPort!;
/** Requests that the program has not answered yet. */
const waiting = new Map<number, (answer: Omit<AdminAnswer, 'number'>) => void>();
let number = 0;

const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

const server = createServer(
  {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    maxHeaderSize: headerBytesMax,
  },
  (request, response) => {
    // No request here needs a body; any that is sent is discarded.
    request.resume();
    const path = request.url!.split('?', 1)[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/livez' && isRead) write(response, judgeLife());
    else void forward(request, response);
  },
);
limitConnections(server, { connectionsMax: adminConnectionsMax, clients: 'operators' });

function judgeLife(): Omit<AdminAnswer, 'number'> {
  const silentMs = nowOfThreads() - beats[0]!;
  if (silentMs <= liveMs) return { status: 200, headers: text, body: 'ok\n' };
  const body = `the program has not answered for ${Math.round(silentMs / 1_000)} s\n`;
  return { status: 503, headers: text, body };
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (await hasLeft(request)) return;
  const { method, url, headers, socket } = request;
  const mine = ++number;
  const settle = (answer: Omit<AdminAnswer, 'number'>): void => {
    clearTimeout(timer);
    waiting.delete(mine);
    write(response, answer);
  };
  const body = `the program did not answer within ${adminAnswerMs / 1_000} s\n`;
  const timer = setTimeout(() => settle({ status: 503, headers: text, body }), adminAnswerMs);
  waiting.set(mine, settle);
  tell({ number: mine, method: method!, target: url!, headers, address: socket.remoteAddress ?? '' });
}

function write(response: ServerResponse, { status, headers, body }: Omit<AdminAnswer, 'number'>): void {
  response.writeHead(status, headers);
  response.end(body ?? undefined);
}

function tell(message: FromAdminThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(message);
}

const listening = await listen(server, { host, port: 0, handle: { fd } });
port.on('message', (message: ToAdminThread) => {
  if ('close' in message) void listening.close(message.close.graceMs).then(() => port.close());
  else waiting.get(message.number)?.(message);
});
tell({ url: listening.url });
