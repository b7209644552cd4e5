/**
 * Everything that one listener serves over HTTP: the API under `/client/v4`, a few pages of the program itself, which
 * accept GET and HEAD and need no credentials, and the dashboard for browsers.
 */
import { type ApiResponse, apiPath, type ApiRequest, fault, genericCodes, openApiDocument } from '#contract';
import type { Dashboard } from '#dashboard';
import { type ReadMetrics, writePrometheus } from '#metrics';
import { toApiResponse } from './api/api-server.ts';
import type { ReadinessCheck } from './readiness.ts';

/** Answers requests that it recognizes. */
interface FileReceiver {
  isFor(request: ApiRequest): boolean;
  answer(request: ApiRequest, nowMs: number): Promise<ApiResponse>;
}

export interface SiteOptions {
  readonly version: string;
  readonly readiness: ReadinessCheck;
  readonly metrics: ReadMetrics;
  /** The API; undefined until it is open. */
  readonly api: () => ((request: ApiRequest) => Promise<ApiResponse>) | undefined;
  /** Absent for a separate edge, which has no API. */
  readonly dashboard?: Dashboard | undefined;
  /** Whether there is a listener for operators, so that other clients cannot read metrics. */
  readonly hasAdmin: boolean;
  /** They receive files of Workers and databases, which are uploaded without the credentials of a user. */
  readonly receivers?: () => readonly FileReceiver[];
  /** Conditions that will soon become a problem: for operators, in one line each. */
  readonly listWarnings?: () => Promise<readonly string[]>;
}

type SitePage = (request: ApiRequest) => Promise<ApiResponse>;

export class Site {
  readonly #options: SiteOptions;
  readonly #pages: ReadonlyMap<string, SitePage>;
  readonly #adminPages: ReadonlyMap<string, SitePage>;

  constructor(options: SiteOptions) {
    this.#options = options;
    const live = async (): Promise<ApiResponse> => createText(200, 'ok\n');
    this.#pages = new Map<string, SitePage>([
      ['/livez', live],
      ['/readyz', () => this.#answerReady()],
      ['/', async () => createText(200, this.#writeWelcome())],
      ['/metrics', (request) => this.#answerMetrics(request)],
      ['/openapi.json', async () => createPage(200, 'application/json', (document ??= writeDocument()))],
    ]);
    this.#adminPages = new Map<string, SitePage>([
      ['/livez', live],
      ['/readyz', () => this.#answerReady(options.listWarnings)],
      ['/metrics', () => this.#writeMetrics()],
    ]);
  }

  readonly answer = (request: ApiRequest): Promise<ApiResponse> => {
    const receiver = this.#options.receivers?.().find((each) => each.isFor(request));
    if (receiver !== undefined) return receiver.answer(request, Date.now());
    return request.target.startsWith(apiPath) ? this.#answerApi(request) : this.#answerOthers(request);
  };

  /** A page of the program takes precedence over the dashboard, except `/`, which is text for programs. */
  async #answerOthers(request: ApiRequest): Promise<ApiResponse> {
    const path = request.target.split('?', 1)[0]!;
    const isOwn = path !== '/' && this.#pages.has(path);
    const page = isOwn ? undefined : await this.#options.dashboard?.answer(request);
    return page ?? this.#answerPage(request, this.#pages);
  }

  /** For operators, on their own listener. */
  readonly answerAdmin = (request: ApiRequest): Promise<ApiResponse> =>
    this.#answerPage(request, this.#adminPages);

  #answerApi(request: ApiRequest): Promise<ApiResponse> {
    const { dashboard } = this.#options;
    return dashboard === undefined ? this.#askApi(request) : dashboard.guard(request, this.#askApi);
  }

  readonly #askApi = async (request: ApiRequest): Promise<ApiResponse> => {
    const api = this.#options.api();
    if (api !== undefined) return api(request);
    const { phase } = this.#options.readiness;
    const refusal = toApiResponse(fault(genericCodes.unavailable, { fill: { state: phase } }));
    return { ...refusal, headers: { ...refusal.headers, 'retry-after': '1' } };
  };

  async #answerPage(request: ApiRequest, pages: ReadonlyMap<string, SitePage>): Promise<ApiResponse> {
    const path = request.target.split('?', 1)[0]!;
    const found = pages.get(path);
    if (found === undefined) {
      return toApiResponse(fault(genericCodes.couldNotRoute, { fill: { path: path.slice(0, 200) } }));
    }
    if (request.method === 'GET' || request.method === 'HEAD') return found(request);
    const refusal = toApiResponse(fault(genericCodes.methodNotAllowed));
    return { ...refusal, headers: { ...refusal.headers, allow: 'GET, HEAD' } };
  }

  #writeWelcome(): string {
    const { version, dashboard } = this.#options;
    const page =
      dashboard?.isBuilt === false
        ? 'The dashboard is not built. In a clone with all npm packages, run node tools/build-dashboard.ts and restart.\n'
        : '';
    return `Gatehouse ${version}\n\nThe API is under ${apiPath}, its description at /openapi.json.\n${page}`;
  }

  /** Names of zones must not be shown to every client that reaches the API. */
  async #answerReady(listWarnings: SiteOptions['listWarnings'] = async () => []): Promise<ApiResponse> {
    const readiness = await this.#options.readiness.check();
    if (!readiness.ready) return createText(503, `${readiness.reason}\n`);
    const warnings = await listWarnings();
    return createText(200, ['ok', ...warnings.map((each) => `warning: ${each}`), ''].join('\n'));
  }

  /** Metrics show how busy the service is, which should not be public. */
  async #answerMetrics({ address }: ApiRequest): Promise<ApiResponse> {
    const isLocal = address === '::1' || address.startsWith('127.');
    if (isLocal && !this.#options.hasAdmin) return this.#writeMetrics();
    return createText(
      403,
      'Metrics are served only to this machine, or only on the admin port if there is one.\n',
    );
  }

  async #writeMetrics(): Promise<ApiResponse> {
    const lines = (await this.#options.metrics()).map((metric) => writePrometheus(metric.read()));
    return createPage(200, 'text/plain; version=0.0.4; charset=utf-8', lines.join(''));
  }
}

/** A megabyte of text: if it were generated for each request, anonymous clients could overload the program. */
let document: Uint8Array | undefined;

function writeDocument(): Uint8Array {
  return Buffer.from(`${JSON.stringify(openApiDocument({ serverUrl: apiPath }))}\n`);
}

function createPage(status: number, type: string, body: string | Uint8Array): ApiResponse {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return { status, headers, body };
}

function createText(status: number, body: string): ApiResponse {
  return createPage(status, 'text/plain; charset=utf-8', body);
}
