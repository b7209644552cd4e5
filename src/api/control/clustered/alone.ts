/** A control plane on a data directory, used by a single host. */
import { assert } from '#base';
import type { ObjectRuntime } from '#objects';
import type { CoreRules } from '#seclang';
import type { Directory } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import type { KeySealer } from '../context/key-sealer.ts';
import type { ControlOptions } from '../control-options.ts';
import type { DirectoryCopies } from '../directory-copies.ts';
import { createKeySealer, mendCertificatesKey } from '../object-process-environment.ts';
import { moveFrom010, openFileLogs, type OpenLogs } from '../open-logs.ts';
import { openLocalRuntime } from '../open-stores.ts';
import type { HiddenList } from '../operations/several-objects.ts';
import type { ChangeFeed } from '../pipeline/change-feed.ts';
import type { CallAnswer, PeerActions, Peers } from './peers.ts';

export class Alone implements Peers {
  readonly isAlone = true;
  readonly hostId = '';
  readonly otherHosts = [];
  readonly directoryRevisionsKept = 0;
  readonly keySealer: KeySealer;
  readonly onChange: Peers['onChange'];
  readonly #options: ControlOptions;
  readonly #directory: () => Directory;
  #moveOldEvents = async (): Promise<void> => {};
  #actions: PeerActions | undefined;

  constructor(options: ControlOptions, parts: { directory: () => Directory; changes: ChangeFeed }) {
    this.#options = options;
    this.#directory = parts.directory;
    mendCertificatesKey(options.directory, (message) => options.log?.(message));
    this.keySealer = createKeySealer(options.directory);
    this.onChange = (objectName) => parts.changes.tell(objectName);
  }

  readonly catchUp = (): void => {};

  readonly prepare = (): undefined => undefined;

  openRuntime(environment: ControlEnvironment, copies: DirectoryCopies): Promise<ObjectRuntime> {
    return openLocalRuntime(this.#options, environment, copies);
  }

  async open(): Promise<void> {}

  async openLogs(runtime: ObjectRuntime, environment: ControlEnvironment): Promise<OpenLogs> {
    const logs = await openFileLogs(this.#options, environment);
    this.#moveOldEvents = () => moveFrom010(this.#options, runtime, logs);
    return logs;
  }

  async begin(actions: PeerActions): Promise<void> {
    this.#actions = actions;
    await actions.pull();
    await actions.eraseDeleted();
    await this.#moveOldEvents();
  }

  ensureFresh(): undefined {}

  renew(): Promise<void> {
    return this.#actions!.pull();
  }

  async spread(): Promise<void> {}

  async spreadSessions(): Promise<void> {}

  async hideList(list: string): Promise<HiddenList | undefined> {
    const directory = this.#directory();
    if (!directory.hideList(list)) return undefined;
    return { isHidden: () => true, show: () => directory.showList(list) };
  }

  forward(): Promise<CallAnswer> {
    assert(false, 'a host alone has every object');
  }

  async forwardToAll(): Promise<CallAnswer[]> {
    return [];
  }

  setCoreRules(rules: CoreRules | undefined): Promise<void> {
    return this.#actions!.takeCoreRules(rules);
  }

  async beginCoreRules(rules: CoreRules | undefined): Promise<boolean> {
    if (rules !== undefined) await this.setCoreRules(rules);
    return rules !== undefined;
  }

  [Symbol.dispose](): void {}
}
