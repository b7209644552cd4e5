/**
 * Everything that is served over HTTP beside each other: the API under `/client/v4`, and a few pages of the program itself. Those
 * take GET and HEAD and no credentials.
 */
import { type ApiAnswer, apiPath, type ApiRequest, fault, genericCodes, openApiDocument } from '#api';
import { answerOf } from './api/api-server.ts';
import type { Metric } from './metrics/metric.ts';
import type { ReadinessCheck } from './readiness.ts';

export interface SiteOptions {
  readonly version: string;
  readonly readiness: ReadinessCheck;
  readonly metrics: () => readonly Metric[];
  /** The API; undefined while it is not open yet. */
  readonly api: () => ((request: ApiRequest) => Promise<ApiAnswer>) | undefined;
  /** There is a listener for operators, so that nobody else needs the measurements. */
  readonly hasAdmin: boolean;
}

type Page = (request: ApiRequest) => Promise<ApiAnswer>;

export class Site {
  readonly #options: SiteOptions;
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #adminPages: ReadonlyMap<string, Page>;

  constructor(options: SiteOptions) {
    this.#options = options;
    const health: readonly [string, Page][] = [
      ['/livez', async () => text(200, 'ok\n')],
      ['/readyz', () => this.#ready()],
    ];
    this.#pages = new Map<string, Page>([
      ...health,
      ['/', async () => text(200, this.#welcome())],
      ['/metrics', (request) => this.#metrics(request)],
      ['/openapi.json', async () => json(200, openApiDocument({ serverUrl: apiPath }))],
    ]);
    this.#adminPages = new Map<string, Page>([...health, ['/metrics', async () => this.#measurements()]]);
  }

  readonly answer = (request: ApiRequest): Promise<ApiAnswer> => {
    return request.target.startsWith(apiPath) ? this.#api(request) : this.#page(request, this.#pages);
  };

  /** For operators, on a listener of their own. */
  readonly answerAdmin = (request: ApiRequest): Promise<ApiAnswer> => this.#page(request, this.#adminPages);

  async #api(request: ApiRequest): Promise<ApiAnswer> {
    const api = this.#options.api();
    if (api !== undefined) return api(request);
    const { phase } = this.#options.readiness;
    const refusal = answerOf(fault(genericCodes.unavailable, { fill: { state: phase } }));
    return { ...refusal, headers: { ...refusal.headers, 'retry-after': '1' } };
  }

  async #page(request: ApiRequest, pages: ReadonlyMap<string, Page>): Promise<ApiAnswer> {
    const path = request.target.split('?', 1)[0]!;
    const found = pages.get(path);
    if (found === undefined) {
      return answerOf(fault(genericCodes.couldNotRoute, { fill: { path: path.slice(0, 200) } }));
    }
    if (request.method === 'GET' || request.method === 'HEAD') return found(request);
    const refusal = answerOf(fault(genericCodes.methodNotAllowed));
    return { ...refusal, headers: { ...refusal.headers, allow: 'GET, HEAD' } };
  }

  #welcome(): string {
    return `Gatehouse ${this.#options.version}\n\nThe API is under ${apiPath}, its description at /openapi.json.\n`;
  }

  async #ready(): Promise<ApiAnswer> {
    const readiness = await this.#options.readiness.check();
    return readiness.ready ? text(200, 'ok\n') : text(503, `${readiness.reason}\n`);
  }

  /** They tell how busy the service is, which is not for everybody on a public address. */
  async #metrics({ address }: ApiRequest): Promise<ApiAnswer> {
    const isLocal = address === '::1' || address.startsWith('127.');
    if (isLocal && !this.#options.hasAdmin) return this.#measurements();
    return text(
      403,
      'Measurements are served to this machine only, and where there is an admin port, there only.\n',
    );
  }

  #measurements(): ApiAnswer {
    const lines = this.#options.metrics().map((metric) => metric.write());
    return page(200, 'text/plain; version=0.0.4; charset=utf-8', lines.join(''));
  }
}

function page(status: number, type: string, body: string): ApiAnswer {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return { status, headers, body };
}

function text(status: number, body: string): ApiAnswer {
  return page(status, 'text/plain; charset=utf-8', body);
}

function json(status: number, value: unknown): ApiAnswer {
  return page(status, 'application/json', `${JSON.stringify(value)}\n`);
}
