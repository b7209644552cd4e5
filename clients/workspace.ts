/** A directory with a configuration and its state, and tofu run in it with one provider that was built here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { GatehouseServer } from './server.ts';
import type { Tunnel } from './tunnel.ts';

export interface Setting {
  readonly server: GatehouseServer;
  readonly tunnel: Tunnel;
  readonly tofuPath: string;
  /** Where workspaces are made. */
  readonly directory: string;
}

/** A command with an unexpected exit status; the end of its output is in the message. */
export class CommandError extends Error {}

interface StateResource {
  readonly address: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const preamble = `terraform {
  required_providers {
    cloudflare = {
      source = "cloudflare/cloudflare"
    }
  }
}

provider "cloudflare" {}
`;

const shownLinesMax = 25;

export class Workspace {
  readonly directory: string;
  readonly #setting: Setting;
  #providerPath: string;

  constructor(setting: Setting, name: string, providerPath: string) {
    this.#setting = setting;
    this.#providerPath = providerPath;
    this.directory = join(setting.directory, name);
    mkdirSync(this.directory, { recursive: true });
    this.write('main.tf', preamble);
    this.useProvider(providerPath);
  }

  /** The provider is used from its build directory: no registry is contacted, and nothing has to be initialized. */
  useProvider(path: string): void {
    this.#providerPath = path;
    const folder = JSON.stringify(dirname(this.#providerPath));
    this.write(
      'cli.tfrc',
      `provider_installation {\n  dev_overrides {\n    "cloudflare/cloudflare" = ${folder}\n  }\n}\n`,
    );
  }

  write(file: string, content: string): void {
    writeFileSync(join(this.directory, file), content);
  }

  apply(): Promise<string> {
    return this.tofu(['apply', '-auto-approve', '-input=false']);
  }

  destroy(): Promise<string> {
    return this.tofu(['destroy', '-auto-approve', '-input=false']);
  }

  /** Fails if the plan has changes: exit status 2. */
  expectNoChanges(): Promise<string> {
    return this.tofu(['plan', '-detailed-exitcode', '-input=false']);
  }

  async attributesOf(address: string): Promise<Readonly<Record<string, unknown>>> {
    const found = (await this.listResources()).find((resource) => resource.address === address);
    if (found === undefined) throw new CommandError(`${address} is not in the state`);
    return found.values;
  }

  /** The resources in the state. */
  async listResources(): Promise<readonly StateResource[]> {
    const state = JSON.parse(await this.tofu(['show', '-json'])) as {
      values?: { root_module: { resources?: StateResource[] } };
    };
    return state.values?.root_module.resources ?? [];
  }

  tofu(args: readonly string[]): Promise<string> {
    const [command, ...rest] = args;
    const plain = command === 'show' || command === 'state' ? rest : ['-no-color', ...rest];
    return this.run(this.#setting.tofuPath, [command!, ...plain]);
  }

  async run(path: string, args: readonly string[]): Promise<string> {
    const child = spawn(path, args, {
      cwd: this.directory,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, complaints, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    if (status === 0) return out;
    const end = `${out}${complaints}`.trim().split('\n').slice(-shownLinesMax).join('\n');
    throw new CommandError(`${args.join(' ')} ended with ${status}:\n${end}`);
  }

  #environment(): NodeJS.ProcessEnv {
    const { facts } = this.#setting.server;
    const { host, pathname } = new URL(facts.api_https);
    return {
      PATH: process.env['PATH'],
      HOME: this.directory,
      TF_CLI_CONFIG_FILE: join(this.directory, 'cli.tfrc'),
      TF_IN_AUTOMATION: '1',
      CHECKPOINT_DISABLE: '1',
      CLOUDFLARE_API_TOKEN: facts.token,
      CLOUDFLARE_ACCOUNT_ID: facts.account_id,
      CLOUDFLARE_BASE_URL: facts.api_https,
      CLOUDFLARE_API_HOSTNAME: host,
      CLOUDFLARE_API_BASE_PATH: pathname,
      CLOUDFLARE_RPS: '100',
      SSL_CERT_FILE: facts.ca_file,
      HTTPS_PROXY: this.#setting.tunnel.url,
    };
  }
}
