/**
 * Parts and rooms, bottom up: a room may only import rooms above it in this list that it names. `rooms.test.ts` checks
 * the tree and docs/ARCHITECTURE.md against it.
 */
export interface Room {
  readonly sentence: string;
  readonly uses: readonly string[];
}

export interface Part {
  readonly sentence: string;
  readonly rooms: Readonly<Record<string, Room>>;
}

export const parts: Readonly<Record<string, Part>> = {
  foundation: {
    sentence: 'What every other part uses. It knows nothing of the product.',
    rooms: {
      text: {
        sentence:
          'Bytes and texts: ASCII, and the readers of escapes, forms, cookies and JSON that is not parsed.',
        uses: [],
      },
      addresses: { sentence: 'IP addresses, networks and sets of them.', uses: [] },
      base: {
        sentence: 'Time, assertions, the log, bounded maps, and the files of the program itself.',
        uses: [],
      },
      work: {
        sentence:
          'Work that gives way to other work: budgets of steps, turns of the event loop, notes for the watchdog.',
        uses: [],
      },
      files: {
        sentence: 'Files that survive a crash: written aside, synced, renamed, with checksums and copies.',
        uses: ['base', 'work'],
      },
      listeners: {
        sentence: 'Listening sockets: within the descriptor limit, and on private paths.',
        uses: ['work'],
      },
      streams: {
        sentence: 'Formats that are read from a stream: lines, server-sent events, tar archives.',
        uses: [],
      },
      processes: {
        sentence: 'Child processes: started, watched, ended and started again.',
        uses: ['base', 'work', 'listeners', 'streams'],
      },
      metrics: {
        sentence: 'Metrics: counted, read on demand, summed over processes.',
        uses: ['base', 'processes'],
      },
      shapes: {
        sentence: 'JSON bodies and query parameters, read by description, with pointers and schemas.',
        uses: ['text', 'base', 'work'],
      },
      outbound: {
        sentence: 'Requests to the servers of others, under the rules for addresses.',
        uses: ['addresses', 'listeners'],
      },
      certificates: {
        sentence: 'Keys and certificates, from the local authority and from authorities that speak ACME.',
        uses: ['base', 'files', 'shapes', 'outbound'],
      },
    },
  },
  runtime: {
    sentence: 'Stateful objects, on one machine and on several.',
    rooms: {
      journal: {
        sentence: 'The durable log: checksummed records, one fdatasync for many.',
        uses: ['base', 'work', 'files'],
      },
      tables: {
        sentence: 'Sorted, checksummed runs that hold the small state of millions of objects.',
        uses: ['base', 'files'],
      },
      sqlite: {
        sentence:
          'SQLite for objects: one private database each, with limits, exact row counts and a readable WAL.',
        uses: ['base', 'work', 'files'],
      },
      values: { sentence: 'The byte format of stored values.', uses: ['base', 'work'] },
      sockets: {
        sentence: 'WebSockets as Workers see them: pairs, hibernation, connections.',
        uses: ['base', 'values'],
      },
      rpc: {
        sentence: 'Calls between Workers and objects: copies, stubs, errors.',
        uses: ['values', 'sockets'],
      },
      objects: {
        sentence: 'Stateful objects: identity, gates, storage, alarms, history.',
        uses: ['text', 'base', 'work', 'files', 'journal', 'tables', 'sqlite', 'values', 'sockets', 'rpc'],
      },
      simulator: {
        sentence: 'Objects under test: in memory with a clock that the test sets, or simulated from a seed.',
        uses: ['base', 'work', 'values', 'rpc', 'objects'],
      },
      hosts: {
        sentence: 'Objects in several processes: which process has an object, and how a call reaches it.',
        uses: ['base', 'work', 'files', 'listeners', 'processes', 'sqlite', 'rpc', 'objects'],
      },
      cluster: {
        sentence: 'Objects on several machines that share databases: leases, claims, fenced commits.',
        uses: ['base', 'work', 'listeners', 'journal', 'rpc', 'objects'],
      },
      bindings: {
        sentence: 'KV namespaces, D1 databases, queues and R2 buckets, each built on an object.',
        uses: ['base', 'files', 'sqlite', 'values', 'rpc', 'objects'],
      },
    },
  },
  rules: {
    sentence: 'What a request contains, and what rules decide about it. No sockets, no disk.',
    rooms: {
      regex: {
        sentence: 'Regular expressions of several dialects, in linear time.',
        uses: ['text', 'base', 'work'],
      },
      expressions: {
        sentence: 'The rules language: parsed, checked, compiled, explained, printed.',
        uses: ['text', 'addresses', 'base', 'work', 'regex'],
      },
      detection: {
        sentence:
          'Detectors that read a text as SQL, markup, a command or a path, and say whether it is an attack.',
        uses: ['text', 'addresses', 'base', 'work', 'regex'],
      },
      request: {
        sentence: 'A request taken apart: the fields that expressions see, and its values by name.',
        uses: ['text', 'addresses', 'base', 'work', 'expressions', 'detection'],
      },
      learning: {
        sentence: "The usual values of a zone's parameters, learned from requests that passed.",
        uses: ['addresses', 'request'],
      },
      seclang: {
        sentence: 'The rule language of ModSecurity, and the versions of the OWASP Core Rule Set.',
        uses: ['text', 'addresses', 'base', 'work', 'files', 'streams', 'regex', 'detection', 'request'],
      },
      'zone-settings': {
        sentence: 'The settings of a zone: the values that each accepts, and what it does.',
        uses: [],
      },
      rulesets: {
        sentence: 'Rulesets as documents: their model, phases and actions, checks and edits.',
        uses: ['text', 'addresses', 'base', 'work', 'shapes', 'expressions', 'request'],
      },
      firewall: {
        sentence: 'The rules of a zone, compiled: how a request is judged.',
        uses: [
          'text',
          'addresses',
          'base',
          'work',
          'expressions',
          'detection',
          'request',
          'learning',
          'zone-settings',
          'rulesets',
        ],
      },
      managed: {
        sentence: 'The managed rules: the legacy ones, and those that replace them.',
        uses: [
          'addresses',
          'base',
          'work',
          'expressions',
          'detection',
          'request',
          'seclang',
          'rulesets',
          'firewall',
        ],
      },
    },
  },
  traffic: {
    sentence: 'Live traffic: received, judged, forwarded and recorded.',
    rooms: {
      http2: {
        sentence: 'The server side of HTTP/2 without sockets: bytes in, requests and bytes out.',
        uses: [],
      },
      events: {
        sentence: 'The activity log: what rules did to requests, and how many requests there were.',
        uses: [
          'text',
          'addresses',
          'base',
          'work',
          'files',
          'journal',
          'tables',
          'objects',
          'expressions',
          'request',
          'rulesets',
          'firewall',
        ],
      },
      logpush: {
        sentence: 'Records of requests and events, pushed to destinations as they happen.',
        uses: ['base', 'files', 'outbound', 'events'],
      },
      edge: {
        sentence: 'The reverse proxy that judges live traffic.',
        uses: [
          'text',
          'addresses',
          'base',
          'work',
          'files',
          'listeners',
          'outbound',
          'expressions',
          'request',
          'learning',
          'seclang',
          'zone-settings',
          'rulesets',
          'firewall',
          'managed',
          'http2',
          'events',
        ],
      },
    },
  },
  api: {
    sentence: 'The HTTP API: its contract, its handlers and its client.',
    rooms: {
      contract: {
        sentence: 'The operations of the API: shapes, permissions, error codes, OpenAPI.',
        uses: ['text', 'base', 'work', 'shapes', 'learning', 'rulesets', 'firewall', 'events'],
      },
      client: {
        sentence: 'Calls of the API, typed by the contract.',
        uses: ['streams', 'shapes', 'contract'],
      },
      operator: {
        sentence: 'Backups, versions and stored objects, over HTTP on a socket in the data directory.',
        uses: [
          'base',
          'work',
          'files',
          'listeners',
          'streams',
          'processes',
          'sqlite',
          'values',
          'objects',
          'hosts',
          'contract',
          'client',
        ],
      },
      control: {
        sentence: 'Accounts, zones, tokens and every operation on them, in stateful objects.',
        uses: [
          'text',
          'addresses',
          'base',
          'work',
          'files',
          'listeners',
          'shapes',
          'outbound',
          'certificates',
          'objects',
          'hosts',
          'bindings',
          'expressions',
          'request',
          'learning',
          'seclang',
          'zone-settings',
          'rulesets',
          'firewall',
          'managed',
          'events',
          'logpush',
          'contract',
          'operator',
        ],
      },
    },
  },
  platform: {
    sentence: "Other people's programs: run, deployed and tested.",
    rooms: {
      workers: {
        sentence: 'Workers, unmodified: loaded, bound to their resources, called.',
        uses: [
          'text',
          'addresses',
          'base',
          'work',
          'listeners',
          'outbound',
          'streams',
          'sockets',
          'rpc',
          'objects',
          'hosts',
          'bindings',
          'contract',
          'client',
          'operator',
        ],
      },
      deployments: {
        sentence:
          'Workers in production: built here or uploaded, served, and replaced without a refused connection.',
        uses: [
          'addresses',
          'base',
          'work',
          'files',
          'listeners',
          'processes',
          'metrics',
          'outbound',
          'sockets',
          'objects',
          'hosts',
          'cluster',
          'bindings',
          'contract',
          'operator',
          'control',
          'workers',
        ],
      },
      'tested-projects': {
        sentence: 'Projects of Workers under test, in memory, with the functions of cloudflare:test.',
        uses: ['text', 'base', 'sqlite', 'objects', 'bindings', 'workers'],
      },
      vitest: {
        sentence: "Tests written for Cloudflare's Vitest integration, in threads with the Worker under test.",
        uses: ['base', 'workers', 'tested-projects'],
      },
    },
  },
  browser: {
    sentence: 'The program that runs in the browser, and the server of its files.',
    rooms: {
      page: { sentence: 'The dashboard: the program in the browser.', uses: ['zone-settings', 'client'] },
      dashboard: {
        sentence: 'The built files of the dashboard, and its sessions.',
        uses: ['base', 'contract'],
      },
    },
  },
  program: {
    sentence: 'The server that puts all parts together, and the command line.',
    rooms: {
      observability: {
        sentence: 'Metrics, traces and the access log of the running program.',
        uses: [
          'text',
          'addresses',
          'base',
          'files',
          'processes',
          'metrics',
          'outbound',
          'hosts',
          'edge',
          'contract',
          'control',
        ],
      },
      rehearsal: {
        sentence:
          'Recorded traffic and suites of rules tests, replayed: before and after a migration, or through managed rules.',
        uses: [
          'text',
          'addresses',
          'base',
          'request',
          'learning',
          'seclang',
          'rulesets',
          'firewall',
          'managed',
          'edge',
          'client',
          'control',
        ],
      },
      server: {
        sentence: 'The program: listeners, configuration, and what connects the rooms.',
        uses: [
          'text',
          'addresses',
          'base',
          'files',
          'listeners',
          'streams',
          'processes',
          'metrics',
          'outbound',
          'certificates',
          'objects',
          'hosts',
          'cluster',
          'bindings',
          'seclang',
          'firewall',
          'events',
          'logpush',
          'edge',
          'contract',
          'operator',
          'control',
          'deployments',
          'dashboard',
          'observability',
          'rehearsal',
        ],
      },
      cli: {
        sentence: 'The command line.',
        uses: [
          'text',
          'addresses',
          'base',
          'files',
          'streams',
          'processes',
          'outbound',
          'certificates',
          'values',
          'objects',
          'simulator',
          'hosts',
          'cluster',
          'bindings',
          'expressions',
          'request',
          'seclang',
          'rulesets',
          'firewall',
          'events',
          'edge',
          'contract',
          'client',
          'operator',
          'workers',
          'deployments',
          'dashboard',
          'rehearsal',
          'server',
        ],
      },
    },
  },
};

export const rooms: Readonly<Record<string, Room>> = Object.assign(
  {},
  ...Object.values(parts).map((part) => part.rooms),
);

/** The folder of a room; with `.ts`, it is the path of its door. */
export function pathOf(room: string): string {
  const part = Object.keys(parts).find((name) => room in parts[name]!.rooms);
  if (part === undefined) throw new Error(`${room} is in no part: tools/rooms.ts`);
  return `src/${part}/${room}`;
}
