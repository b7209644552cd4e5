/** The operator calls of `gatehouse serve` through the socket in its data directory. */
import type { Log } from '#base';
import type { PrivateListener } from '#listeners';
import type { Control } from '#control';

import { createDirectoryHandlers, openDoor, type OperatorHandlers } from '#operator';
import type { UploadedWorkers } from '#deployments';
import { CrsError, VersionStore } from '#seclang';
import { fault, ok, type OperatorOperations, operatorCodes, type ResultOf } from '#contract';
import { readClusterUrl } from './cluster/cluster-host.ts';
import type { Config } from './config/read-config.ts';

export interface ServerDoorParts {
  readonly config: Config;
  readonly log: Log;
  readonly control: Control;
  readonly uploads: UploadedWorkers;
}

export function openServerDoor({
  config,
  log,
  control,
  uploads,
}: ServerDoorParts): Promise<PrivateListener | undefined> {
  const { data: directory } = config.settings;
  const { files, runtime } = control;
  const handlers = createDirectoryHandlers({
    directory,
    runtime,
    ...(files === undefined ? {} : { parts: files.parts }),
    async onChanged(className, id) {
      await control.followChanged(className, id);
      // It may have been restored to other versions.
      if (className === 'Account') await uploads.follow(await control.readDeployedWorkers());
    },
    measureEvents: async () => (await files?.events.measureZones()) ?? [],
  });
  const onError = (error: unknown): void => log.error('a request of an operator failed', { error });
  return openDoor({
    directory,
    handlers: {
      ...handlers,
      ...createRulesHandlers(directory),
      ...createClusterHandlers(config),
      async *'workers.moveInObjects'({ onProgress }, { path, body }) {
        yield* await uploads.moveIn(path['name']!, { directory: body.directory, onProgress });
      },
    },
    onError,
    warn: (message) => log.warn(message),
  });
}

type RulesHandlers = Pick<OperatorHandlers, 'coreRules.list' | 'coreRules.use' | 'coreRules.remove'>;

/** The server itself applies the version that is put in force. */
export function createRulesHandlers(directory: string): RulesHandlers {
  const change = (work: (store: VersionStore) => void): ReturnType<typeof listRules> => {
    const store = new VersionStore(directory);
    try {
      work(store);
      return listRules(store);
    } catch (error) {
      if (!(error instanceof CrsError)) throw error;
      throw fault(operatorCodes.coreRulesRefused, { fill: { reason: error.message } });
    }
  };
  return {
    'coreRules.list': async () => ok(change(() => {})),
    'coreRules.use': async (_call, { body: { version } }) =>
      ok(change((store) => void (version === null ? store.useNone() : store.use(store.find(version))))),
    'coreRules.remove': async (_call, { path }) =>
      ok(change((store) => store.remove(store.find(path['version']!)))),
  };
}

function listRules(store: VersionStore): ResultOf<OperatorOperations['coreRules.list']> {
  return store.list().map(({ version, source, installedAt, digest, isCurrent }) => ({
    version,
    source,
    installed_on: installedAt,
    digest,
    is_current: isCurrent,
  }));
}

/** None if there is no cluster. */
export function createClusterHandlers(config: Config): Partial<Pick<OperatorHandlers, 'cluster.get'>> {
  const url = readClusterUrl(config);
  if (url === undefined) return {};
  return {
    async 'cluster.get'() {
      const { readClusterStatus } = await import('#cluster');
      const { hosts, ...status } = await readClusterStatus(url);
      return ok({ ...status, hosts: hosts.map(({ leaseMs, ...host }) => ({ ...host, lease_ms: leaseMs })) });
    },
  };
}
