/**
 * The page of a Worker's objects, on a listener of its own: no path of the Worker is taken, and only this machine reaches
 * it. Who may see it is who has the link that signs in.
 */
import { randomBytes } from 'node:crypto';
import { realClock } from '#base';
import { apiPath, type ApiRequest, type ApiResponse, createNotRouted, writeFault } from '#contract';
import { Dashboard, PageFiles } from '#dashboard';
import { ObjectsApi, StoryFiles } from '#operator';
import type { ObjectRuntime } from '#objects';
import { type ApiServer, serveApi } from '#server';

export interface DevDashboardOptions {
  readonly runtime: ObjectRuntime;
  /** Where the stories of its simulations are. */
  readonly project: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
  /** Called with each link that signs in, once; the first time when the page can be opened. */
  readonly onLink: (url: string) => void;
}

export class DevDashboard {
  readonly #server: ApiServer;
  readonly #writeLink: () => void;

  private constructor(server: ApiServer, writeLink: () => void) {
    this.#server = server;
    this.#writeLink = writeLink;
  }

  /** Undefined if the page was not built. */
  static async start(options: DevDashboardOptions): Promise<DevDashboard | undefined> {
    const { runtime, project, port, onError } = options;
    const files = PageFiles.load();
    if (files === undefined) return undefined;
    // Cookies do not know ports: each process has its own.
    const cookie = `gatehouse_dev_${randomBytes(4).toString('hex')}`;
    const now = (): number => realClock.now();
    const api = new ObjectsApi({ runtime, stories: new StoryFiles(project), cookie, now, onError });
    const writeLink = (): void =>
      options.onLink(`${server.url}${dashboard.createSignInLink(api.credentials)}`);
    const dashboard = new Dashboard({
      files,
      sessions: () => api,
      hosts: [],
      now,
      program: 'dev',
      cookie,
      onLinkWanted: writeLink,
    });
    const answer = async (request: ApiRequest): Promise<ApiResponse> => {
      if (request.target.startsWith(apiPath)) return dashboard.guard(request, (each) => api.answer(each));
      return (await dashboard.answer(request)) ?? refuse(request);
    };
    const server = await serveApi({ answer, host: '127.0.0.1', port, onError });
    return new DevDashboard(server, writeLink);
  }

  writeLink(): void {
    this.#writeLink();
  }

  close(options: { readonly graceMs: number }): Promise<void> {
    return this.#server.close(options);
  }
}

function refuse({ target }: ApiRequest): ApiResponse {
  const { status, body } = writeFault(createNotRouted(target.split('?', 1)[0]!));
  return { status, headers: { 'content-type': 'application/json' }, body };
}
