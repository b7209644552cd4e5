/** Sends calls to the objects that answer them, and keeps the directory in step with the account. */
import { assert } from '#base';
import type { CoreRules } from '#seclang';
import { replaceCoreRules } from '#managed';
import type { DurableObjectId, DurableObjectStub, ObjectRuntime } from '#objects';
import { joinParts, type ZoneConfiguration } from '#firewall';
import {
  Fault,
  type ObjectReply,
  operations,
  type PlainReply,
  type Result,
  writeFault,
  writeReply,
  type WrittenResponse,
  type OperationId,
} from '#contract';
import { type Account, accountName } from '../objects/account.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Directory, DirectoryChanges } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import { type Call, isCallOf } from '../context/handler.ts';
import type { StoreHost } from '../operations/stores/store-host.ts';
import type { WorkerHost } from '../context/worker-host.ts';
import type { Activity } from '../operations/events/activity.ts';
import type { Zone } from '../objects/zone.ts';
import { coreRulesChange, type FeedSource } from '../operations/edge/configuration-feed.ts';
import type { TakenOutOfForce } from '../configuration/out-of-force.ts';
import { followReplacedZone } from '../operations/objects/follow-zone.ts';
import {
  type AnsweringObject,
  askObject,
  type ObjectsContext,
  type ObjectsHandlers,
  type OtherHosts,
  type TrafficLog,
} from '../operations/several-objects.ts';
import { exportBoth, importBoth } from '../operations/bundle/bundle-of-both.ts';
import { handlersOfSeveralObjects } from './handlers-of-several-objects.ts';
import { ListUses } from './list-uses.ts';
import { makePlanned } from './planned-requests.ts';
import { RememberedResponses } from './remembered-responses.ts';
import { askAgainIfLost } from './lost-objects.ts';
import type { TokenUseLog } from './token-use-log.ts';
import { WriteBatches } from './write-batches.ts';

export interface DispatcherParts {
  readonly runtime: ObjectRuntime;
  readonly environment: ControlEnvironment;
  readonly activity: Activity;
  readonly traffic: TrafficLog;
  readonly changes: ChangeFeed;
  readonly tokenUses: TokenUseLog;
  /** Whether objects live in other processes, with directories that follow this one. */
  readonly isHosted: boolean;
  /** The other hosts, which answer requests as well. */
  readonly peers: OtherHosts;
  /** The functions that the surrounding program provides. */
  readonly outside: Pick<ObjectsContext, 'readMetrics' | 'probe' | 'recentRequests' | 'pushRequests'>;
  readonly allowsObjectWrites: boolean;
  readonly workers: WorkerHost | undefined;
  readonly stores: StoreHost | undefined;
  /** Resolves when the account has anchors for the audit logs of these objects. */
  readonly anchorAudits: (objectNames: readonly string[]) => Promise<void>;
}

type ZonePage = ReturnType<Account['listZonePart']>;

type SeveralId = keyof typeof handlersOfSeveralObjects;

function isOfSeveral(call: Call): call is Call<SeveralId> {
  return call.operation in handlersOfSeveralObjects;
}

export class Dispatcher {
  /** The configuration of each zone, for the edge. It contains only what is on disk. */
  readonly configurations: FeedSource;
  readonly #runtime: ObjectRuntime;
  readonly #environment: ControlEnvironment;
  readonly #activity: Activity;
  readonly #traffic: TrafficLog;
  readonly #changes: ChangeFeed;
  readonly #tokenUses: TokenUseLog;
  /** Whether objects live in other processes. */
  readonly isHosted: boolean;
  readonly #peers: OtherHosts;
  readonly #outside: DispatcherParts['outside'];
  readonly #allowsObjectWrites: boolean;
  readonly #served: Pick<DispatcherParts, 'workers' | 'stores'>;
  readonly #anchorAudits: DispatcherParts['anchorAudits'];
  readonly #accountId: DurableObjectId;
  readonly #remembered = new RememberedResponses();
  /** The OWASP rules in force. */
  #coreRules: CoreRules | undefined;
  readonly #listUses: ListUses;
  readonly #batches = new WriteBatches((zoneId) => this.getZone(zoneId));

  constructor(parts: DispatcherParts) {
    const { runtime, environment, activity, traffic, changes, outside, allowsObjectWrites } = parts;
    this.#outside = outside;
    this.#allowsObjectWrites = allowsObjectWrites;
    this.#served = { workers: parts.workers, stores: parts.stores };
    this.#anchorAudits = parts.anchorAudits;
    this.#runtime = runtime;
    this.#environment = environment;
    this.#activity = activity;
    this.#traffic = traffic;
    this.#changes = changes;
    this.#tokenUses = parts.tokenUses;
    this.#peers = parts.peers;
    this.isHosted = parts.isHosted || !parts.peers.isAlone;
    changes.listen((objectName) => this.#remembered.invalidate(objectName));
    this.#accountId = runtime.namespace<Account>('Account').idFromName(accountName);
    this.#listUses = new ListUses({ findAccount: () => this.account, directory: environment.directory });
    this.configurations = {
      clock: activity.clock,
      listZones: () => this.directory.zones.values(),
      findZone: (zoneId) => this.directory.zones.get(zoneId),
      readCoreRules: () => this.#coreRules,
      readAccount: (versionKnown) => this.account.readConfiguration(versionKnown),
      readZone: (zoneId) => this.getZone(zoneId).readConfiguration(this.directory.point),
      readConfiguration: (zoneId) => this.#readConfiguration(zoneId),
      onChange: (listener) => this.#changes.listen(listener),
    };
  }

  /** From now on, zones are checked and requests evaluated by these rules, here and at the edges. */
  async setCoreRules(rules: CoreRules | undefined): Promise<void> {
    await replaceCoreRules(rules);
    this.#coreRules = rules;
    this.#changes.tell(coreRulesChange);
  }

  get directory(): Directory {
    return this.#environment.directory;
  }

  /** A stub stays broken once its object has failed, so each call uses a new one. */
  get account(): DurableObjectStub<Account> {
    return this.#runtime.namespace<Account>('Account').get(this.#accountId);
  }

  async #readConfiguration(zoneId: string): Promise<ZoneConfiguration | undefined> {
    const zone = await this.getZone(zoneId).readConfiguration(this.directory.point);
    const account = await this.account.readConfiguration();
    return zone && joinParts(zone, account!).configuration;
  }

  async dispatch(received: Call): Promise<WrittenResponse | PlainReply> {
    const call = this.#locate(received);
    const { answeredBy, isWrite } = operations[call.operation];
    if (isCallOf(call, 'bundle.export')) return this.#exportBundle(call);
    if (isCallOf(call, 'bundle.import') && call.input.body.load_balancing !== undefined)
      return this.#importBundle(call);
    if (answeredBy === 'zone') {
      const zoneId = call.input.path['zone_id']!;
      return isWrite
        ? this.#listUses.during(zoneId, call.input.body, () => this.#writeToZone(zoneId, call))
        : this.#ask(() => this.getZone(zoneId), zoneId, call);
    }
    if (isOfSeveral(call)) {
      const host = await this.#findOtherHost(call);
      return host === undefined ? this.#askSeveral(call) : this.#peers.forward(host, call);
    }
    const answer = await this.#ask(() => this.account, accountName, this.#tokenUses.addTo(call));
    if (isWrite) await this.refresh();
    return answer;
  }

  /** An object in another process waits until its copy of the directory is as new as this one. */
  #locate<Id extends OperationId>(call: Call<Id>): Call<Id> {
    return this.isHosted ? { ...call, directory: this.directory.point } : call;
  }

  #exportBundle(call: Call<'bundle.export'>): Promise<WrittenResponse> {
    const zoneId = call.input.path['zone_id']!;
    return exportBoth(
      () => askAgainIfLost(() => askObject(this.getZone(zoneId), call)),
      () => askAgainIfLost(() => askObject(this.account, ofAccount(call))),
    );
  }

  #importBundle(call: Call<'bundle.import'>): Promise<WrittenResponse> {
    const { path, body, query } = call.input;
    const zoneId = path['zone_id']!;
    return importBoth({
      tryAccount: async () => {
        const [reply] = await this.account.replyTogether([ofAccount(call)], { isTrial: true });
        return reply as ObjectReply<Result<'bundle.import'>>;
      },
      changeZone: () =>
        this.#listUses.during(zoneId, body, async () => {
          try {
            return await askObject(this.getZone(zoneId), call);
          } finally {
            if (this.isHosted) this.#remembered.invalidate(zoneId);
          }
        }),
      changeAccount: async () => {
        const reply = await askObject(this.account, ofAccount(call));
        await this.refresh();
        return reply;
      },
      isTrial: query.dry_run === true,
    });
  }

  /**
   * The version of a ruleset that a call restores; undefined if it restores none, or one that does not exist: the call
   * itself reports that. Its expressions are in the object; they are parsed and compiled before the call starts, like
   * those of a body, so that the object finds them compiled.
   */
  async readEarlier(call: Call): Promise<unknown> {
    const { path } = call.input;
    const read = async (
      object: AnsweringObject,
      operation: 'rulesets.getVersion' | 'accountRulesets.getVersion',
    ): Promise<unknown> => {
      const reading = { ...this.#locate(call), operation, input: { path, query: {}, body: undefined } };
      const reply = await askAgainIfLost(() => askObject(object, { ...reading, versions: undefined }));
      return reply.kind === 'done' ? reply.result : undefined;
    };
    if (call.operation === 'rulesets.restoreVersion')
      return await read(this.getZone(path['zone_id']!), 'rulesets.getVersion');
    if (call.operation === 'accountRulesets.restoreVersion')
      return await read(this.account, 'accountRulesets.getVersion');
    return undefined;
  }

  async #writeToZone(zoneId: string, call: Call): Promise<WrittenResponse> {
    try {
      return await this.#batches.answer(zoneId, call);
    } finally {
      // The host's notification of the write may arrive after its answer.
      if (this.isHosted) this.#remembered.invalidate(zoneId);
    }
  }

  /** Calls the object, or returns its cached answer to the same call if it was not written to since. */
  #ask(find: () => Pick<AnsweringObject, 'answer'>, name: string, call: Call): Promise<WrittenResponse> {
    const { operation, input } = call;
    const { isWrite, isPersonal } = operations[operation];
    if (isWrite) return find().answer(call);
    const ask = (): Promise<WrittenResponse> => askAgainIfLost(() => find().answer(call));
    // Another host may have written to the object, with its notification still on the way.
    if (isPersonal || !this.#peers.isAlone) return ask();
    const directory = `${this.directory.version} ${this.#coreRules?.digest}`;
    const question = { operation, input, directory };
    return this.#remembered.answer(name, question, ask);
  }

  /** The host with the object that a call inspects, unless that is this one. */
  async #findOtherHost({ operation, input: { path } }: Call): Promise<string | undefined> {
    const { class_name: className = '', object } = path;
    if (this.#peers.isAlone || object === undefined || operation === 'objects.export') return undefined;
    if (!operation.startsWith('objects.') || !this.#runtime.classNames.includes(className)) return undefined;
    const namespace = this.#runtime.namespace<Zone>(className);
    let id: DurableObjectId;
    try {
      id = /^[0-9a-f]{64}$/i.test(object) ? namespace.idFromString(object) : namespace.idFromName(object);
    } catch {
      // The handler reports the error.
      return undefined;
    }
    // An object that has stored nothing is not woken for the search.
    const name = await this.#runtime.nameOf(id);
    if (name === undefined) return undefined;
    const host = await askAgainIfLost(() => namespace.getByName(name).findHost());
    return host === this.#peers.hostId ? undefined : host;
  }

  /**
   * Answers a call of another host about an object of this one. Returns faults as responses, because a thrown one would
   * lose its details on the way.
   */
  async answerForOther(call: Call): Promise<WrittenResponse | PlainReply> {
    assert(isOfSeveral(call), `${call.operation} is not forwarded between hosts`);
    try {
      return await this.#askSeveral(call, { isForOther: true });
    } catch (error) {
      if (error instanceof Fault) return writeFault(error);
      throw error;
    }
  }

  async #askSeveral<Id extends SeveralId>(
    call: Call<Id>,
    { isForOther = false } = {},
  ): Promise<WrittenResponse | PlainReply> {
    const handle: ObjectsHandlers<SeveralId>[Id] = handlersOfSeveralObjects[call.operation];
    const reply = await handle(this.#createObjectsContext(call, isForOther), call.input);
    return !('kind' in reply) || reply.kind === 'plain' ? reply : writeReply(reply, []);
  }

  /** Reads the whole directory, once. It is updated before any answer. */
  async load(): Promise<void> {
    const start = await this.account.readDirectory();
    this.directory.apply(start);
    for await (const zones of this.#readZones()) this.directory.apply({ ...start, tokens: [], zones });
  }

  /**
   * Reads the directory again after the account was restored to another state. Its revision continues from that of the
   * directory, so that no revision is used for two states.
   */
  async reload(): Promise<void> {
    await this.account.continueFrom(this.directory.revision);
    const changed = await this.#reread();
    await this.refresh();
    this.#environment.onChange(accountName);
    for (const id of changed) this.#environment.onChange(id);
  }

  /** Replaces the whole directory; resolves to the zones of both versions. */
  async #reread(): Promise<string[]> {
    this.#listUses.forget();
    const gone = {
      zones: new Set(this.directory.zones.keys()),
      tokens: new Set(this.directory.tokens.keys()),
    };
    const start = await this.account.readDirectory();
    const zones = (await Array.fromAsync(this.#readZones())).flat();
    for (const { id } of zones) gone.zones.delete(id);
    for (const { id } of start.tokens) gone.tokens.delete(id);
    const forget = (ids: Iterable<string>) => Array.from(ids, (id) => ({ id, facts: undefined }));
    this.directory.apply({
      ...start,
      zones: [...forget(gone.zones), ...zones],
      tokens: [...forget(gone.tokens), ...start.tokens],
    });
    return [...gone.zones, ...zones.map((zone) => zone.id)];
  }

  async *#readZones(): AsyncGenerator<DirectoryChanges['zones']> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const part: ZonePage = await this.account.listZonePart(after);
      yield part.zones.map((facts) => ({ id: facts.id, facts }));
      after = part.next;
    }
  }

  /** Called after the object of a zone was restored to another state. A zone that no longer exists has no readers. */
  async followZone(id: DurableObjectId): Promise<void> {
    const namespace = this.#runtime.namespace<Zone>('Zone');
    const zone = this.directory.zones
      .values()
      .find((each) => each.id === id.name || namespace.idFromName(each.id).equals(id));
    if (zone === undefined) return;
    const { directory } = this;
    const account = this.account;
    const notifyChanged = this.#environment.onChange;
    await followReplacedZone(
      { directory, account, getZone: (zoneId) => this.getZone(zoneId), notifyChanged },
      zone.id,
    );
  }

  /** A write to the account takes effect once the directory has its changes. */
  async refresh(): Promise<void> {
    await this.#peers.renew();
    await this.#peers.spread();
    await this.eraseDeleted();
  }

  /** Updates the directory. Other hosts update theirs. */
  async pull(): Promise<void> {
    const changes = await askAgainIfLost(() => this.account.readDirectoryChanges(this.directory.revision));
    if (changes.isIncomplete === true) {
      for (const id of await this.#reread()) this.#changes.tell(id);
      this.#changes.tell(accountName);
      return;
    }
    this.directory.apply(changes);
    // Listeners that were notified of the write may have read a zone before the directory reflected the write.
    for (const { id } of changes.zones) this.#changes.tell(id);
    // Streams end together with the token that opened them.
    if (changes.tokens.length > 0) this.#changes.tell(accountName);
  }

  /** Rejects if the account does not answer. Also completes work that a departed host left unfinished. */
  async probe(): Promise<void> {
    await this.#peers.renew();
    if (this.directory.zonesToErase.length === 0) return;
    await this.eraseDeleted();
    await this.#peers.renew();
  }

  /** Erases the objects of deleted zones. */
  async eraseDeleted(): Promise<void> {
    for (const zoneId of this.directory.zonesToErase) await this.#erase(zoneId);
  }

  /** The zone is no longer in the directory, so nothing more is written to it. */
  async #erase(zoneId: string): Promise<void> {
    try {
      await this.getZone(zoneId).erase();
      await this.#activity.erase(zoneId);
      await this.#traffic.erase(zoneId);
      await this.account.confirmZoneErased(zoneId);
    } catch (error) {
      this.#environment.onError(error);
    }
  }

  #createObjectsContext(call: Call, isForOther: boolean): ObjectsContext {
    const environment = this.#environment;
    const activity = this.#activity;
    return {
      call,
      actor: call.actor,
      nowMs: activity.clock.now(),
      get directory() {
        return environment.directory;
      },
      account: this.account,
      getZone: (id) => this.getZone(id),
      activity,
      traffic: this.#traffic,
      configurations: this.configurations,
      ...this.#outside,
      ...this.#served,
      keySealer: environment.keySealer,
      runtime: this.#runtime,
      allowsObjectWrites: this.#allowsObjectWrites,
      change: makePlanned({
        by: call,
        directory: this.directory,
        listUses: this.#listUses,
        readsTrees: !this.isHosted,
        reply: (zoneId, calls, isTrial) => this.#replyTogether(zoneId, calls, isTrial),
      }),
      notifyChanged: (objectName) => environment.onChange(objectName),
      anchorAudits: (objectNames) => this.#anchorAudits(objectNames),
      refresh: () => this.refresh(),
      hideList: (name) => this.#peers.hideList(name),
      askOtherHosts: isForOther ? undefined : () => this.#peers.forwardToAll(call),
    };
  }

  async #replyTogether(
    zoneId: string | undefined,
    calls: readonly Call[],
    isTrial: boolean,
  ): Promise<ObjectReply[]> {
    const object = zoneId === undefined ? this.account : this.getZone(zoneId);
    const replies = await object.replyTogether(calls, { isTrial });
    if (zoneId === undefined) await this.refresh();
    else if (this.isHosted) this.#remembered.invalidate(zoneId);
    return replies;
  }

  noteRuleEnd(
    zoneId: string,
    end: { readonly rule: string; readonly reason: string },
  ): Promise<TakenOutOfForce | undefined> {
    return this.getZone(zoneId).noteRuleEnd(end);
  }

  getZone(id: string): DurableObjectStub<Zone> {
    return this.#runtime.namespace<Zone>('Zone').getByName(id);
  }
}

/** The caller's version is that of the zone. */
function ofAccount<Id extends OperationId>(call: Call<Id>): Call<Id> {
  return { ...call, versions: undefined };
}
