/** A zone of the largest plan with its database open, for states that only a migration reaches. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, type DurableObjectStub, type Runtime } from '#objects';
import type { Input, OperationId } from '#contract';
import { system } from '../../context/caller.ts';
import { noAcme } from '../../context/acme-settings.ts';
import { Directory } from '../../context/directory.ts';
import type { ControlEnvironment } from '../../context/environment.ts';
import { KeySealer } from '../../context/key-sealer.ts';
import { SealingKeyFile } from '../../sealing-key-file.ts';
import { Zone } from '../../objects/zone.ts';
import {
  readLegacyWafConfiguration,
  type LegacyWafConfiguration,
} from '../../configuration/legacy-waf-configuration.ts';

const zoneId = 'e'.repeat(32);

class OpenZone extends Zone {
  run(statement: string): void {
    this.ctx.storage.sql.exec(statement);
  }

  readLegacyWaf(): LegacyWafConfiguration {
    return readLegacyWafConfiguration(this.ctx.storage.sql);
  }
}

export class TestZone implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #directory: string;
  readonly #zone: DurableObjectStub<OpenZone>;

  private constructor(runtime: Runtime, directory: string) {
    this.#runtime = runtime;
    this.#directory = directory;
    this.#zone = runtime.namespace<OpenZone>('Zone').getByName(zoneId);
  }

  static async open(): Promise<TestZone> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-legacy-'));
    const zone = {
      id: zoneId,
      name: 'zone.example',
      plan: 'enterprise' as const,
      accountId: 'a'.repeat(32),
      isPaused: false,
      type: 'full' as const,
      vanityNameServers: [],
      createdAtMs: 0,
      modifiedAtMs: 0,
    };
    const known = new Directory();
    known.apply({
      revision: 1,
      account: undefined,
      zones: [{ id: zoneId, facts: zone }],
      tokens: [],
      zonesToErase: [],
    });
    const env: ControlEnvironment = {
      keySealer: new KeySealer(new SealingKeyFile(join(directory, 'certificates.key'))),
      directory: known,
      ready: Promise.resolve(),
      checkOrigin: { findObstacle: () => undefined, workers: undefined },
      directoryRevisionsKept: 0,
      prepare: () => undefined,
      findHostId: () => '',
      acme: noAcme,
      outbound: { origins: undefined, mail: undefined },
      onChange: () => {},
      onError: (error) => {
        throw error;
      },
    };
    const classes = { Zone: { class: OpenZone, storage: 'sql' as const } };
    return new TestZone(await createRuntime({ directory, env, classes, durability: 'os' }), directory);
  }

  async answer(operation: OperationId, input: Partial<Record<keyof Input, object>> = {}) {
    const { path = {}, query = { page: 1, per_page: 50 }, body } = input;
    const call = { operation, input: { path, query, body } as Input, actor: system, requestId: '' };
    const answer = await this.#zone.answer(call);
    return { status: answer.status, ...(JSON.parse(answer.body!) as TestEnvelope) };
  }

  configuration(): Promise<LegacyWafConfiguration> {
    return this.#zone.readLegacyWaf();
  }

  /** Puts the zone into the state at the end of a migration. */
  async migrate(): Promise<void> {
    await this.#zone.run(
      "INSERT OR REPLACE INTO migration (one, state, created_ms) VALUES (1, 'complete', 0)",
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

interface TestEnvelope {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly result: any;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}
