/** `gatehouse serve --cluster` as a test sees it. */
import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { createLog } from '#base';
import { endWith } from '../../src/program/cli/watched/testing.ts';
import { loadProgram, type ServeProgram, readConfig } from '#server';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from '../server/gatehouse.ts';

type Ready = ReadyFacts & { readonly edge: string; readonly edge_https: string };

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly body: any;
}

interface StartOptions {
  readonly directory?: string;
  /** Settings besides those that every test has. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** `gatehouse serve` in a separate process, or in this one, which starts sooner and cannot be killed. */
export class ServeHost {
  readonly ready: Ready;
  readonly #token: string;

  constructor(ready: Ready, token: string) {
    this.ready = ready;
    this.#token = token;
  }

  static async run(
    t: TestContext,
    url: string,
    token?: string,
  ): Promise<{ host: ServeHost; server: Gatehouse }> {
    const { server, ready } = await Gatehouse.start(t, {
      directory: temporary(t),
      args: ['--allow-private-origins', 'true', '--rate-limit', 'false'],
      environment: { GATEHOUSE_CLUSTER: url },
    });
    return { host: new ServeHost(ready as Ready, token ?? ready.token!), server };
  }

  /** In a cluster if there is a URL, on the directory otherwise. */
  static async start(
    t: TestContext,
    url: string | undefined,
    token?: string,
    { directory = temporary(t), flags = {} }: StartOptions = {},
  ): Promise<{ host: ServeHost; program: ServeProgram; said: string[]; data: string }> {
    const said: string[] = [];
    const config = readConfig({
      flags: {
        port: '0',
        'allow-private-origins': 'true',
        'rate-limit': 'false',
        'edge-workers': '0',
        ...flags,
      },
      environment: url === undefined ? {} : { GATEHOUSE_CLUSTER: url },
      directory,
    });
    const log = createLog({ level: 'debug', format: 'json', write: (line) => said.push(line) });
    const program = await (await loadProgram()).start({ config, log, version: '0' });
    endWith(t, () => program.stop());
    const { ready } = program;
    return {
      host: new ServeHost(ready as Ready, token ?? ready.token!),
      program,
      said,
      data: config.settings.data,
    };
  }

  async call(route: string, body?: unknown, token = this.#token): Promise<Answer> {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(`${this.ready.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  /**
   * Retries while the service responds that it is unavailable: a host was lost, or mistaken for lost on a busy machine.
   */
  async insist(route: string, body?: unknown): Promise<Answer['body']> {
    let answer: Answer | undefined;
    await eventually(async () => {
      answer = await this.call(route, body);
      return answer.status !== 503;
    }, route);
    equal(answer!.status, 200, `${route}: ${JSON.stringify(answer!.body)}`);
    return answer!.body.result;
  }

  /** The status of a request to the edge. */
  async visit(host: string, path = '/'): Promise<number> {
    const { port } = new URL(this.ready.edge);
    const outgoing = request({ port, host: '127.0.0.1', agent: false, path, headers: { host } });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    await text(answer);
    return answer.statusCode!;
  }
}

/** A rule that blocks a path. */
export function blockPath(path: string): unknown {
  const filter = { expression: `http.request.uri.path eq "${path}"` };
  return [{ action: 'block', description: path, filter }];
}
