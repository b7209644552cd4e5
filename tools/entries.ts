/**
 * The entry points of the product: each process and thread, and each module that is loaded by URL instead of an import.
 * The check for unused code and the single executable read this table.
 */
export interface Entry {
  readonly file: string;
  readonly kind: 'process' | 'thread' | 'module';
  /** The file that starts or loads it, or the user or program that does. */
  readonly startedBy: string;
}

const modules = 'src/platform/workers/modules';

export const entries: readonly Entry[] = [
  {
    file: 'src/program/cli/main.ts',
    kind: 'process',
    startedBy: 'a user: the command line, and `gatehouse serve`',
  },
  { file: 'package/executable.ts', kind: 'process', startedBy: 'a user: the single executable' },

  {
    file: 'src/program/cli/watched/program-process.ts',
    kind: 'process',
    startedBy: 'src/program/cli/watched/spawn-program.ts',
  },
  {
    file: 'src/program/server/edge/processes/edge-process-main.ts',
    kind: 'process',
    startedBy: 'src/program/server/edge/processes/edge-processes.ts',
  },
  { file: 'src/api/control/object-process.ts', kind: 'process', startedBy: 'src/api/control/open-stores.ts' },
  {
    file: 'src/runtime/hosts/host-process.ts',
    kind: 'process',
    startedBy: 'src/runtime/hosts/host-processes.ts',
  },
  {
    file: 'src/runtime/bindings/store-process.ts',
    kind: 'process',
    startedBy: 'src/runtime/bindings/stores.ts',
  },
  {
    file: 'src/program/server/stores/store-process.ts',
    kind: 'process',
    startedBy: 'src/program/server/stores/account-stores.ts',
  },
  {
    file: 'src/platform/deployments/worker-main.ts',
    kind: 'process',
    startedBy: 'src/platform/deployments/served-worker.ts',
  },
  {
    file: 'src/platform/deployments/object-process.ts',
    kind: 'process',
    startedBy: 'src/platform/deployments/worker-process.ts',
  },
  {
    file: 'src/program/cli/dev/dev-process.ts',
    kind: 'process',
    startedBy: 'src/program/cli/dev/supervise-dev.ts',
  },
  {
    file: 'src/program/cli/dev/object-process.ts',
    kind: 'process',
    startedBy: 'src/program/cli/dev/start-dev.ts',
  },
  {
    file: 'src/api/operator/objects/copies/copy-process.ts',
    kind: 'process',
    startedBy: 'src/api/operator/objects/copies/object-copy.ts',
  },
  {
    file: 'src/runtime/sqlite/copies/copy-process.ts',
    kind: 'process',
    startedBy: 'src/runtime/sqlite/copies/copy-aside.ts',
  },
  {
    file: 'src/runtime/cluster/leases/releasing-process.ts',
    kind: 'process',
    startedBy: 'src/runtime/cluster/leases/keep-leases.ts',
  },

  {
    file: 'src/runtime/cluster/leases/renewal-thread.ts',
    kind: 'thread',
    startedBy: 'src/runtime/cluster/leases/keep-leases.ts',
  },
  {
    file: 'src/foundation/processes/watch-thread.ts',
    kind: 'thread',
    startedBy: 'src/foundation/processes/run-child.ts',
  },
  {
    file: 'src/foundation/files/syncing/sync-thread.ts',
    kind: 'thread',
    startedBy: 'src/foundation/files/syncing/sync.ts',
  },
  { file: 'src/runtime/values/blob-thread.ts', kind: 'thread', startedBy: 'src/runtime/values/read-blob.ts' },
  {
    file: 'src/runtime/simulator/surroundings/hang-thread.ts',
    kind: 'thread',
    startedBy: 'src/runtime/simulator/surroundings/hang-watch.ts',
  },
  {
    file: 'src/traffic/edge/judging/thread/thread-main.ts',
    kind: 'thread',
    startedBy: 'src/traffic/edge/judging/thread/judging-thread.ts',
  },
  {
    file: 'src/program/server/admin/admin-thread.ts',
    kind: 'thread',
    startedBy: 'src/program/server/admin/admin-server.ts',
  },
  {
    file: 'src/platform/vitest/thread/main.ts',
    kind: 'thread',
    startedBy: 'src/platform/vitest/file-thread.ts',
  },

  {
    file: 'src/platform/vitest/thread/setup-file.ts',
    kind: 'module',
    startedBy: 'src/platform/vitest/plugin.ts',
  },
  {
    file: 'src/platform/workers/assets/no-worker.ts',
    kind: 'module',
    startedBy: 'src/platform/workers/config/assets-settings.ts',
  },
  ...[
    'cloudflare-email',
    'cloudflare-node',
    'cloudflare-sockets',
    'cloudflare-workers',
    'cloudflare-workflows',
    'module-bytes',
    'node-http',
    'platform-registry',
  ].map((name): Entry => ({
    file: `${modules}/${name}.ts`,
    kind: 'module',
    startedBy: `${modules}/module-loader.ts`,
  })),
  { file: `${modules}/simulated-platform.ts`, kind: 'module', startedBy: `${modules}/simulated-modules.ts` },
];

/** The modules that users of the npm package import, or reach by `exports` of package.json. */
export const packageDoors: readonly string[] = [
  'package/rules.ts',
  'package/testing.ts',
  'package/vitest.ts',
  'src/api/client.ts',
  'src/traffic/edge.ts',
  'src/runtime/cluster.ts',
  'src/runtime/hosts.ts',
  'src/runtime/objects.ts',
];
