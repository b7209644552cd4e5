/** The migration of one zone through the API, for the commands. */
import { readFileSync } from 'node:fs';
import { ApiClient, type ApiMessage, type ZoneSummary } from '../api/api-client.ts';
import { readConnection } from '../api/connection.ts';
import { type Arguments, CommandError } from '../command.ts';

export interface MigrationStatus {
  readonly old_waf_status: string;
  readonly new_waf_status: string;
  readonly migration_state: string;
  readonly watched: boolean;
  readonly [property: string]: unknown;
}

export interface MigrationConfig {
  readonly rules: readonly ConfigRule[];
  readonly [property: string]: unknown;
}

interface ConfigRule {
  readonly action: string;
  readonly description?: string;
  readonly expression: string;
  readonly enabled?: boolean;
  readonly action_parameters?: Readonly<Record<string, unknown>>;
}

const entryPoint = '/rulesets/phases/http_request_firewall_managed/entrypoint';

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

  get path(): string {
    return `/zones/${this.zone.id}`;
  }

  readStatus(): Promise<MigrationStatus> {
    return this.api.get<MigrationStatus>(`${this.path}/waf_migration/status`);
  }

  async check(): Promise<{
    readonly compatible: boolean;
    readonly migration_state: string;
    readonly messages: readonly ApiMessage[];
  }> {
    const { result, messages } = await this.api.call('GET', `${this.path}/waf_migration/check?phase_two=1`);
    return { ...(result as { compatible: boolean; migration_state: string }), messages };
  }

  async plan(): Promise<{ readonly config: MigrationConfig; readonly losses: readonly ApiMessage[] }> {
    const { result, messages } = await this.api.call('GET', `${this.path}/waf_migration/config?phase_two=1`);
    return { config: result as MigrationConfig, losses: messages };
  }

  /** From the file that an option names; without one, the rules in validation, or what the zone proposes. */
  async readConfig(file: string | undefined): Promise<MigrationConfig> {
    if (file !== undefined) return readConfigFile(file);
    const { migration_state: state } = await this.readStatus();
    return state === 'validation' ? this.#readEntryPoint() : (await this.plan()).config;
  }

  async deploy(
    step: 'validation' | 'pending',
    config: MigrationConfig,
    watch: boolean,
  ): Promise<readonly ApiMessage[]> {
    const query = `waf_migration=${step}&phase_two=1${watch ? '&watch=true' : ''}`;
    return (await this.api.call('PUT', `${this.path}${entryPoint}?${query}`, config)).messages;
  }

  [Symbol.dispose](): void {
    this.api[Symbol.dispose]();
  }

  async #readEntryPoint(): Promise<MigrationConfig> {
    const { name, description, rules } = await this.api.get<MigrationConfig>(`${this.path}${entryPoint}`);
    return { name, description, rules };
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
