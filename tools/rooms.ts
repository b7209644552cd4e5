/**
 * Parts and rooms: who may import whom, from the ground up. `rooms.test.ts` holds the tree to it; docs/ARCHITECTURE.md shows the same
 * table.
 */
export const parts: Readonly<
  Record<string, { readonly sentence: string; readonly rooms: readonly string[] }>
> = {
  foundation: {
    sentence: 'What everything stands on; nothing of the product.',
    rooms: ['base', 'processes', 'shapes', 'outbound', 'certificates', 'metrics'],
  },
  runtime: {
    sentence: 'Stateful objects, on one machine and on many.',
    rooms: [
      'row-counts',
      'sqlite',
      'journal',
      'tables',
      'values',
      'sockets',
      'rpc',
      'objects',
      'hosts',
      'cluster',
      'bindings',
      'simulator',
      'test-objects',
    ],
  },
  rules: {
    sentence: 'What a request is and what rules say about it; no sockets, no disk.',
    rooms: [
      'regex',
      'expressions',
      'detection',
      'request',
      'learning',
      'seclang',
      'zone-settings',
      'firewall',
      'managed',
    ],
  },
  traffic: {
    sentence: 'Real traffic, judged and recorded.',
    rooms: ['http2', 'events', 'logpush', 'edge'],
  },
  api: {
    sentence: 'The API and who may ask.',
    rooms: ['contract', 'client', 'operator', 'control'],
  },
  platform: {
    sentence: "Other people's programs.",
    rooms: ['workers', 'deployments', 'tested-projects', 'vitest'],
  },
  browser: {
    sentence: 'The browser program, and what serves it.',
    rooms: ['page', 'dashboard'],
  },
  program: {
    sentence: 'What joins the rest, and the command line.',
    rooms: ['observability', 'rehearsal', 'rule-tests', 'server', 'cli'],
  },
};

/** The folder of a room, and without `.ts` its door. */
export function pathOf(room: string): string {
  const [part] = Object.entries(parts).find(([, { rooms: listed }]) => listed.includes(room)) ?? [];
  if (part === undefined) throw new Error(`${room} is in no part: tools/rooms.ts`);
  return `src/${part}/${room}`;
}

export const rooms: Readonly<
  Record<string, { readonly sentence: string; readonly uses: readonly string[] }>
> = {
  base: { sentence: 'Time, assertions, files, addresses and networks: what every room stands on.', uses: [] },
  metrics: { sentence: 'Metrics: counted, read when asked for, summed over processes.', uses: ['base'] },
  processes: {
    sentence: 'Processes of ours beside this one: started, watched, ended, started again.',
    uses: ['base'],
  },
  'row-counts': {
    sentence: 'rowsRead and rowsWritten of a statement, from its bytecode and the counters of SQLite.',
    uses: [],
  },
  sqlite: {
    sentence: 'node:sqlite as a private, policed database with a readable WAL.',
    uses: ['base', 'row-counts'],
  },
  journal: { sentence: 'The durable log: checksummed records, one fdatasync for many.', uses: ['base'] },
  tables: {
    sentence: 'Sorted, checksummed runs that hold the small state of millions of objects.',
    uses: ['base'],
  },
  regex: { sentence: 'Patterns of several dialects that can never hang.', uses: ['base'] },
  expressions: {
    sentence: 'The rules language: parse, check, compile, explain, print.',
    uses: ['base', 'regex'],
  },
  detection: {
    sentence:
      'Detectors that read a text as SQL, markup, commands or paths, and say whether it is an attack.',
    uses: ['base', 'regex'],
  },
  request: {
    sentence: 'An HTTP request taken apart: the fields that expressions see, and its values by name.',
    uses: ['base', 'expressions', 'detection'],
  },
  learning: {
    sentence: "What values of a zone's parameters usually look like, learned from requests that passed.",
    uses: ['base', 'request'],
  },
  seclang: {
    sentence: 'The rule language of ModSecurity, and the versions of the OWASP Core Rule Set written in it.',
    uses: ['base', 'regex', 'request'],
  },
  values: { sentence: 'The byte format of stored values.', uses: ['base'] },
  sockets: {
    sentence: 'WebSockets as Workers code knows them: pairs, hibernation, connections.',
    uses: ['values'],
  },
  rpc: {
    sentence: 'What passes between a caller and an object: copies, stubs, errors.',
    uses: ['values', 'sockets'],
  },
  objects: {
    sentence: 'Stateful objects: identity, gates, storage, alarms, history.',
    uses: ['base', 'sqlite', 'journal', 'tables', 'values', 'rpc', 'sockets'],
  },
  hosts: {
    sentence: 'Objects in several processes: which one has an object, and how a call reaches it.',
    uses: ['base', 'processes', 'sqlite', 'rpc', 'objects'],
  },
  cluster: {
    sentence: 'Objects of several machines on databases they share: leases, claims, commits that are fenced.',
    uses: ['base', 'journal', 'rpc', 'objects'],
  },
  simulator: {
    sentence:
      "Users' objects lived through thousands of times, with time, order and faults drawn from a seed.",
    uses: ['base', 'values', 'rpc', 'objects'],
  },
  'test-objects': {
    sentence: 'Objects in memory for tests, with time in the hand of the test.',
    uses: ['objects'],
  },
  bindings: {
    sentence: 'KV namespaces, D1 databases, queues and R2 buckets, each on an object of its own.',
    uses: ['base', 'sqlite', 'values', 'rpc', 'objects'],
  },
  shapes: {
    sentence: 'JSON bodies and query parameters read by description, with pointers and schemas.',
    uses: ['base'],
  },
  certificates: {
    sentence: 'Keys and certificates: of the local authority, and from authorities that speak ACME.',
    uses: ['base', 'shapes'],
  },
  'zone-settings': {
    sentence: 'The settings of a zone: the values each takes, what it does, or why it cannot.',
    uses: [],
  },
  firewall: {
    sentence: 'What rules mean: rulesets, phases, actions, judging a request.',
    uses: ['base', 'expressions', 'detection', 'request', 'learning', 'shapes', 'zone-settings'],
  },
  managed: {
    sentence: 'The catalogue of managed rules: those of the legacy WAF and those that replace them.',
    uses: ['base', 'expressions', 'detection', 'request', 'seclang', 'firewall'],
  },
  events: {
    sentence:
      'The activity log: what rules did to requests, kept, searched, explained; and how many requests there were.',
    uses: ['base', 'journal', 'tables', 'expressions', 'request', 'objects', 'firewall'],
  },
  outbound: {
    sentence: 'What is sent to the servers of others, and fetched from them, by the rules of addresses.',
    uses: ['base'],
  },
  logpush: {
    sentence: 'Records of requests and events, pushed to others as they happen.',
    uses: ['base', 'events', 'outbound'],
  },
  contract: {
    sentence: 'The HTTP contract of the API: operations, permissions, codes, OpenAPI.',
    uses: ['base', 'expressions', 'learning', 'shapes', 'zone-settings', 'firewall', 'events'],
  },
  client: {
    sentence: 'Calls of the API, typed by the rows of the contract.',
    uses: ['shapes', 'contract'],
  },
  operator: {
    sentence:
      'One door for operators: objects, backups and versions over HTTP on a socket in the data directory.',
    uses: ['base', 'processes', 'sqlite', 'values', 'objects', 'hosts', 'contract', 'client'],
  },
  control: {
    sentence: 'Accounts, zones, tokens and every operation on them, in stateful objects.',
    uses: [
      'base',
      'expressions',
      'request',
      'learning',
      'objects',
      'hosts',
      'bindings',
      'shapes',
      'zone-settings',
      'firewall',
      'seclang',
      'managed',
      'certificates',
      'contract',
      'operator',
      'events',
      'outbound',
      'logpush',
    ],
  },
  http2: {
    sentence: "The server's side of HTTP/2 without sockets: bytes in, requests and bytes out.",
    uses: [],
  },
  edge: {
    sentence: 'The reverse proxy that judges real traffic.',
    uses: [
      'base',
      'http2',
      'expressions',
      'request',
      'learning',
      'seclang',
      'zone-settings',
      'firewall',
      'managed',
      'events',
    ],
  },
  workers: {
    sentence: 'Running Workers-style modules unmodified, and serving them.',
    uses: ['base', 'rpc', 'sockets', 'objects', 'hosts', 'contract', 'client', 'operator', 'bindings'],
  },
  'tested-projects': {
    sentence: 'Projects of Workers in memory for tests, with the functions of cloudflare:test.',
    uses: ['base', 'sqlite', 'objects', 'bindings', 'workers'],
  },
  vitest: {
    sentence: "Tests made for Cloudflare's Vitest integration, in threads with the Worker that they test.",
    uses: ['base', 'workers', 'tested-projects'],
  },
  page: { sentence: 'The browser program of the dashboard.', uses: ['zone-settings', 'client'] },
  dashboard: { sentence: 'The built files of the page, and signing in.', uses: ['base', 'contract'] },
  observability: {
    sentence: 'What the program says about itself: metrics, traces, the access log.',
    uses: ['base', 'metrics', 'processes', 'hosts', 'contract', 'control', 'edge'],
  },
  deployments: {
    sentence:
      'Versions of a Worker on this machine: built, kept, served, replaced without a refused connection.',
    uses: [
      'base',
      'metrics',
      'processes',
      'sockets',
      'objects',
      'hosts',
      'cluster',
      'contract',
      'operator',
      'workers',
    ],
  },
  rehearsal: {
    sentence:
      'Recorded traffic, replayed: through both generations of a zone that migrates, or through managed rules.',
    uses: ['base', 'request', 'learning', 'seclang', 'firewall', 'managed', 'client', 'control', 'edge'],
  },
  server: {
    sentence: 'The program: listeners, configuration, and what joins the rooms.',
    uses: [
      'base',
      'metrics',
      'processes',
      'sockets',
      'objects',
      'hosts',
      'cluster',
      'firewall',
      'seclang',
      'certificates',
      'contract',
      'events',
      'outbound',
      'logpush',
      'bindings',
      'control',
      'edge',
      'operator',
      'workers',
      'observability',
      'deployments',
      'dashboard',
      'rehearsal',
    ],
  },
  'rule-tests': {
    sentence: 'Suites of rule tests and recorded requests, judged here or by a server.',
    uses: ['base', 'seclang', 'edge', 'rehearsal'],
  },
  cli: {
    sentence: 'The command line.',
    uses: [
      'base',
      'processes',
      'expressions',
      'request',
      'firewall',
      'values',
      'objects',
      'simulator',
      'hosts',
      'cluster',
      'contract',
      'client',
      'events',
      'edge',
      'certificates',
      'operator',
      'seclang',
      'bindings',
      'workers',
      'deployments',
      'dashboard',
      'server',
      'rehearsal',
      'rule-tests',
    ],
  },
};
