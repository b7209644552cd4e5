/**
 * The program: a data directory, the control plane over it, and the listeners in front. It starts in an order that loses nothing: the
 * ports are taken first (they answer that the service is starting), then the account is founded. A port that is in use is therefore
 * found out before there are secrets that could be told only once.
 *
 * It stops in the reverse order: nothing new is accepted, answers under way are finished, then the store is closed.
 */
import { join } from 'node:path';
import { assert } from '#base';
import { Control } from '#control';
import type { ApiRequest } from '#v4';
import { type ApiServer, type ApiServerOptions, serveApi } from './api/api-server.ts';
import type { Config } from './config/read-config.ts';
import { flagOf, type SettingName } from './config/settings.ts';
import { claimDataDirectory, StartError } from './data-directory.ts';
import type { Log } from './log.ts';
import { ApiMetrics } from './metrics/api-metrics.ts';
import { Gauge, type Metric } from './metrics/metric.ts';
import { processMetrics } from './metrics/process-metrics.ts';
import { ReadinessCheck } from './readiness.ts';
import { type Ready, ReadyFile, type Secrets } from './ready-file.ts';
import { Site } from './site.ts';
import { ServerTls } from './tls/server-tls.ts';

export interface ProgramOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
}

const basePath = '/client/v4';

export class Program {
  readonly #config: Config;
  readonly #log: Log;
  readonly #readiness: ReadinessCheck;
  readonly #site: Site;
  readonly #apiMetrics: ApiMetrics;
  readonly #listeners: ApiServer[] = [];
  #control: Control | undefined;
  #tls: ServerTls | undefined;
  #ready: Ready | undefined;
  #stopping: Promise<void> | undefined;

  private constructor({ config, log, version }: ProgramOptions) {
    this.#config = config;
    this.#log = log;
    this.#readiness = new ReadinessCheck({
      probe: () => this.#control!.probe(),
      onFailure: (error) => log.error('the store does not answer a probe', { error }),
    });
    this.#apiMetrics = new ApiMetrics({
      inFlight: () => this.#listeners.reduce((sum, { inFlight }) => sum + inFlight, 0),
    });
    const metrics: readonly Metric[] = [
      ...this.#apiMetrics.metrics,
      new Gauge('gatehouse_zones', 'Zones of the account.', () => this.#control?.directory.zones.size ?? 0),
      ...processMetrics(version),
    ];
    this.#site = new Site({
      version,
      readiness: this.#readiness,
      metrics: () => metrics,
      api: () => this.#control && ((request) => this.#control!.answer(request)),
      hasAdmin: config.settings.adminPort !== 'off',
    });
  }

  /** Answers with the program once it accepts requests. */
  static async start(options: ProgramOptions): Promise<Program> {
    const { data, readyFile } = options.config.settings;
    claimDataDirectory(data);
    const file = readyFile === undefined ? undefined : new ReadyFile(readyFile);
    const program = new Program(options);
    try {
      const addresses = await program.#listen();
      const told = file?.takeOver() ?? {};
      const control = await program.#open();
      program.#control = control;
      program.#readiness.phase = 'running';
      const secrets = control.founded ?? (await stillValid(control, told));
      program.#ready = readyFrom(control, addresses, secrets);
      file?.write(program.#ready);
      return program;
    } catch (error) {
      file?.putBack();
      await program.stop();
      throw error;
    }
  }

  /** What its users need. */
  get ready(): Ready {
    assert(this.#ready !== undefined, 'the program has started');
    return this.#ready;
  }

  /** The account was founded at this start. */
  get isFirst(): boolean {
    return this.#control?.founded !== undefined;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stop(): Promise<void> {
    this.#readiness.phase = 'stopping';
    this.#tls?.close();
    const { shutdownGrace: graceMs } = this.#config.settings;
    await Promise.all(this.#listeners.map((listener) => listener.close({ graceMs })));
    await this.#control?.close();
  }

  async #listen(): Promise<Addresses> {
    const { host, port, httpsPort, adminHost, adminPort, data } = this.#config.settings;
    const { answer, answerAdmin } = this.#site;
    const http = await this.#serve('port', { answer, host, port });
    let addresses: Addresses = { api: reachable(http.url) };
    if (httpsPort !== 'off') {
      const tls = ServerTls.open({ directory: join(data, 'tls'), config: this.#config });
      this.#tls = tls;
      const https = await this.#serve('httpsPort', { answer, host, port: httpsPort, tls: tls.context() });
      tls.keepFresh((context) => https.renew(context));
      addresses = { ...addresses, api_https: reachable(https.url), ...tls.trust() };
    }
    if (adminPort !== 'off') {
      const admin = await this.#serve('adminPort', { answer: answerAdmin, host: adminHost, port: adminPort });
      addresses = { ...addresses, admin: reachable(admin.url) };
    }
    return addresses;
  }

  async #serve(
    setting: SettingName,
    options: Pick<ApiServerOptions, 'answer' | 'host' | 'port' | 'tls'>,
  ): Promise<ApiServer> {
    const log = this.#log;
    try {
      const listener = await serveApi({
        ...options,
        onError: (error, request) => log.error('a request failed', { request, error }),
        onAnswered: this.#config.settings.accessLog ? accessLog(log) : undefined,
      });
      this.#listeners.push(listener);
      return listener;
    } catch (error) {
      throw cannotListen(setting, options, error as NodeJS.ErrnoException);
    }
  }

  #open(): Promise<Control> {
    const { data, durability, accountName, ownerEmail, rateLimit, rateLimitRequests, rateLimitWindow } =
      this.#config.settings;
    const log = this.#log;
    return Control.open({
      directory: data,
      durability,
      founding: { accountName, email: ownerEmail },
      rateLimit: rateLimit ? { requests: rateLimitRequests, windowMs: rateLimitWindow } : 'off',
      log: (message, error) => log.warn(message, error === undefined ? {} : { error }),
      onError: (error, request) => log.error('a request failed', { request, error }),
      onAnswer: this.#apiMetrics.count,
    });
  }
}

type Addresses = Pick<Ready, 'api' | 'api_https' | 'admin' | 'ca_file'>;

function readyFrom(control: Control, { api, api_https, ca_file, admin }: Addresses, secrets: Secrets): Ready {
  const { account, users, zones } = control.directory.data;
  const { token, key, email = users[0]!.email } = secrets;
  return {
    api: `${api}${basePath}`,
    ...(api_https === undefined ? {} : { api_https: `${api_https}${basePath}` }),
    ...(ca_file === undefined ? {} : { ca_file }),
    ...(admin === undefined ? {} : { admin }),
    email,
    ...(token === undefined ? {} : { token }),
    ...(key === undefined ? {} : { key }),
    account_id: account!.id,
    zones: zones.map(({ id, name, plan }) => ({ id, name, plan })),
  };
}

/** Those of the secrets that still are somebody's. */
async function stillValid(control: Control, { email, token, key }: Secrets): Promise<Secrets> {
  const isToken =
    token !== undefined &&
    (await accepts(control, '/user/tokens/verify', { authorization: `Bearer ${token}` }));
  const pair =
    email !== undefined && key !== undefined ? { 'x-auth-email': email, 'x-auth-key': key } : undefined;
  const isKey = pair !== undefined && (await accepts(control, '/user', pair));
  return { ...(isToken ? { token } : {}), ...(isKey ? { email: email!, key: key! } : {}) };
}

async function accepts(control: Control, path: string, headers: ApiRequest['headers']): Promise<boolean> {
  const target = `${basePath}${path}`;
  const readBody = async (): Promise<Uint8Array> => new Uint8Array();
  const { status } = await control.answer({ method: 'GET', target, headers, address: '127.0.0.1', readBody });
  return status === 200;
}

/** Nobody can connect to the address that stands for all of them. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function cannotListen(
  setting: SettingName,
  { host, port }: Pick<ApiServerOptions, 'host' | 'port'>,
  error: NodeJS.ErrnoException,
): Error {
  const flag = `--${flagOf(setting)}`;
  const fixes: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use: name another with ${flag}, or 0 for any`,
    EACCES: `port ${port} is not for everybody: name one from 1024 on with ${flag}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: name one that is`,
  };
  const message = fixes[error.code ?? ''];
  return message === undefined ? error : new StartError(message, { cause: error });
}

/** Neither queries nor headers: both can hold what is nobody's business. */
function accessLog(log: Log): NonNullable<ApiServerOptions['onAnswered']> {
  return ({ method, target, address }, { status, headers }, durationMs) =>
    log.info('request', {
      request: headers['cf-ray'],
      method,
      path: target.split('?', 1)[0]!.slice(0, 500),
      status,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      address,
    });
}
