/** The migration of one zone through the API, for the commands. */
import { readFileSync } from 'node:fs';
import type { ErrorEntry, Result } from '#client';
import type { MigrationConfig } from '#rehearsal';
import { ApiClient, type ZoneSummary } from '../api/api-client.ts';
import { readConnection } from '../api/connection.ts';
import { type Arguments, CommandError } from '../command.ts';

const entryPoint = '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint';
const ruleset_phase = 'http_request_firewall_managed';
const phaseTwo = { phase_two: '1' };

export class MigratingZone implements Disposable {
  readonly api: ApiClient;
  readonly zone: ZoneSummary;

  private constructor(api: ApiClient, zone: ZoneSummary) {
    this.api = api;
    this.zone = zone;
  }

  /** The zone that the first argument names. */
  static async open(args: Arguments, command: string): Promise<MigratingZone> {
    const api = new ApiClient(readConnection(args, command));
    try {
      return new MigratingZone(api, await api.findZone(args.positionals[0]!));
    } catch (error) {
      api[Symbol.dispose]();
      throw error;
    }
  }

  get id(): string {
    return this.zone.id;
  }

  async readStatus(): Promise<Result<'migration.status'>> {
    return (await this.api.get('/zones/{zone_id}/waf_migration/status', { zone_id: this.id })).result;
  }

  async check(): Promise<Result<'migration.check'> & { readonly messages: readonly ErrorEntry[] }> {
    const call = { zone_id: this.id, query: phaseTwo };
    const { result, messages } = await this.api.get('/zones/{zone_id}/waf_migration/check', call);
    return { ...result, messages };
  }

  async plan(): Promise<{ readonly config: MigrationConfig; readonly losses: readonly ErrorEntry[] }> {
    const call = { zone_id: this.id, query: phaseTwo };
    const { result, messages } = await this.api.get('/zones/{zone_id}/waf_migration/config', call);
    return { config: result, losses: messages };
  }

  /** From the file of an option; by default, the rules in validation, or the zone's proposal. */
  async readConfig(file: string | undefined): Promise<MigrationConfig> {
    if (file !== undefined) return readConfigFile(file);
    const { migration_state: state } = await this.readStatus();
    return state === 'validation' ? this.#readEntryPoint() : (await this.plan()).config;
  }

  async deploy(
    step: 'validation' | 'pending',
    config: MigrationConfig,
    watch: boolean,
  ): Promise<readonly ErrorEntry[]> {
    const query = { ...phaseTwo, waf_migration: step, watch: watch || undefined };
    const call = { zone_id: this.id, ruleset_phase, query, body: config };
    return (await this.api.put(entryPoint, call)).messages;
  }

  [Symbol.dispose](): void {
    this.api[Symbol.dispose]();
  }

  async #readEntryPoint(): Promise<MigrationConfig> {
    const call = { zone_id: this.id, ruleset_phase };
    const { name, description, rules } = (await this.api.get(entryPoint, call)).result;
    return { name, description, rules: rules as MigrationConfig['rules'] };
  }
}

/** The answer of `plan --json`, `config` of a report, or the body itself. */
export function readConfigFile(file: string): MigrationConfig {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`the configuration ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const { config = content } = Object(content) as { readonly config?: unknown };
  if (Array.isArray((Object(config) as { rules?: unknown }).rules)) return config as MigrationConfig;
  throw new CommandError(
    `the configuration ${file} has no rules: write it with gatehouse migrate plan ZONE --json > ${file}`,
  );
}
