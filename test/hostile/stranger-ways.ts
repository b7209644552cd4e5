/** Attempts of visitors without credentials, at the API, the edge and the admin port. */
import { asVisitor, hold, leave, say, type Way } from './way.ts';

const http = (line: string, fields = ''): string => `${line} HTTP/1.1\r\nhost: h\r\n${fields}\r\n`;
const json = 'content-type: application/json\r\n';

export const strangerWays: readonly Way[] = [
  { name: 'silent connections to the API', run: hold('api', '') },
  { name: 'half a head to the API', run: hold('api', 'GET /client/v4/zones HTTP/1.1\r\nhost:') },
  {
    name: 'sign-ins without their body',
    run: hold('api', `${http('POST /session', `${json}content-length: 100\r\n`)}{`),
  },
  { name: 'the OpenAPI document, unread', run: hold('api', http('GET /openapi.json').repeat(20), 100) },
  { name: 'many requests at once, unread', run: hold('api', http('GET /livez').repeat(500), 20) },
  { name: 'requests that are left', run: leave('api', http('GET /openapi.json')) },
  { name: 'heads that are too large', run: say('api', http('GET /', `x: ${'a'.repeat(60_000)}\r\n`)) },
  { name: 'bytes that are not HTTP', run: say('api', '\0\u00ff\r\n\r\n'.repeat(5_000)) },
  {
    name: 'a method nobody knows, and CONNECT',
    run: leave('api', `${http('BREW /')}${http('CONNECT a.test:1')}`),
  },
  {
    name: 'chunks without an end',
    run: say(
      'api',
      http('POST /client/v4/zones', `${json}transfer-encoding: chunked\r\n`) + 'a;'.repeat(20_000),
    ),
  },
  {
    name: 'uploads that nothing waits for',
    run: leave('api', `${http('PUT /d1-transfers/none', 'content-length: 9\r\n')}1`),
  },
  {
    name: 'WebSockets that nothing waits for',
    run: leave(
      'api',
      http(
        'GET /worker-tails/none',
        'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
      ),
    ),
  },
  { name: 'silent connections to the edge', run: hold('edge', '') },
  { name: 'bodies that do not come', run: hold('edge', asVisitor('POST /', 'content-length: 100\r\n')) },
  { name: 'answers that are not read', needsWorker: true, run: hold('edge', asVisitor('GET /large')) },
  { name: 'streams that are not read', needsWorker: true, run: hold('edge', asVisitor('GET /stream'), 50) },
  { name: 'answers that are left', needsWorker: true, run: leave('edge', asVisitor('GET /large')) },
  {
    name: 'requests without an end, pipelined',
    run: hold('edge', (hostile) => `GET / HTTP/1.1\r\nhost: ${hostile.host}\r\n\r\n`.repeat(1_000), 20),
  },
  { name: 'bytes that are not HTTP, to the edge', run: say('edge', '\0\u00ff\r\n\r\n'.repeat(5_000)) },
  {
    name: 'chunk extensions',
    run: say(
      'edge',
      (hostile) =>
        `POST / HTTP/1.1\r\nhost: ${hostile.host}\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(100_000)}`,
    ),
  },
  { name: 'names that no zone has', run: leave('edge', http('GET /')) },
  { name: 'silent connections to the admin port', run: hold('admin', '') },
  { name: 'metrics that are left', run: leave('admin', http('GET /metrics')) },
];
