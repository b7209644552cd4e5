/** Small programs, each using one package, and their responses: the files of `small/`. */
import type { Question } from './questions.ts';
import { streamQuestions } from './streams.ts';

const users: Question = { path: '/users/5', answer: /^\{"id":"5"/ };
const newUser: Question = { path: '/users', body: '{"name":"Ada"}', status: 201, answer: /^Ada$/ };
const home = (answer: RegExp): Question => ({ path: '/', answer });

const mcpHeaders = { accept: 'application/json, text/event-stream' };

/** Where a browser would send it from. */
const fromAuth = { origin: 'http://auth.example' };

export const smallPrograms: Readonly<Record<string, readonly Question[]>> = {
  ai: [home(/^generated$/), { path: '/stream', answer: /^streamed$/ }],
  apollo: [{ path: '/', body: '{"query":"{ hello }"}', answer: /^\{"data":\{"hello":"hello"\}\}\s*$/ }],
  aws4fetch: [{ path: '/a', answer: /Credential=A\/20260101\/auto\/s3\/aws4_request/ }],
  bcrypt: [home(/"right":true,"wrong":false/)],
  'better-auth': [
    {
      path: '/api/auth/sign-up/email',
      headers: fromAuth,
      body: '{"email":"ada@example.com","password":"long enough","name":"Ada"}',
      answer: /"name":"Ada","signedIn":true/,
    },
    {
      path: '/api/auth/sign-in/email',
      headers: fromAuth,
      body: '{"email":"ada@example.com","password":"not this one"}',
      status: 401,
      answer: /INVALID_EMAIL_OR_PASSWORD/,
    },
    { path: '/api/auth/ok', answer: /"ok":true/ },
  ],
  chanfana: [users, { path: '/openapi.json', answer: /"\/users\/\{id\}"/ }],
  cheerio: [home(/^\{"items":\["a","b"\],"x":1\}$/)],
  csv: [home(/^\{"data":\[\{"a":"1","b":"2,3"\}\],"errors":\[\]/)],
  effect: [
    { path: '/a', answer: /^\{"path":"\/a"\}$/ },
    { path: '/absent', status: 404, answer: /^absent$/ },
  ],
  elysia: [
    users,
    { ...newUser, status: 200 },
    { path: '/users', body: '{}', status: 422, answer: /validation/ },
  ],
  express: [users, newUser, { path: '/absent', status: 404, answer: /Cannot GET \/absent/ }],
  fastify: [users, newUser, { path: '/absent', status: 404, answer: /Route GET:\/absent not found/ }],
  fflate: [{ path: '/some/text', answer: /^\[true,true,true\]$/ }],
  'graphql-http': [
    {
      path: '/',
      body: '{"query":"{ hello(name: \\"you\\") }"}',
      answer: /^\{"data":\{"hello":"hello you"\}\}$/,
    },
    {
      path: '/',
      headers: { accept: 'application/graphql-response+json' },
      body: '{"query":"{ absent }"}',
      status: 400,
      answer: /Cannot query field/,
    },
  ],
  h3: [users, { path: '/absent', status: 404, answer: /404/ }],
  immer: [home(/"next":\{"a":\[1,2,3\].*"isShared":true/)],
  'itty-router': [users, { path: '/absent', status: 404, answer: /nothing here/ }],
  jose: [{ path: '/a', answer: /^\{"path":"\/a","alg":"HS256"\}$/ }],
  jsonwebtoken: [{ path: '/a', answer: /"payload":\{"path":"\/a","iat":1\},"message":"invalid signature"/ }],
  jszip: [{ path: '/a', answer: /"text":"\/a"/ }],
  koa: [{ path: '/a?b=1', answer: /^\{"path":"\/a","query":\{"b":"1"\}\}$/ }],
  linkedom: [{ path: '/a', answer: /^<p (?:id="a" title="\/a"|title="\/a" id="a")>one<\/p>$/ }],
  liquid: [{ path: '/a', answer: /^2 4 6 \/A$/ }],
  luxon: [home(/"later":"2026-03-29T03:30:00\.000\+02:00","text":"29 mars 2026"/)],
  'markdown-it': [
    home(/<a href="https:\/\/example\.com">/),
    { path: '/', body: '**b**', answer: /<strong>b/ },
  ],
  marked: [home(/^<h1><em>empty<\/em><\/h1>/), { path: '/', body: '- a\n- b', answer: /<li>b<\/li>/ }],
  mcp: [
    {
      path: '/mcp',
      headers: mcpHeaders,
      body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
      answer: /"serverInfo":\{"name":"adder"/,
    },
    {
      path: '/mcp',
      headers: mcpHeaders,
      body: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}',
      answer: /"text":"5"/,
    },
  ],
  mustache: [{ path: '/?a=<b>', answer: /^<1><2> \?a&#x3D;%3Cb%3E$/ }],
  noble: [{ path: '/a', answer: /^[\da-f]{64}$/ }],
  ofetch: [home(/^\{"tried":\["\?q=1","\?q=1"\]\}$/)],
  openai: [home(/^Hello$/)],
  openauth: [
    { path: '/.well-known/oauth-authorization-server', answer: /"token_endpoint"/ },
    { path: '/absent', status: 404, answer: /Not Found/ },
  ],
  pdf: [{ path: '/a', answer: /^JVBERi0/ }],
  pothos: [
    {
      path: `/?query=${encodeURIComponent('{ double(n: 4) }')}`,
      headers: { accept: 'application/json' },
      answer: /^\{"data":\{"double":8\}\}$/,
    },
  ],
  preact: [{ path: '/a', answer: /^<p class="path">\/a &amp; more<\/p>$/ }],
  qrcode: [{ path: '/a', answer: /^<svg/ }],
  react: [{ path: '/a', answer: /<b>\/a<\/b>/ }],
  resvg: [home(/^iVBORw0KGgo/)],
  rxjs: [home(/^\[3,4,6\]$/)],
  sentry: [home(/^said$/), { path: '/sent', answer: /"event"/ }],
  solid: [{ path: '/a', answer: /^<p>\/a<\/p>$/ }],
  streams: streamQuestions,
  stripe: [home(/"id":"evt_1"/), { path: '/wrong', status: 400, answer: /StripeSignatureVerificationError/ }],
  trpc: [
    {
      path: `/trpc/user?input=${encodeURIComponent('{"json":{"id":"5"}}')}`,
      answer: /"json":\{"id":"5","at":"1970-01-01T00:00:00\.005Z"\}/,
    },
    { path: '/trpc/absent', status: 404, answer: /No procedure found/ },
  ],
  unstorage: [home(/"keys":\["users:a"\]/), { path: '/b', answer: /"keys":\["users:a","users:b"\]/ }],
  valibot: [
    { path: '/', body: '{"name":"Ada","mail":"a@b.example"}', status: 201, answer: /"name":"Ada"/ },
    { path: '/', body: '{"name":"A","mail":"no"}', status: 422, answer: /Invalid length/ },
  ],
  vue: [{ path: '/a', answer: /^<p class="path">\/a<\/p>$/ }],
  xml: [home(/"parsed":\{"a":\{"c":2,"@_b":"1"\}\}/)],
  yaml: [home(/^\{"a":\[1,2\],"b":\{"c":true\},"d":\{"c":true\}\}/)],
  yoga: [
    {
      path: `/?query=${encodeURIComponent('{ user(id: "5") { name } }')}`,
      answer: /^\{"data":\{"user":\{"name":"user 5"\}\}\}$/,
    },
  ],
  'zod-openapi': [
    users,
    { path: '/users/x', status: 400, answer: /invalid|pattern/i },
    { path: '/openapi.json', answer: /"\/users\/\{id\}"/ },
  ],
};
