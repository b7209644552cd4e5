/** Brings calls to the objects that answer them, and keeps the directory in step with the account. */
import type { DurableObjectStub, Runtime } from '#objects';
import type { ZoneConfiguration } from '#firewall';
import { operations, type PlainReply, writeReply, type WrittenAnswer } from '#api';
import { type Account, accountName } from '../objects/account.ts';
import type { ChangeFeed } from '../context/change-feed.ts';
import { type ControlEnvironment, Directory } from '../context/directory.ts';
import { joined } from '../configuration/zone-configuration.ts';
import type { Call } from '../context/handler.ts';
import type { Activity } from '../operations/events/activity.ts';
import type { Zone } from '../objects/zone.ts';
import type { FeedSource } from '../operations/edge/configuration-feed.ts';
import type { ObjectsContext } from '../operations/several-objects.ts';
import { handlersOfSeveralObjects } from './handlers-of-several-objects.ts';
import { RememberedAnswers } from './remembered-answers.ts';

export interface DispatcherParts {
  readonly runtime: Runtime;
  readonly environment: ControlEnvironment;
  readonly activity: Activity;
  readonly changes: ChangeFeed;
}

interface Answering {
  answer(call: Call): Promise<WrittenAnswer>;
}

export class Dispatcher {
  /** What the edge judges requests of each zone by. What it says is on disk. */
  readonly configurations: FeedSource;
  readonly #runtime: Runtime;
  readonly #environment: ControlEnvironment;
  readonly #activity: Activity;
  readonly #changes: ChangeFeed;
  readonly #account: DurableObjectStub<Account>;
  readonly #remembered = new RememberedAnswers();

  constructor({ runtime, environment, activity, changes }: DispatcherParts) {
    this.#runtime = runtime;
    this.#environment = environment;
    this.#activity = activity;
    this.#changes = changes;
    changes.listen((objectName) => this.#remembered.changed(objectName));
    this.#account = runtime.namespace<Account>('Account').getByName(accountName);
    this.configurations = {
      clock: activity.clock,
      zoneIds: () => this.directory.zones.keys(),
      configuration: (zoneId) => this.#configuration(zoneId),
      onChange: (listener) => this.#onChange(listener),
    };
  }

  get directory(): Directory {
    return this.#environment.directory;
  }

  get account(): DurableObjectStub<Account> {
    return this.#account;
  }

  async #configuration(zoneId: string): Promise<ZoneConfiguration | undefined> {
    const zone = await this.#zone(zoneId).configuration();
    return zone && joined(zone, await this.#account.configuration());
  }

  /**
   * Calls with the id of each zone whose configuration may have changed, also of those that came or went, until the function
   * that is returned is called.
   */
  #onChange(listener: (zoneId: string) => void): () => void {
    return this.#changes.listen((objectName) => {
      if (objectName !== accountName) return listener(objectName);
      for (const zoneId of this.directory.zones.keys()) listener(zoneId);
      for (const zoneId of this.directory.data.zonesToErase) listener(zoneId);
    });
  }

  async dispatch(call: Call): Promise<WrittenAnswer | PlainReply> {
    const { answeredBy, isWrite } = operations[call.operation];
    if (answeredBy === 'zone') {
      const zoneId = call.input.path['zone_id']!;
      return this.#ask(this.#zone(zoneId), zoneId, call);
    }
    if (answeredBy === 'several objects') return this.#askSeveral(call);
    const answer = await this.#ask(this.#account, accountName, call);
    if (isWrite) await this.refresh();
    return answer;
  }

  /** An object, or what it said when it was asked the same and had not been written to since. */
  #ask(object: Answering, name: string, call: Call): Promise<WrittenAnswer> {
    const { operation, input } = call;
    const { isWrite, isPersonal } = operations[operation];
    if (isWrite || isPersonal) return object.answer(call);
    const question = { operation, input, revision: this.directory.revision };
    return this.#remembered.answer(name, question, () => object.answer(call));
  }

  async #askSeveral(call: Call): Promise<WrittenAnswer | PlainReply> {
    const operation = call.operation as keyof typeof handlersOfSeveralObjects;
    const reply = await handlersOfSeveralObjects[operation](this.#objectsContext(call), call.input as never);
    return !('kind' in reply) || reply.kind === 'plain' ? reply : writeReply(reply, []);
  }

  /** A write of the account counts from the moment its directory is in place. */
  async refresh(): Promise<void> {
    const data = await this.#account.directory();
    const { revision } = this.directory;
    if (data.revision >= revision) this.#environment.directory = new Directory(data);
    // Those who were told of the write may have looked at zones before the directory said what became of them.
    if (data.revision > revision) this.#environment.onChange(accountName);
    for (const zoneId of data.zonesToErase) await this.#erase(zoneId);
  }

  /** The zone is in no directory by now, so nothing more is written to it. */
  async #erase(zoneId: string): Promise<void> {
    try {
      await this.#zone(zoneId).erase();
      await this.#activity.erase(zoneId);
      await this.#account.zoneErased(zoneId);
    } catch (error) {
      this.#environment.onError(error);
    }
  }

  #objectsContext(call: Call): ObjectsContext {
    const environment = this.#environment;
    const activity = this.#activity;
    return {
      call,
      actor: call.actor,
      nowMs: activity.clock.now(),
      get directory() {
        return environment.directory;
      },
      account: this.#account,
      zone: (id) => this.#zone(id),
      activity,
      configurations: this.configurations,
      refresh: () => this.refresh(),
    };
  }

  #zone(id: string): DurableObjectStub<Zone> {
    return this.#runtime.namespace<Zone>('Zone').getByName(id);
  }
}
