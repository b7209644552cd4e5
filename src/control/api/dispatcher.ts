/** Brings calls to the objects that answer them, and keeps the directory in step with the account. */
import type { DurableObjectStub, Runtime } from '#objects';
import { operations, type WrittenAnswer } from '#v4';
import type { Account } from '../account/account.ts';
import { type ControlEnvironment, Directory } from '../directory.ts';
import type { Call } from '../handler.ts';
import { type Zone, zoneHandlers } from '../zone/zone.ts';

export class Dispatcher {
  readonly #runtime: Runtime;
  readonly #environment: ControlEnvironment;
  readonly #account: DurableObjectStub<Account>;

  constructor(runtime: Runtime, environment: ControlEnvironment) {
    this.#runtime = runtime;
    this.#environment = environment;
    this.#account = runtime.namespace<Account>('Account').getByName('account');
  }

  get directory(): Directory {
    return this.#environment.directory;
  }

  get account(): DurableObjectStub<Account> {
    return this.#account;
  }

  async dispatch(call: Call): Promise<WrittenAnswer> {
    if (Object.hasOwn(zoneHandlers, call.operation))
      return this.#zone(call.input.path['zone_id']!).answer(call);
    const answer = await this.#account.answer(call);
    if (operations[call.operation].isWrite) await this.refresh();
    return answer;
  }

  /** A write of the account counts from the moment its directory is in place. */
  async refresh(): Promise<void> {
    const data = await this.#account.directory();
    if (data.revision >= this.directory.revision) this.#environment.directory = new Directory(data);
  }

  #zone(id: string): DurableObjectStub<Zone> {
    return this.#runtime.namespace<Zone>('Zone').getByName(id);
  }
}
