/** A project in a separate folder, and Wrangler from npm that is run in it. */
import { equal } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporary } from '../test/server/gatehouse.ts';
import type { UploadSite } from '../test/wrangler/upload-site.ts';

interface Ran {
  readonly code: number;
  /** Its output on both streams, in order of arrival. */
  readonly said: string;
}

export class Project {
  readonly #site: UploadSite;
  readonly directory: string;
  readonly program: string;

  constructor(
    t: TestContext,
    site: UploadSite,
    {
      packageName,
      packages = join(import.meta.dirname, 'node_modules'),
    }: { readonly packageName: string; readonly packages?: string },
  ) {
    this.#site = site;
    this.directory = temporary(t);
    this.program = join(packages, packageName, 'bin', 'wrangler.js');
  }

  /** The environment of a program that runs Wrangler: only the two variables point it to this server. */
  get environment(): Record<string, string> {
    return {
      PATH: process.env['PATH']!,
      HOME: this.directory,
      CI: '1',
      NO_COLOR: '1',
      DO_NOT_TRACK: '1',
      CLOUDFLARE_API_BASE_URL: this.#site.ready.api,
      CLOUDFLARE_API_TOKEN: this.#site.ready.token!,
    };
  }

  /** Wrangler, running until it is killed. */
  start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [this.program, ...args], { cwd: this.directory, env: this.environment });
  }

  write(files: Readonly<Record<string, string | object>>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.directory, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), 'utf8');
  }

  /** The arguments are those of a shell without quotes; one with a space has a space that does not break. */
  async run(args: string, { input = '', token = this.#site.ready.token! } = {}): Promise<Ran> {
    const all = args.split(' ').map((each) => each.replaceAll('\u00a0', ' '));
    return await this.runAll(all, { input, token });
  }

  async runAll(
    args: readonly string[],
    { input = '', token = this.#site.ready.token!, folder = this.directory } = {},
  ): Promise<Ran> {
    const child = spawn(process.execPath, [this.program, ...args], {
      cwd: folder,
      env: {
        ...this.environment,
        CLOUDFLARE_API_TOKEN: token,
        // Wrangler remembers the account beside the packages, which outlive a server.
        ...(folder === this.directory ? {} : { CLOUDFLARE_ACCOUNT_ID: this.#site.ready.account_id }),
      },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 1, said };
  }

  async succeed(args: string, input = ''): Promise<string> {
    const { code, said } = await this.run(args, { input });
    equal(code, 0, `wrangler ${args}: ${said}`);
    return said;
  }
}
