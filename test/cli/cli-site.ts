/** The whole program with an edge and an origin, and the command line in front of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../../src/program/cli/testing.ts';
import { loadProgram, type ServeProgram, readConfig } from '#server';

export class CliSite implements AsyncDisposable {
  readonly program: ServeProgram;
  readonly directory: string;
  readonly #origin: Server;
  readonly #commands: ChildProcess;
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: {
    program: ServeProgram;
    directory: string;
    origin: Server;
    commands: ChildProcess;
    opened: AsyncDisposableStack;
  }) {
    this.program = parts.program;
    this.directory = parts.directory;
    this.#origin = parts.origin;
    this.#commands = parts.commands;
    this.#opened = parts.opened;
  }

  static async open(): Promise<CliSite> {
    // Open resources are closed after a failure, or the test would never end.
    await using opened = new AsyncDisposableStack();
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
    opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    const origin = createServer((_request, response) => response.end('from the origin'));
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
    opened.defer(() => {
      origin.closeAllConnections();
      origin.close();
    });
    const config = readConfig({
      flags: {
        data: join(directory, 'data'),
        port: '0',
        'edge-port': '0',
        'object-hosts': process.env['GATEHOUSE_OBJECT_HOSTS'] ?? '1',
        'edge-workers': process.env['GATEHOUSE_EDGE_WORKERS'] ?? '0',
        'allow-private-origins': 'true',
        'rate-limit': 'false',
      },
      environment: {},
      directory,
    });
    // Commands with wrong arguments leave their files where the others are.
    const commands = fork(fileURLToPath(new URL('./command-process.ts', import.meta.url)), [directory]);
    opened.defer(() => void commands.disconnect());
    const ignore = (): void => {};
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const program = opened.use(await (await loadProgram()).start({ config, log, version: '0.0.0-test' }));
    return new CliSite({ program, directory, origin, commands, opened: opened.move() });
  }

  get originUrl(): string {
    return `http://127.0.0.1:${(this.#origin.address() as AddressInfo).port}`;
  }

  /** `gatehouse …` with the address and the token of this server. */
  run(...args: string[]): Promise<Outcome> {
    const { api, token } = this.program.ready;
    return this.runElsewhere(...args, '--api', api, '--token', token!);
  }

  /** `gatehouse …` without additions. One command at a time. */
  async runElsewhere(...args: string[]): Promise<Outcome> {
    const answered = once(this.#commands, 'message');
    this.#commands.send(args);
    return ((await answered) as [Outcome])[0];
  }

  /** The output of a successful command with `--json`, line by line. */
  async read(...args: string[]): Promise<any[]> {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  /** A file with JSON in it. */
  write(name: string, content: unknown): string {
    const path = join(this.directory, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  /** The status of a request through the edge. */
  async visit(host: string, path: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    request(new URL(path, this.program.ready.edge), { headers: { host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
