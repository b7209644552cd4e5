/** The environment of this room's objects in a host, and the classes that a host serves. */
import { join } from 'node:path';
import type { OriginRulesOptions } from '#outbound';
import type { CoreRules } from '#seclang';
import type { HostContext } from '#hosts';
import { replaceCoreRules } from '#managed';
import { RpcTarget } from '#objects';
import { ActivityLog } from './objects/activity-log.ts';
import { ClusterState } from './objects/cluster-state.ts';
import type { AcmeSettings } from './context/acme-settings.ts';
import { Directory } from './context/directory.ts';
import type { ControlEnvironment, OutboundSettings } from './context/environment.ts';
import { KeySealer } from './context/key-sealer.ts';
import { createOriginCheck } from './operations/edge/origin-check.ts';
import { controlService, type HostMessage, type HostStart } from './directory-copies.ts';
import { Account } from './objects/account.ts';
import { OldEventLog } from './objects/old-event-log.ts';
import { TokenUses } from './objects/token-uses.ts';
import { Zone } from './objects/zone.ts';
import { mendSealingKey, SealingKeyFile } from './sealing-key-file.ts';
import { warmCall } from './pipeline/compile-patterns.ts';
import { SessionObject } from './sessions/session-object.ts';

export const controlClasses = {
  Account: { class: Account, storage: 'sql' },
  Zone: { class: Zone, storage: 'sql' },
  TokenUses: { class: TokenUses, storage: 'kv' },
  EventLog: { class: OldEventLog, storage: 'sql' },
  Sessions: { class: SessionObject, storage: 'sql' },
} as const;

/** In a cluster, what a directory keeps in files is also kept in objects. */
export const clusterClasses = {
  ...controlClasses,
  ActivityLog: { class: ActivityLog, storage: 'sql' },
  ClusterState: { class: ClusterState, storage: 'sql' },
} as const;

/** The kind of storage of each class of a cluster. */
export const clusterStorageKinds: Readonly<Record<string, 'kv' | 'sql'>> = Object.fromEntries(
  Object.entries(clusterClasses).map(([name, { storage }]) => [name, storage]),
);

/** Below the data directory. */
export const certificatesKeyFile = 'certificates.key';

/** Called at the start of the program, before objects use the key. */
export function mendCertificatesKey(directory: string, warn: (message: string) => void): void {
  mendSealingKey(join(directory, certificatesKeyFile), warn);
}

/** The key that encrypts the secrets of a data directory; undefined if there is none. */
export function readCertificatesKey(directory: string): Buffer | undefined {
  return new SealingKeyFile(join(directory, certificatesKeyFile)).read();
}

export function createKeySealer(directory: string): KeySealer {
  return new KeySealer(new SealingKeyFile(join(directory, certificatesKeyFile)));
}

export interface ObjectProcessEnvironmentOptions {
  /** The data directory. */
  readonly directory: string;
  readonly origins: OriginRulesOptions | undefined;
  readonly acme: AcmeSettings;
  readonly mail: OutboundSettings['mail'];
}

/** Resolves when the host has the directory of the program. */
export async function createObjectProcessEnvironment(
  { service, log }: HostContext,
  { directory: dataDirectory, origins, acme, mail }: ObjectProcessEnvironmentOptions,
): Promise<ControlEnvironment> {
  const directory = new Directory();
  const ready = Promise.withResolvers<void>();
  // As at the edge: if the rules are unusable, the previous version stays in force.
  const takeCoreRules = async (rules: CoreRules | undefined): Promise<void> => {
    try {
      await replaceCoreRules(rules);
    } catch (error) {
      log('could not use the OWASP rules', error);
    }
  };
  const program = service(controlService);
  const follower = new Follower(async (message) => {
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'core-rules') await takeCoreRules(message.rules);
    else directory.follow(message);
  });
  const start = (await program['start']!(follower)) as HostStart;
  directory.applySnapshot(start.directory);
  await takeCoreRules(start.coreRules);
  if (start.isReady) ready.resolve();
  Follower.begin(follower);
  return {
    directory,
    ready: ready.promise,
    keySealer: createKeySealer(dataDirectory),
    checkOrigin: createOriginCheck(origins),
    directoryRevisionsKept: 0,
    findHostId: () => '',
    acme,
    outbound: { origins, mail },
    prepare: ({ input, earlier, directory: point }) =>
      warmCall(earlier ?? input.body, point && directory.reach(point)),
    onError: (error) => log('work of an object failed', error),
    // A host does not outlive its program for long.
    onChange: (object) => void Promise.resolve(program['changed']!(object)).catch(() => {}),
  };
}

/** Applies the program's messages. Changes that arrive before the directory that they change wait for it. */
class Follower extends RpcTarget {
  readonly #take: (message: HostMessage) => Promise<void>;
  readonly #waiting: HostMessage[] = [];
  #hasBegun = false;

  constructor(take: (message: HostMessage) => Promise<void>) {
    super();
    this.#take = take;
  }

  static begin(follower: Follower): void {
    follower.#hasBegun = true;
    for (const message of follower.#waiting.splice(0)) void follower.#take(message);
  }

  /** Resolves when it has taken effect, unless the host has not started yet. */
  async follow(message: HostMessage): Promise<void> {
    if (this.#hasBegun) await this.#take(message);
    else this.#waiting.push(message);
  }
}
