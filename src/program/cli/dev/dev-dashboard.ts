/**
 * The page of a Worker's objects, on a separate listener: it uses none of the Worker's paths, and only this machine can
 * reach it. Only users with the sign-in link may see it.
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
  /** The project with the stories of its simulations. */
  readonly project: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
  /** Called with each sign-in link, once per link; first when the page is available. */
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
    // Cookies ignore ports: each process has a cookie name of its own.
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
