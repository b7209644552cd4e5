/** An account of its own in a temporary directory, whose time is a clock that the rehearsal sets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualClock } from '#base';
import { Client, fetchFrom } from '#client';
import { Control } from '#control';

interface AccountParts {
  readonly clock: VirtualClock;
  readonly failures: readonly unknown[];
  readonly resources: AsyncDisposableStack;
}

export class TemporaryAccount implements AsyncDisposable {
  readonly control: Control;
  /** With the credentials of the owner. */
  readonly client: Client;
  readonly clock: VirtualClock;
  /** Errors of background work, and those that a response does not show. */
  readonly failures: readonly unknown[];
  readonly #resources: AsyncDisposableStack;

  private constructor(control: Control, { clock, failures, resources }: AccountParts) {
    const { email, key } = control.bootstrapped!;
    this.control = control;
    this.clock = clock;
    this.failures = failures;
    this.#resources = resources;
    this.client = new Client({
      url: 'http://copy.invalid/client/v4',
      headers: { 'x-auth-email': email, 'x-auth-key': key },
      fetch: fetchFrom((request) => control.answer(request)),
    });
  }

  static async open(clock: VirtualClock): Promise<TemporaryAccount> {
    await using resources = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-rehearsal-'));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    const failures: unknown[] = [];
    const control = await Control.open({
      directory,
      clock,
      durability: 'os',
      rateLimit: 'off',
      bootstrap: { accountName: 'Rehearsal', email: 'rehearsal@gatehouse.invalid' },
      onError: (error) => failures.push(error),
    });
    resources.defer(() => control.close());
    return new TemporaryAccount(control, { clock, failures, resources: resources.move() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}
