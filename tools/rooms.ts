/** Who may import whom, from the ground up. `rooms.test.ts` holds the tree to it; docs/ARCHITECTURE.md shows the same table. */
export const rooms: Readonly<
  Record<string, { readonly sentence: string; readonly uses: readonly string[] }>
> = {
  base: { sentence: 'Time, assertions, files: what every room stands on.', uses: [] },
  sqlite: { sentence: 'node:sqlite as a private, policed database with a readable WAL.', uses: ['base'] },
  journal: { sentence: 'The durable log: checksummed records, one fdatasync for many.', uses: ['base'] },
  tables: {
    sentence: 'Sorted, checksummed runs that hold the small state of millions of objects.',
    uses: ['base'],
  },
  regex: { sentence: 'Patterns of several dialects that can never hang.', uses: ['base'] },
  rules: { sentence: 'The expression language: parse, check, explain, run.', uses: ['base', 'regex'] },
  values: { sentence: 'The byte format of stored values.', uses: ['base'] },
  rpc: {
    sentence: 'What passes between a caller and an object: copies, stubs, errors.',
    uses: ['base', 'values'],
  },
  objects: {
    sentence: 'Stateful objects: identity, gates, storage, alarms, history.',
    uses: ['base', 'sqlite', 'journal', 'tables', 'values', 'rpc'],
  },
  firewall: {
    sentence: 'What rules mean: rulesets, phases, actions, judging a request.',
    uses: ['base', 'rules'],
  },
  v4: {
    sentence: 'The HTTP contract of the API: paths, shapes, codes.',
    uses: ['base', 'firewall'],
  },
  managed: {
    sentence: 'The catalogue of managed rules, the previous ones and those that replace them.',
    uses: ['base', 'rules', 'firewall'],
  },
  events: {
    sentence: 'The activity log: what rules did to requests, kept, searched, explained.',
    uses: ['base', 'rules', 'objects', 'firewall'],
  },
  control: {
    sentence: 'Accounts, zones, tokens and every operation on them, in stateful objects.',
    uses: ['base', 'rules', 'objects', 'v4', 'firewall', 'managed', 'events'],
  },
  edge: {
    sentence: 'The reverse proxy that judges real traffic.',
    uses: ['base', 'rules', 'firewall', 'managed', 'events'],
  },
  workers: { sentence: 'Running Workers-style modules unmodified.', uses: ['base', 'rpc', 'objects'] },
  server: {
    sentence: 'The program: listeners, configuration, and what joins the rooms.',
    uses: ['base', 'objects', 'workers', 'v4', 'events', 'control', 'edge'],
  },
  cli: {
    sentence: 'The command line.',
    uses: ['base', 'rules', 'objects', 'events', 'edge', 'workers', 'server'],
  },
};
