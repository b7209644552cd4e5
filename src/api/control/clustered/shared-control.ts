/**
 * A control plane that several hosts run on the objects of one cluster. Every host answers every request; changes that
 * must hold on all hosts before the caller gets an answer go through here:
 *
 * - a write to the account is answered when every host has it in its directory, or may no longer use its directory
 *   (`DirectoryLease`): once the caller gets the answer, a revoked token is revoked everywhere;
 * - a list that is being deleted is hidden on every host, so that no zone can save an expression that names it;
 * - a change of a zone reaches the edges of every host; if the host that should have reported it dies, everything is
 *   checked again.
 */
import { randomBytes } from 'node:crypto';
import { realClock, type Timer } from '#base';
import { DatabaseLogs } from '#events';
import type { CoreRules } from '#seclang';
import type { DurableObjectStub, ObjectRuntime } from '#objects';
import type { Directory } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import type { Call } from '../context/handler.ts';
import { KeySealer } from '../context/key-sealer.ts';
import type { ControlOptions } from '../control-options.ts';
import { openClusterLogs, type OpenLogs } from '../open-logs.ts';
import { openClusterRuntime } from '../open-stores.ts';
import { accountName } from '../objects/account.ts';
import type { ChangeFeed } from '../pipeline/change-feed.ts';
import { warmCall } from '../pipeline/compile-patterns.ts';
import { askAgainIfLost } from '../pipeline/lost-objects.ts';
import type { HiddenList } from '../operations/several-objects.ts';
import { type ClusterState, clusterStateName } from '../objects/cluster-state.ts';
import type { ControlCluster } from './control-cluster.ts';
import { DirectoryLease } from './directory-lease.ts';
import {
  askMsMax,
  directoryGraceMs,
  directoryRenewMs,
  directoryRevisionsKept,
  directoryUseMs,
  hiddenMsMax,
  hiddenMsUsed,
} from './limits.ts';
import { PeerHosts, type PeerMessage } from './peer-hosts.ts';
import type { CallAnswer, PeerActions, Peers } from './peers.ts';

export interface SharedControlParts {
  readonly options: ControlOptions;
  readonly cluster: ControlCluster;
  readonly directory: () => Directory;
  readonly changes: ChangeFeed;
  readonly onError: (error: unknown) => void;
}

export class SharedControl implements Peers {
  readonly isAlone = false;
  readonly directoryRevisionsKept = directoryRevisionsKept;
  readonly keySealer: KeySealer;
  readonly #parts: SharedControlParts;
  readonly #peers: PeerHosts;
  readonly #lease: DirectoryLease;
  readonly #logs: DatabaseLogs;
  /** Lists that other hosts are deleting, with the host that does. */
  readonly #hiddenFor = new Map<string, { readonly by: string; readonly timer: Timer }>();
  #runtime: ObjectRuntime | undefined;
  #key: Buffer | undefined;
  #actions: PeerActions | undefined;
  #digest = '';
  #timer: Timer | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(parts: SharedControlParts) {
    const { cluster, options } = parts;
    const { clock = realClock, eventRetentionMsMax: retentionMsMax } = options;
    this.#parts = parts;
    this.#logs = new DatabaseLogs({
      take: (zoneId) => cluster.takeLog(zoneId),
      clock,
      ...(retentionMsMax === undefined ? {} : { retentionMsMax }),
      log: (message, error) => parts.onError(new Error(message, { cause: error })),
    });
    this.keySealer = new KeySealer({
      place: 'the key of the cluster',
      read: () => this.#key,
      create: () => {
        throw new Error('the key of the cluster is read before anything is encrypted');
      },
    });
    this.#lease = new DirectoryLease(cluster.clock, () => this.#pull());
    this.#peers = new PeerHosts({
      cluster,
      take: (message) => this.#take(message),
      answer: (call) => this.#actions!.answerHere(call),
      onGone: () => this.#lookAgain(),
    });
  }

  readonly catchUp = (): void => {
    // The directory is loaded first; `renew` wakes the callers that wait for it.
    if (this.#actions !== undefined) void this.#lease.renew().catch(() => {});
  };

  /** Here and on the other hosts. */
  readonly onChange = (objectName: string): void => {
    this.#parts.changes.tell(objectName);
    this.#peers.tell(objectName);
  };

  /** A call waits until this directory is as new as the caller's. */
  readonly prepare: ControlEnvironment['prepare'] = ({ input, earlier, directory: point }) =>
    warmCall(earlier ?? input.body, point && this.#parts.directory().reach(point));

  openRuntime(environment: ControlEnvironment): Promise<ObjectRuntime> {
    const { options, cluster } = this.#parts;
    return openClusterRuntime(options, cluster, { ...environment, logs: this.#logs });
  }

  async openLogs(runtime: ObjectRuntime, environment: ControlEnvironment): Promise<OpenLogs> {
    const { options, cluster } = this.#parts;
    return openClusterLogs(options, cluster, runtime, environment);
  }

  async open(runtime: ObjectRuntime): Promise<void> {
    this.#runtime = runtime;
    await this.#parts.cluster.lookForHosts();
    const start = await askAgainIfLost(() => this.#state().open(randomBytes(32)));
    if (start.isUnfinished) {
      throw new Error(
        'an import into the cluster is not complete: run gatehouse cluster import until it finishes before you start',
      );
    }
    this.#key = Buffer.from(start.certificatesKey);
  }

  async begin(actions: PeerActions): Promise<void> {
    this.#actions = actions;
    // From then on, writes to the account wait for this host as well.
    await this.#peers.ask({ kind: 'hello' }, askMsMax);
    await this.#lease.renew();
    await this.#followCoreRules();
    this.#renewSoon();
  }

  ensureFresh(): Promise<void> | undefined {
    return this.#lease.ensure()?.then(() => this.#actions?.reloadSessions());
  }

  renew(): Promise<void> {
    return this.#lease.renew();
  }

  get hostId(): string {
    return this.#parts.cluster.hostId;
  }

  get otherHosts(): readonly string[] {
    return this.#parts.cluster.otherHosts;
  }

  forward(host: string, call: Call): Promise<CallAnswer> {
    return this.#peers.forward(host, call);
  }

  forwardToAll(call: Call): Promise<CallAnswer[]> {
    return this.#peers.forwardToAll(call, askMsMax);
  }

  async spread(): Promise<void> {
    const { revision } = this.#parts.directory();
    await this.#peers.ask({ kind: 'directory', revision }, directoryUseMs + directoryGraceMs);
  }

  async spreadSessions(): Promise<void> {
    await this.#peers.ask({ kind: 'sessions' }, directoryUseMs + directoryGraceMs);
  }

  async hideList(list: string): Promise<HiddenList | undefined> {
    const { cluster, directory } = this.#parts;
    const by = cluster.hostId;
    if (!directory().hideList(list)) return undefined;
    const begunAt = cluster.clock.now();
    const answers = await this.#peers.ask({ kind: 'hide', list, by }, askMsMax);
    const show = (): void => {
      directory().showList(list);
      void this.#peers.ask({ kind: 'show', list, by }, askMsMax);
    };
    if (answers.every((answer) => answer === true || answer === 'gone')) {
      return { isHidden: () => cluster.clock.now() - begunAt < hiddenMsUsed, show };
    }
    show();
    return undefined;
  }

  async setCoreRules(rules: CoreRules | undefined): Promise<void> {
    await askAgainIfLost(() => this.#state().setCoreRules(rules));
    await this.#followCoreRules();
    await this.#peers.ask({ kind: 'core-rules' }, askMsMax);
  }

  async beginCoreRules(rules: CoreRules | undefined): Promise<boolean> {
    await askAgainIfLost(() => this.#state().offerCoreRules(rules));
    await this.#followCoreRules();
    return this.#digest !== '';
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#peers[Symbol.dispose]();
    this.#logs[Symbol.dispose]();
    for (const { timer } of this.#hiddenFor.values()) timer.cancel();
  }

  async #take(message: PeerMessage): Promise<boolean> {
    switch (message.kind) {
      case 'hello':
        await this.#parts.cluster.lookForHosts();
        return true;
      case 'changed':
        for (const object of message.objects) this.#parts.changes.tell(object);
        if (message.objects.includes(accountName)) this.catchUp();
        return true;
      case 'directory':
        // A host that has not started answers no requests.
        if (this.#actions === undefined) return true;
        if (this.#parts.directory().revision < message.revision) await this.#lease.renew();
        return true;
      case 'sessions':
        await this.#actions?.reloadSessions();
        return true;
      case 'core-rules':
        if (this.#actions !== undefined) await this.#followCoreRules();
        return true;
      case 'hide':
        return this.#hideFor(message.by, message.list);
      case 'show':
        this.#showFor(message.by, message.list);
        return true;
    }
  }

  #hideFor(by: string, list: string): boolean {
    const present = this.#hiddenFor.get(list);
    // The other host repeated the request because the answer was lost.
    if (present?.by === by) return true;
    if (!this.#parts.directory().hideList(list)) return false;
    const timer = this.#parts.cluster.clock.setTimer(hiddenMsMax, () => this.#showFor(by, list));
    this.#hiddenFor.set(list, { by, timer });
    return true;
  }

  #showFor(by: string, list: string): void {
    const present = this.#hiddenFor.get(list);
    if (present?.by !== by) return;
    present.timer.cancel();
    this.#hiddenFor.delete(list);
    this.#parts.directory().showList(list);
  }

  /**
   * Covers notifications that a departed host did not send: the edges reload their configurations, and the directory is
   * read again.
   */
  #lookAgain(): void {
    if (this.#isClosed || this.#actions === undefined) return;
    const { changes, directory, onError } = this.#parts;
    changes.tell(accountName);
    for (const id of directory().zones.keys()) changes.tell(id);
    this.catchUp();
    this.#actions.reloadSessions().catch(onError);
    this.#followCoreRules().catch(onError);
  }

  async #pull(): Promise<void> {
    await this.#actions?.pull();
  }

  /** Reports once that the account does not answer. */
  #renewSoon(): void {
    if (this.#isClosed) return;
    this.#timer = this.#parts.cluster.clock.setTimer(directoryRenewMs, () => {
      this.#lease
        .renew()
        .then(
          () => {
            this.#isAway = false;
          },
          (error: unknown) => {
            if (!this.#isAway && !this.#isClosed) this.#parts.onError(error);
            this.#isAway = true;
          },
        )
        .finally(() => this.#renewSoon());
    });
  }

  async #followCoreRules(): Promise<void> {
    const digest = await askAgainIfLost(() => this.#state().readCoreRulesDigest());
    if (digest === this.#digest) return;
    const rules = await askAgainIfLost(() => this.#state().readCoreRules());
    await this.#actions!.takeCoreRules(rules);
    this.#digest = rules?.digest ?? '';
  }

  #state(): DurableObjectStub<ClusterState> {
    return this.#runtime!.namespace<ClusterState>('ClusterState').getByName(clusterStateName);
  }
}
