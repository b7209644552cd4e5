/** Brings calls to the objects that answer them, and keeps the directory in step with the account. */
import type { DurableObjectStub, Runtime } from '#objects';
import { operations, type Reply, writeReply, type WrittenAnswer } from '#v4';
import { type Account, accountName } from '../account/account.ts';
import { type ControlEnvironment, Directory } from '../directory.ts';
import type { Call } from '../handler.ts';
import { type Zone, zoneHandlers } from '../zone/zone.ts';
import { type Crossing, crossings } from './crossings.ts';
import { escorts } from './escorts.ts';

export class Dispatcher {
  readonly #runtime: Runtime;
  readonly #environment: ControlEnvironment;
  readonly #account: DurableObjectStub<Account>;
  readonly #onError: (error: unknown) => void;

  /** Errors are those of work that nobody waits for; it is tried again. */
  constructor(runtime: Runtime, environment: ControlEnvironment, onError: (error: unknown) => void) {
    this.#runtime = runtime;
    this.#environment = environment;
    this.#onError = onError;
    this.#account = runtime.namespace<Account>('Account').getByName(accountName);
  }

  get directory(): Directory {
    return this.#environment.directory;
  }

  get account(): DurableObjectStub<Account> {
    return this.#account;
  }

  async dispatch(call: Call): Promise<WrittenAnswer> {
    if (Object.hasOwn(crossings, call.operation)) return writeReply(await this.#cross(call), []);
    if (Object.hasOwn(zoneHandlers, call.operation))
      return this.#zone(call.input.path['zone_id']!).answer(call);
    const answer = await this.#askAccount(call);
    if (operations[call.operation].isWrite) await this.refresh();
    return answer;
  }

  #askAccount(call: Call): Promise<WrittenAnswer> {
    const pass = (passed: Call): Promise<WrittenAnswer> => this.#account.answer(passed);
    const escort = escorts[call.operation];
    return escort === undefined ? pass(call) : escort(this.#crossing(), call, pass);
  }

  /** A write of the account counts from the moment its directory is in place. */
  async refresh(): Promise<void> {
    const data = await this.#account.directory();
    if (data.revision >= this.directory.revision) this.#environment.directory = new Directory(data);
    for (const zone of data.formerZones) if (!zone.isErased) await this.#erase(zone.id);
  }

  /** The zone is in no directory by now, so nothing more is written to it. */
  async #erase(zoneId: string): Promise<void> {
    try {
      await this.#zone(zoneId).erase();
      await this.#account.zoneErased(zoneId);
    } catch (error) {
      this.#onError(error);
    }
  }

  #cross({ operation, input }: Call): Promise<Reply> {
    return crossings[operation as keyof typeof crossings](this.#crossing(), input as never);
  }

  #crossing(): Crossing {
    const environment = this.#environment;
    return {
      get directory() {
        return environment.directory;
      },
      account: this.#account,
      zone: (id) => this.#zone(id),
      refresh: () => this.refresh(),
    };
  }

  #zone(id: string): DurableObjectStub<Zone> {
    return this.#runtime.namespace<Zone>('Zone').getByName(id);
  }
}
