/** For tests: objects that contain only rulesets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ruleset } from '#rulesets';
import {
  createRuntime,
  DurableObject,
  type DurableObjectState,
  type DurableObjectStub,
  type Runtime,
} from '#objects';
import {
  readEvaluatedCustomRulesets,
  readEvaluatedEntryPoints,
} from '../../configuration/evaluated-rulesets.ts';
import { RulesetStore, rulesetTables } from '../../stores/rulesets.ts';

const last_updated = '2024-01-20T14:29:00.190643Z';

function createRuleset(parts: Partial<Ruleset> = {}): Ruleset {
  return {
    id: 'a',
    name: 'a',
    description: '',
    kind: 'zone',
    version: '1',
    rules: [],
    last_updated,
    phase: 'http_request_firewall_custom',
    ...parts,
  };
}

export class Shelf extends DurableObject {
  readonly #store: RulesetStore;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    for (const table of rulesetTables) table.create(ctx.storage.sql);
    this.#store = new RulesetStore(ctx.storage.sql);
  }

  put(rulesets: readonly Partial<Ruleset>[]): void {
    for (const parts of rulesets) this.#put(parts, 1);
  }

  /** Stores `count` versions of one ruleset, each of the given size. */
  putVersions(count: number, bytes: number): void {
    for (let version = 1; version <= count; version++) this.#put({ version: String(version) }, bytes);
  }

  versions(): string[] {
    return this.#store.listVersionSummaries('a').map(({ version }) => version);
  }

  current(): string | undefined {
    return this.#store.get('a')?.version;
  }

  entryPointIds(): string[] {
    return readEvaluatedEntryPoints(this.ctx.storage.sql).map(({ id }) => id);
  }

  customIds(): string[] {
    return readEvaluatedCustomRulesets(this.ctx.storage.sql).map(({ id }) => id);
  }

  #put(parts: Partial<Ruleset>, bytes: number): void {
    const ruleset = createRuleset(parts);
    this.#store.put(ruleset, { text: JSON.stringify(ruleset), bytes });
  }
}

export class Shelves {
  readonly #runtime: Runtime;
  readonly #directory: string;

  private constructor(runtime: Runtime, directory: string) {
    this.#runtime = runtime;
    this.#directory = directory;
  }

  static async open(): Promise<Shelves> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-rulesets-'));
    const classes = { Shelf: { class: Shelf, storage: 'sql' } } as const;
    return new Shelves(await createRuntime({ directory, classes, durability: 'os' }), directory);
  }

  get(name: string): DurableObjectStub<Shelf> {
    return this.#runtime.namespace<Shelf>('Shelf').getByName(name);
  }

  async close(): Promise<void> {
    await this.#runtime.close();
    await rm(this.#directory, { recursive: true });
  }
}
